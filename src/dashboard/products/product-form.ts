// The fields of a product. A new one has three, and the others for who wants them.

import type { SubmittedForm } from "#dashboard/kit/forms/submitted-form.ts";
import type { Page } from "#dashboard/kit/page.ts";
import {
  amountInput,
  askedFields,
  entries,
  input,
  nonceField,
  select,
  textarea,
  versionField,
} from "#dashboard/kit/parts/field.ts";
import { heading } from "#dashboard/kit/parts/heading.ts";
import { refusedNote } from "#dashboard/kit/parts/note.ts";
import type { Visit } from "#dashboard/kit/visit.ts";
import { en } from "#dashboard/words/en.ts";
import { isObject } from "#kernel/assume.ts";
import { attribute, type Html, html } from "#platform/html/html.ts";
import type { JsonObject, JsonValue } from "#platform/http/strict-json.ts";

import type { Product } from "./product-words.ts";

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
          ${nonceField()} ${askedFields(submitted)}
          ${input(submitted, { name: "/name", label: goods.name, isRequired: true, isFirst: submitted === null })}
          <div class="pair">
            ${amountInput(submitted, { name: "/price", label: goods.price(visit.store.currency), writing: visit.writing() })}
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
      asks: (fields, { price }) => askedOfNew(fields, "/price", price),
      prepareBody: newProduct,
      fieldOf: fieldOfNewProduct,
      redirectTo: ({ id }) => (typeof id === "string" ? `/products/${id}` : "/products"),
    },
  },
};

/** Asks for a price of new goods that is 0, and for a stock that was left empty: they are easily forgotten. */
export function askedOfNew(
  fields: URLSearchParams,
  priceName: string,
  price: JsonValue | undefined,
): Map<string, string> {
  const asked = new Map<string, string>();
  if (typeof price === "string" && /^0(\.0+)?$/.test(price)) asked.set(priceName, en.goods.isFree);
  if (fields.get("/stock")?.trim() === "") asked.set("/stock", en.goods.isNoneInStock);
  return asked;
}

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

export function productForm(visit: Visit, product: Product): Html {
  const { goods } = en;
  const submitted = visit.submitted?.name === "save" ? visit.submitted : null;
  return html`<form class="stack" method="post" action="${visit.page}/save">
    <h2>${goods.about}</h2>
    ${versionField(submitted, product.version)}
    ${input(submitted, { name: "/name", label: goods.name, value: product.name, isRequired: true })}
    ${priceField(visit, product, submitted)}
    ${textarea(submitted, { name: "/description", label: goods.description, value: product.description })}
    <div class="pair">
      ${input(submitted, { name: "/category", label: goods.category, value: product.category })}
      ${input(submitted, { name: "/brand", label: goods.brand, value: product.brand })}
    </div>
    ${statusField(product, submitted)}
    ${entries({ name: "/tags", submitted }, [goods.tags, product.tags], (name, value, index) => input(submitted, { name, value, label: goods.tag(index + 1) }))}
    ${product.options.map((option, at) => [
      html`<input type="hidden" name="/options/${at}/name" value="${option.name}" />`,
      entries(
        { name: `/options/${at}/values`, submitted },
        [option.name, option.values],
        (name, value, index) =>
          input(submitted, { name, value, label: goods.value(option.name, index + 1) }),
      ),
    ])}
    ${seoFields(product, submitted)}
    <p class="acts"><button class="go">${goods.save}</button></p>
  </form>`;
}

/** The price where there is only one to set. */
function priceField(
  visit: Visit,
  { variants }: Product,
  submitted: SubmittedForm | null,
): Html | null {
  const [only, ...others] = variants;
  if (only === undefined || others.length > 0) return null;
  const { currency } = visit.store;
  const price = only.prices.find((one) => one.currency === currency);
  return amountInput(submitted, {
    name: "/price",
    label: en.goods.price(currency),
    writing: visit.writing(),
    minor: price?.amount_minor ?? null,
    // The interface takes no price away from a product: an empty one would be saved as it was.
    isRequired: price !== undefined,
  });
}

function statusField({ status }: Product, submitted: SubmittedForm | null): Html | null {
  if (status === "archived") return null;
  const options = (["active", "draft"] as const).map((value) => ({
    value,
    label: en.goods.status[value],
  }));
  return select(submitted, {
    name: "/status",
    label: en.goods.statusLabel,
    value: status,
    options,
  });
}

/** Folded until something is wrong with it: most products are found by their name and description. */
export function seoFields({ seo }: Pick<Product, "seo">, submitted: SubmittedForm | null): Html {
  const { goods } = en;
  const isWrong = submitted?.faults.some(({ field }) => field.startsWith("/seo")) === true;
  return html`<details ${attribute("open", isWrong)}>
    <summary>${goods.seo}</summary>
    <div class="stack">
      ${input(submitted, { name: "/seo/title", label: goods.seoTitle, value: seo.title, hint: goods.seoTitleHint })}
      ${textarea(submitted, { name: "/seo/description", label: goods.seoDescription, value: seo.description, hint: goods.seoDescriptionHint })}
    </div>
  </details>`;
}
