// A new order, at the counter or by phone. The search and the order are one form, so that what was picked stays while
// the next item is looked for, without script as well.

import { productWire } from "#catalog/products/schema.ts";
import { nullIfGone } from "#dashboard/kit/asker.ts";
import { typedNumber } from "#dashboard/kit/forms/form-body.ts";
import type { PageContent } from "#dashboard/kit/forms/form.ts";
import type { Page } from "#dashboard/kit/page.ts";
import { idOf, nonceField, select, textarea } from "#dashboard/kit/parts/field.ts";
import { heading } from "#dashboard/kit/parts/heading.ts";
import { amountIn, money } from "#dashboard/kit/parts/money.ts";
import { refusedNote } from "#dashboard/kit/parts/note.ts";
import { methodsByHand, optionsOf } from "#dashboard/kit/parts/order-words.ts";
import type { Visit } from "#dashboard/kit/visit.ts";
import { en } from "#dashboard/words/en.ts";
import { attribute, type Html, html } from "#platform/html/html.ts";

import { explainNoUnits, shortageOf } from "./chosen-lines.ts";
import {
  customerPart,
  type Item,
  itemsOfProducts,
  leftOut,
  nameField,
  pickedProducts,
  PICKS_MAX,
  productField,
  typedQuantities,
} from "./new-order.ts";
import { counterSale, laterOrder, totalAgain, totalForm } from "./total-page.ts";

const FOUND_MAX = "12";
const words = en.newOrder;

export const newOrderPage: Page = {
  path: "/orders/new",
  scopes: ["orders:write"],
  show: async (visit) => (await totalAgain(visit)) ?? itemsOf(visit),
  forms: {
    find: { redisplays: true },
    total: totalForm(counterSale),
    sell: counterSale.form,
    review: totalForm(laterOrder),
    place: laterOrder.form,
  },
};

/** The search, what was picked, and how it ends. */
async function itemsOf(visit: Visit): Promise<PageContent> {
  const typed = typedQuantities(visit);
  const picked = await pickedItems(visit, typed);
  const q = (visit.submitted?.value("q") ?? visit.query("q")).trim();
  const query = { status: "active", limit: FOUND_MAX, ...(q === "" ? {} : { q }) };
  const { data } = await visit.list(productWire, "GET /v2/products", { query });
  const methods = await methodsByHand(visit);
  const found = itemsOfProducts(data, visit.store, typed).filter(({ id }) => !typed.has(id));
  return {
    title: words.title,
    body: html`${heading({ title: words.title, back: [visit.href("/orders"), en.nav.orders] })}
      ${refusedNote(explainNoUnits(visit.submitted))} ${leftOutNote(visit, picked)}
      <form class="two" method="post" action="${visit.page}/review">
        ${nonceField()}
        <div class="stack">
          ${searchField(q, `${visit.page}/find`)} ${pickedPart(visit, picked)}
          <section>
            <h2>${words.found}</h2>
            ${
              found.length === 0
                ? html`<p class="soft">${q === "" ? words.none : words.nothing(q)}</p>`
                : itemList(visit, found, picked.length + firstFree(visit.submitted))
            }
          </section>
        </div>
        <aside class="stack">
          ${endParts(visit, { methods, customer: await customerPart(visit) })}
        </aside>
      </form>`,
  };
}

/** The picked items, with their names and prices of now. */
async function pickedItems(visit: Visit, typed: ReadonlyMap<string, string>): Promise<Item[]> {
  const products = await Promise.all(
    pickedProducts(visit, typed).map((id) =>
      visit.ask(productWire, "GET /v2/products/{id}", { params: { id } }).catch(nullIfGone),
    ),
  );
  const offered = products.filter((product) => product !== null);
  const found = offered.filter(({ status }) => status === "active");
  return itemsOfProducts(found, visit.store, typed).filter(({ id }) => typed.has(id));
}

/** Which of the items that were picked are not shown any more; null if all are. */
function leftOutNote(visit: Visit, picked: readonly Item[]): Html | null {
  const { gone, isTooMany } = leftOut(visit, picked);
  if (gone.length === 0 && !isTooMany) return null;
  return html`<div class="note stop" role="alert">
    <div>
      ${gone.length > 0 && html`<p>${words.gone(gone.join(", "))}</p>`}
      ${isTooMany && html`<p>${words.tooMany(PICKS_MAX)}</p>`}
    </div>
  </div>`;
}

