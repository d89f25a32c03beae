// Discounts: what is off, for which code or by itself, and how often it was used.

import type { Static } from "typebox";

import { collectionWire } from "#catalog/collections/schema.ts";
import { nullIfGone } from "#dashboard/kit/asker.ts";
import type { SubmittedForm } from "#dashboard/kit/forms/submitted-form.ts";
import type { Page } from "#dashboard/kit/page.ts";
import { amountInput, input, nonceField, select } from "#dashboard/kit/parts/field.ts";
import { goLink, heading } from "#dashboard/kit/parts/heading.ts";
import { emptyList, olderLink } from "#dashboard/kit/parts/list.ts";
import { textOfMoney } from "#dashboard/kit/parts/money.ts";
import { doneNote, refusedNote } from "#dashboard/kit/parts/note.ts";
import { mark } from "#dashboard/kit/parts/order-words.ts";
import type { Visit } from "#dashboard/kit/visit.ts";
import { en } from "#dashboard/words/en.ts";
import { isObject } from "#kernel/assume.ts";
import { attribute, type Html, html } from "#platform/html/html.ts";
import type { JsonObject } from "#platform/http/strict-json.ts";
import { discountCodeWire, discountWire } from "#pricing/discounts/schema.ts";

import { afterCursor } from "./lists.ts";

// The collections that a discount is for: chosen while it is made, and told on its page.

const { settings } = en;
/** As many as a page of the interface has: the newest ones are offered. */
const OFFERED = "100";

/** A box for each collection; null where the shop has none. Without a tick the discount is for everything. */
async function collectionTicks(
  visit: Visit,
  submitted: SubmittedForm | null,
): Promise<Html | null> {
  if (!visit.may("products:read")) return null;
  const query = { limit: OFFERED };
  const { data } = await visit.list(collectionWire, "GET /v2/collections", { query });
  if (data.length === 0) return null;
  const ticked = new Set(submitted?.fields.values());
  return html`<details
    ${attribute(
      "open",
      data.some(({ id }) => ticked.has(id)),
    )}
  >
    <summary>${settings.onlyCollections}</summary>
    <fieldset class="choices">
      <legend class="unseen">${settings.onlyCollections}</legend>
      ${data.map(
        ({ id, title }, index) =>
          html`<label class="tick"
            ><input
              type="checkbox"
              name="/scope/collection_ids/${index}"
              value="${id}"
              ${attribute("checked", ticked.has(id))}
            />
            <span dir="auto">${title}</span></label
          >`,
      )}
    </fieldset>
  </details>`;
}

/** The titles of the collections, each with the way to it; null where the discount names none that is there. */
async function collectionsOf(visit: Visit, ids: readonly string[]): Promise<Html | null> {
  if (!visit.may("products:read")) return null;
  const found = await Promise.all(
    ids.map((id) =>
      visit.ask(collectionWire, "GET /v2/collections/{id}", { params: { id } }).catch(nullIfGone),
    ),
  );
  const there = found.filter((one) => one !== null);
  if (there.length === 0) return null;
  return html`<p>
    ${settings.onCollections}
    ${there.map(
      ({ id, title }, index) =>
        html`${index > 0 && ", "}<a href="${visit.href(`/products/collections/${id}`)}" dir="auto"
            >${title}</a
          >`,
    )}
  </p>`;
}

type Discount = Static<(typeof discountWire)["schema"]>;

const DISCOUNTS = "/settings/discounts";
/** The only one of the amounts that is typed. */
const AMOUNT = "/amounts/0/amount";
const looks = {
  scheduled: "wait",
  active: "done",
  ended: "off",
  exhausted: "off",
  archived: "off",
} as const;

export const discountsPage: Page = {
  path: DISCOUNTS,
  scopes: ["discounts:read"],
  show: async (visit) => {
    const found = await visit.list(discountWire, "GET /v2/discounts", {
      query: afterCursor(visit),
    });
    const act =
      visit.may("discounts:write") && goLink(visit.href(`${DISCOUNTS}/new`), settings.newDiscount);
    return {
      title: settings.discounts,
      body: html`${heading({ title: settings.discounts, back: [visit.href("/settings"), settings.title], act })}
      ${doneNote(visit)}
      ${
        found.data.length === 0
          ? emptyList(settings.noDiscounts, settings.noDiscountsWhat)
          : html`<ul class="rows">
              ${found.data.map((discount) => rowOf(visit, discount))}
            </ul>`
      }
      ${olderLink(visit, found)}`,
    };
  },
};

export const newDiscountPage: Page = {
  path: `${DISCOUNTS}/new`,
  scopes: ["discounts:write"],
  show: async (visit) => {
    const { store } = visit;
    const submitted = withOneForm(visit.submitted);
    const options = Object.entries(settings.targets).map(([value, label]) => ({ value, label }));
    return {
      title: settings.newDiscount,
      body: html`${heading({ title: settings.newDiscount, back: [visit.href(DISCOUNTS), settings.discounts] })}
        ${refusedNote(submitted)}
        <form class="stack form" method="post" action="${visit.href(`${DISCOUNTS}/new`)}/make">
          ${nonceField()}
          ${input(submitted, { label: settings.discountTitle, name: "/title", isRequired: true, isFirst: submitted === null })}
          ${select(submitted, { label: settings.target, name: "/target", value: "order", options })}
          <div class="pair">
            ${input(submitted, { label: settings.percent, name: "/percent", digits: "decimal", hint: settings.percentHint })}
            <div>
              <input type="hidden" name="/amounts/0/currency" value="${store.currency}" />
              ${amountInput(submitted, { label: settings.amountOff(store.currency), name: AMOUNT, writing: visit.writing() })}
            </div>
          </div>
          ${input(submitted, { label: settings.codes, name: "/codes/0", hint: settings.codesHint })}
          ${await collectionTicks(visit, submitted)}
          <p><button class="go">${settings.makeDiscount}</button></p>
        </form>`,
    };
  },
  forms: {
    make: {
      route: "POST /v2/discounts",
      doneMessage: "made",
      prepareBody: withoutEmptyValues,
      fieldOf: (pointer) => (pointer === "/amounts" ? AMOUNT : pointer),
      redirectTo: ({ id }) => (typeof id === "string" ? `${DISCOUNTS}/${id}` : DISCOUNTS),
    },
  },
};

