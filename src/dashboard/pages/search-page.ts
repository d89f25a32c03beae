// The search over the whole shop: a few of each kind, and the way to all of them. A number opens its order.

import { productWire } from "#catalog/products/schema.ts";
import { customerWire } from "#customers/schema.ts";
import type { Listed } from "#dashboard/kit/asker.ts";
import type { Page } from "#dashboard/kit/page.ts";
import { customerRow } from "#dashboard/kit/parts/contacts.ts";
import { heading } from "#dashboard/kit/parts/heading.ts";
import { emptyList, searchBox } from "#dashboard/kit/parts/list.ts";
import { orderRow } from "#dashboard/kit/parts/order-words.ts";
import type { Visit } from "#dashboard/kit/visit.ts";
import { paidByTransfer, paymentRows } from "#dashboard/money/payments-page.ts";
import { productRow } from "#dashboard/products/product-pages.ts";
import { levelRow, levelsOfProducts } from "#dashboard/stock/stock-page.ts";
import { en } from "#dashboard/words/en.ts";
import { type Html, html } from "#platform/html/html.ts";
import { orderWire } from "#sales/orders/schema.ts";

const words = en.find;
const EACH = 5;

export const searchPage: Page = {
  path: "/search",
  scopes: ["store:read"],
  show: async (visit) => {
    const q = visit.query("q").trim();
    const order = await orderNumbered(visit, q);
    if (order !== null) return { redirectTo: `/orders/${order}` };
    return {
      title: words.title,
      body: html`${heading({ title: words.title })}
        <div class="tools">
          ${searchBox(visit, { placeholder: words.placeholder, isFirst: q === "" })}
        </div>
        <div class="list stack">
          ${q === "" ? html`<p class="soft">${words.what}</p>` : await found(visit, q)}
        </div>`,
    };
  },
};

/** The id of the order that `#1042` names; null for other words, and without such an order. */
async function orderNumbered(visit: Visit, q: string): Promise<string | null> {
  const number = /^#0*([1-9]\d{0,8})$/.exec(q)?.[1];
  if (number === undefined || !visit.may("orders:read")) return null;
  const { data } = await visit.list(orderWire, "GET /v2/orders", { query: { number } });
  return data[0]?.id ?? null;
}

async function found(visit: Visit, q: string): Promise<Html> {
  const parts = [
    await orders(visit, q),
    await transfers(visit, q),
    ...(await goods(visit, q)),
    await customers(visit, q),
  ];
  if (parts.every((one) => one === null)) return emptyList(words.none, words.noneWhat(q));
  return html`${parts}`;
}

async function orders(visit: Visit, q: string): Promise<Html | null> {
  if (!visit.may("orders:read")) return null;
  const listed = await visit.list(orderWire, "GET /v2/orders", { query: firstOf(q) });
  const row = (order: (typeof listed.data)[number]) =>
    orderRow(visit, order, { isUnderDay: false });
  return part(visit, listed, {
    title: en.nav.orders,
    look: "orders",
    all: pathOf("/orders", q),
    row,
  });
}

/** The payments by the transfer that a bank names so. */
async function transfers(visit: Visit, q: string): Promise<Html | null> {
  if (!visit.may("payments:read")) return null;
  const listed = await paidByTransfer(visit, q);
  const row = await paymentRows(visit, listed.data);
  return part(visit, listed, { title: en.nav.payments, look: "", row });
}

/** The products, and the stock of those that are shown. */
async function goods(visit: Visit, q: string): Promise<(Html | null)[]> {
  if (!visit.may("products:read")) return [];
  const query = { ...firstOf(q), status: "active,draft" };
  const products = await visit.list(productWire, "GET /v2/products", { query });
  const levels = visit.may("inventory:read") ? await levelsOfProducts(visit, products.data) : [];
  return [
    part(visit, products, {
      title: en.nav.products,
      look: "goods",
      all: pathOf("/products", q),
      row: (product) => productRow(visit, product),
    }),
    part(
      visit,
      { data: levels.slice(0, EACH), has_more: products.has_more || levels.length > EACH },
      {
        title: en.nav.stock,
        look: "stock",
        all: pathOf("/stock", q),
        row: (level) => levelRow(visit, level),
      },
    ),
  ];
}

async function customers(visit: Visit, q: string): Promise<Html | null> {
  if (!visit.may("customers:read")) return null;
  const listed = await visit.list(customerWire, "GET /v2/customers", { query: firstOf(q) });
  return part(visit, listed, {
    title: en.nav.customers,
    look: "customers",
    all: pathOf("/customers", q),
    row: (customer) => customerRow(visit, customer),
  });
}

interface PartTerms<Row> {
  readonly title: string;
  readonly look: string;
  /** The address at which all that are found are listed. */
  readonly all?: string;
  readonly row: (one: Row) => Html;
}

/** The first rows of a kind; null without any, and without more to search. */
function part<Row>(
  visit: Visit,
  { data, has_more: hasMore }: Pick<Listed<Row>, "data" | "has_more">,
  { title, look, all, row }: PartTerms<Row>,
): Html | null {
  if (data.length === 0 && !hasMore) return null;
  return html`<section>
    <div class="day">
      <h2>${title}</h2>
      ${hasMore && all !== undefined && html`<a href="${visit.href(all)}">${words.all}</a>`}
    </div>
    ${
      data.length > 0 &&
      html`<ul class="rows ${look}">
        ${data.map(row)}
      </ul>`
    }
  </section>`;
}

function firstOf(q: string): Readonly<Record<string, string>> {
  return { q, limit: String(EACH) };
}

function pathOf(path: string, q: string): string {
  return `${path}?${new URLSearchParams({ q }).toString()}`;
}