function searchField(q: string, page: string): Html {
  return html`<div class="pair">
    <input
      type="search"
      name="q"
      value="${q}"
      placeholder="${words.search}"
      aria-label="${words.search}"
      autocomplete="off"
    />
    <button formaction="${page}">${words.find}</button>
  </div>`;
}

function pickedPart(visit: Visit, items: readonly Item[]): Html | null {
  if (items.length === 0) return null;
  const { currency } = visit.store;
  const totalMinor = items.reduce(
    (sum, { priceMinor, quantity }) =>
      sum + (priceMinor ?? 0) * (Number(typedNumber(quantity)) || 0),
    0,
  );
  return html`<section>
    <h2>${words.picked}</h2>
    ${itemList(visit, items, 0)}
    <p class="lined">
      <span class="soft">${words.total}</span><strong>${money(totalMinor, currency)}</strong>
    </p>
    <p class="small soft">${words.pickedHint}</p>
  </section>`;
}

function itemList(visit: Visit, items: readonly Item[], from: number): Html {
  return html`<ul class="rows units">
    ${items.map((item, index) => itemRow(visit, item, from + index))}
  </ul>`;
}

const VARIANT = /^\/line_items\/(\d+)\/variant_id$/;

/** The first number that no item had in the form. */
function firstFree(submitted: Visit["submitted"]): number {
  const used = [...(submitted?.fields.keys() ?? [])].map((name) =>
    Number(VARIANT.exec(name)?.[1] ?? -1),
  );
  return Math.max(-1, ...used) + 1;
}

/** The number that the item had in the form, so that what is refused of it is said beside it. */
function indexIn(submitted: Visit["submitted"], { id }: Item): string | undefined {
  for (const [name, value] of submitted?.fields ?? []) {
    const index = VARIANT.exec(name)?.[1];
    if (index !== undefined && value === id) return index;
  }
  return undefined;
}

function itemRow({ submitted, store }: Visit, item: Item, index: number): Html {
  const name = `/line_items/${indexIn(submitted, item) ?? index}/quantity`;
  const fault = submitted?.faultOf(name) ?? shortageOf(submitted, item.id);
  const left = item.available === null ? en.goods.uncounted : en.goods.left(item.available);
  return html`<li class="lined">
    <label for="${idOf(name)}"
      >${item.name}<br /><span class="soft small"
        >${item.priceMinor === null ? en.goods.noPrice : amountIn(store.currency, item.priceMinor, store.currency)}
        · ${left}</span
      >${fault !== undefined && html`<br /><span class="fault" id="${idOf(name)}-fault">${fault}</span>`}</label
    >
    <input type="hidden" name="${name.replace(/quantity$/, "variant_id")}" value="${item.id}" />
    <input type="hidden" name="${productField(item.id)}" value="${item.productId}" />
    <input type="hidden" name="${nameField(item.id)}" value="${item.name}" />
    <input
      class="units"
      id="${idOf(name)}"
      name="${name}"
      inputmode="numeric"
      autocomplete="off"
      value="${item.quantity}"
      ${fault !== undefined && [attribute("aria-invalid", "true"), attribute("aria-describedby", `${idOf(name)}-fault`)]}
    />
  </li>`;
}

interface EndTerms {
  readonly methods: Awaited<ReturnType<typeof methodsByHand>>;
  readonly customer: Html;
}

function endParts(visit: Visit, { methods, customer }: EndTerms): Html {
  const { submitted } = visit;
  const options = optionsOf(methods);
  return html`<section>
      <h2>${words.customer}</h2>
      ${customer} ${textarea(submitted, { label: words.note, name: "/notes" })}
    </section>
    ${
      visit.may("payments:write") &&
      html`<section>
        <h2>${words.sellTitle}</h2>
        <p class="small soft">${words.sellHint}</p>
        <button class="go" formaction="${visit.page}/total">${words.showTotal}</button>
      </section>`
    }
    <section>
      <h2>${words.placeTitle}</h2>
      ${options.length > 0 && select(submitted, { label: words.method, name: "/payment_method", options })}
      <button>${words.review}</button>
    </section>`;
}