/** The page takes a percentage or an amount: it says so itself of both and of neither. */
function withOneForm(submitted: SubmittedForm | null): SubmittedForm | null {
  const given = ["/percent", AMOUNT].filter((field) => (submitted?.value(field) ?? "") !== "");
  if (submitted === null || given.length === 1) return submitted;
  const others = submitted.faults.filter(({ field }) => field !== "/percent" && field !== AMOUNT);
  const faults = [{ field: "/percent", message: settings.oneOfBoth }, ...others];
  const faultOf = (field: string) => faults.find((fault) => fault.field === field)?.message;
  return { ...submitted, faults, faultOf };
}

export const discountPage: Page = {
  path: `${DISCOUNTS}/{id}`,
  scopes: ["discounts:read"],
  show: async (visit) => {
    const { params } = visit;
    const discount = await visit.ask(discountWire, "GET /v2/discounts/{id}", { params });
    const codes = await visit.list(discountCodeWire, "GET /v2/discounts/{id}/codes", {
      params,
      query: afterCursor(visit),
    });
    return {
      title: discount.title,
      body: html`${heading({ title: discount.title, back: [visit.href(DISCOUNTS), settings.discounts] })}
        ${doneNote(visit)} ${refusedNote(visit.submitted)}
        <p>${markOf(discount)} ${valueOf(discount)}, ${settings.uses(discount.used_count)}</p>
        ${await collectionsOf(visit, discount.scope?.collection_ids ?? [])}
        ${
          codes.data.length > 0 &&
          html`<section>
            <h2>${settings.allCodes}</h2>
            <ul class="rows">
              ${codes.data.map(
                ({ code, used_count }) =>
                  html`<li class="line">
                    <code>${code}</code><span class="small soft">${settings.uses(used_count)}</span>
                  </li>`,
              )}
            </ul>
            ${olderLink(visit, codes)}
          </section>`
        }
        ${visit.may("discounts:write") && changePart(visit, discount)}`,
    };
  },
  forms: {
    codes: { route: "POST /v2/discounts/{id}/codes", doneMessage: "made" },
    archive: {
      route: "PUT /v2/discounts/{id}",
      doneMessage: "changed",
      undo: { part: ({ archived_at: at = null }) => ({ archived: at !== null }) },
    },
  },
};

function changePart(visit: Visit, { id, version, archived_at, automatic }: Discount): Html {
  const here = visit.href(`${DISCOUNTS}/${id}`);
  const isArchived = archived_at !== null;
  const own = visit.submitted?.name === "codes" ? visit.submitted : null;
  return html`${
      !isArchived &&
      !automatic &&
      html`<section>
        <h2>${settings.makeCodes}</h2>
        <form class="stack form" method="post" action="${here}/codes">
          ${nonceField()}
          <div class="pair">
            ${input(own, { label: settings.codesMany, name: "/count", digits: "numeric", isRequired: true })}
            ${input(own, { label: settings.codesPrefix, name: "/prefix", hint: settings.codesPrefixHint })}
          </div>
          <p><button>${settings.makeCodes}</button></p>
        </form>
      </section>`
    }
    <form method="post" action="${here}/archive">
      <input type="hidden" name="version" value="${version}" />
      <input type="hidden" name="/archived" value="${isArchived ? "false" : "true"}" />
      <button>${isArchived ? settings.unarchive : settings.archive}</button>
    </form>`;
}

/** A field that was left empty is none: no percent, and no row of amounts that has only its currency. */
function withoutEmptyValues({ amounts, percent, ...rest }: JsonObject): JsonObject {
  const rows = Array.isArray(amounts) ? amounts : [];
  const given = rows.filter((row) => isObject(row) && "amount" in row);
  return {
    ...rest,
    ...(percent === undefined || percent === "" ? {} : { percent }),
    ...(given.length === 0 ? {} : { amounts: given }),
  };
}

function valueOf({ percent, amounts, target }: Discount): string {
  const values = percent === null ? (amounts ?? []).map(amountText) : [`${percent} %`];
  const what = settings.targets[target].toLowerCase();
  return values.length === 0 ? what : settings.offWhat(values.join(" / "), what);
}

function amountText({ amount_minor, currency }: NonNullable<Discount["amounts"]>[number]): string {
  return textOfMoney(amount_minor, currency);
}

function markOf({ status }: Discount): Html {
  return mark(looks[status], settings.statuses[status]);
}

function rowOf(visit: Visit, discount: Discount): Html {
  const { id, title, automatic, code, code_count: count, used_count: uses } = discount;
  const how = automatic ? settings.automatic : count === 1 ? code : settings.codeCount(count);
  return html`<li>
    <a class="row" href="${visit.href(`${DISCOUNTS}/${id}`)}"
      ><span class="name">${title}</span><span class="what">${valueOf(discount)} · ${how}</span
      ><span class="sum small">${markOf(discount)}</span
      ><span class="when">${settings.uses(uses)}</span></a
    >
  </li>`;
}
