// A new product: three fields, and the others for who wants them.

import type { SubmittedForm } from "#dashboard/kit/forms/submitted-form.ts";
import type { Page } from "#dashboard/kit/page.ts";
import { input, nonceField, select, textarea } from "#dashboard/kit/parts/field.ts";
import { heading } from "#dashboard/kit/parts/heading.ts";
import { refusedNote } from "#dashboard/kit/parts/note.ts";
import { en } from "#dashboard/words/en.ts";
import { isObject } from "#kernel/assume.ts";
import { attribute, type Html, html } from "#platform/html/html.ts";
import type { JsonObject, JsonValue } from "#platform/http/strict-json.ts";

// The body of a new product from its short form: a text of tags or values is a list, and options make a variant of
// each combination, which all begin with the same price and stock.

interface TypedOption {
  readonly name: string;
  readonly values: readonly string[];
}

/** More combinations than a product may have are left to the interface to refuse. */
const COMBINATIONS_MAX = 101;

/** The product as the interface takes it. */
function newProduct(body: JsonObject): JsonObject {
  const { tags, options, price, stock, sku = null, ...rest } = body;
  const made: JsonObject = { ...rest };
  // With options an SKU that was typed is for the interface to refuse; the field that was left empty is none.
  if (sku !== null) made["sku"] = sku;
  if (typeof tags === "string") made["tags"] = splitList(tags);
  const typed = optionsOf(options);
  if (typed.length === 0) {
    if (price !== undefined) made["price"] = price;
    if (stock !== undefined) made["stock"] = stock;
    return made;
  }
  made["options"] = typed.map(({ name, values }) => ({ name, values: [...values] }));
  made["variants"] = combinationsOf(typed).map((chosen) => ({
    options: chosen,
    ...(price === undefined ? {} : { prices: [{ amount: price }] }),
    ...(stock === undefined ? {} : { stock }),
  }));
  return made;
}

/** The field that a fault of a made variant is about: they all began with the same ones. */
function fieldOfNewProduct(pointer: string): string {
  if (/^\/variants\/\d+\/prices/.test(pointer)) return "/price";
  if (/^\/variants\/\d+\/stock/.test(pointer)) return "/stock";
  return pointer.startsWith("/variants") ? "/options/0/values" : pointer;
}

/** Splits a text at its commas, also those of Arabic, Chinese and Japanese; each part comes once. */
function splitList(text: string): string[] {
  const parts = text.split(/[,،，、]/).map((part) => part.trim());
  return [...new Set(parts.filter((part) => part !== ""))];
}

function optionsOf(options: JsonValue | undefined): TypedOption[] {
  if (!Array.isArray(options)) return [];
  return options.flatMap((option) => {
    if (!isObject(option)) return [];
    const { name, values } = option;
    return [
      {
        name: typeof name === "string" ? name : "",
        values: typeof values === "string" ? splitList(values) : [],
      },
    ];
  });
}

function combinationsOf(options: readonly TypedOption[]): JsonObject[] {
  let made: JsonObject[] = [{}];
  for (const { name, values } of options) {
    const next = made.flatMap((chosen) =>
      values.map((value): JsonObject => ({ ...chosen, [name]: value })),
    );
    made = next.slice(0, COMBINATIONS_MAX);
  }
  return made;
}

const OPTIONS_SHOWN = 2;
const firstFields = new Set(["/name", "/price", "/stock"]);

export const newProductPage: Page = {
  path: "/products/new",
  scopes: ["products:write"],
  show: async (visit) => {
    const { goods } = en;
    const { submitted } = visit;
    return {
      title: goods.newProduct,
      body: html`${refusedNote(submitted)}
      ${heading({ title: goods.newProduct, back: [visit.href("/products"), en.nav.products] })}
      ${
        visit.may("products:write") &&
        html`<form class="stack narrow" method="post" action="${visit.page}/make">
          ${nonceField()}
          ${input(submitted, { name: "/name", label: goods.name, isRequired: true, isFirst: submitted === null })}
          <div class="pair">
            ${input(submitted, { name: "/price", label: goods.price(visit.store.currency), digits: "decimal" })}
            ${input(submitted, { name: "/stock", label: goods.stock, digits: "numeric" })}
          </div>
          <details
            ${attribute("open", submitted?.faults.some(({ field }) => !firstFields.has(field)) === true)}
          >
            <summary>${goods.more}</summary>
            ${furtherFields(submitted)}
          </details>
          <div class="bar"><button class="go">${goods.add}</button></div>
        </form>`
      }`,
    };
  },
  forms: {
    make: {
      route: "POST /v2/products",
      doneMessage: "added",
      prepareBody: newProduct,
      fieldOf: fieldOfNewProduct,
      redirectTo: ({ id }) => (typeof id === "string" ? `/products/${id}` : "/products"),
    },
  },
};

function furtherFields(submitted: SubmittedForm | null): Html {
  const { goods } = en;
  const statuses = [
    { value: "active", label: goods.status.active },
    { value: "draft", label: goods.status.draft },
  ];
  return html`<div class="stack">
    ${textarea(submitted, { name: "/description", label: goods.description })}
    ${select(submitted, { name: "/status", label: goods.statusLabel, options: statuses })}
    <div class="pair">
      ${input(submitted, { name: "/category", label: goods.category })}
      ${input(submitted, { name: "/brand", label: goods.brand })}
    </div>
    ${input(submitted, { name: "/tags", label: goods.tags, hint: goods.tagsHint })}
    ${input(submitted, { name: "/images/0/url", label: goods.picture, type: "url", hint: goods.pictureHint, placeholder: "https://" })}
    ${input(submitted, { name: "/sku", label: goods.sku, hint: goods.skuHint })}
    <fieldset class="stack">
      <legend>${goods.options}</legend>
      <p class="hint">${goods.optionsHint}</p>
      ${Array.from(
        { length: OPTIONS_SHOWN },
        (_, index) =>
          html`<div class="pair">
            ${input(submitted, { name: `/options/${index}/name`, label: `${goods.optionName} ${index + 1}` })}
            ${input(submitted, { name: `/options/${index}/values`, label: goods.optionValues, hint: goods.optionValuesHint })}
          </div>`,
      )}
    </fieldset>
  </div>`;
}
