// The list of products: what is for sale, what is not yet, and what is no longer; and one of them: what it is called
// and said of it, its variants with price and stock.

import { collectionWire } from "#catalog/collections/schema.ts";
import { productWire } from "#catalog/products/schema.ts";
import { exportButton, exportProducts } from "#dashboard/files/export-orders-page.ts";
import { importLink } from "#dashboard/files/import-page.ts";
import { membersOf, memberWhere } from "#dashboard/kit/forms/submitted-form.ts";
import { icon } from "#dashboard/kit/icons.ts";
import type { Page } from "#dashboard/kit/page.ts";
import {
  amountInput,
  askedFields,
  input,
  select,
  versionField,
} from "#dashboard/kit/parts/field.ts";
import { heading } from "#dashboard/kit/parts/heading.ts";
import { emptyList, olderLink, searchBox, tabs } from "#dashboard/kit/parts/list.ts";
import { doneNote, refusedNote } from "#dashboard/kit/parts/note.ts";
import type { Visit } from "#dashboard/kit/visit.ts";
import { en } from "#dashboard/words/en.ts";
import { toPointerStep } from "#kernel/refusal.ts";
import { attribute, type Html, html, isolated } from "#platform/html/html.ts";
import type { JsonObject } from "#platform/http/strict-json.ts";

import { pictureForms, picturesPart } from "./pictures.ts";
import { askedOfNew, productForm } from "./product-form.ts";
import {
  leftOf,
  priceSpan,
  type Product,
  statusMark,
  thumb,
  type Variant,
  variantName,
} from "./product-words.ts";
import { relatedPart } from "./related-page.ts";

const route = "PUT /v2/products/{id}";

export const productPage: Page = {
  path: "/products/{id}",
  scopes: ["products:read"],
  show: async (visit) => {
    const product = await visit.ask(productWire, "GET /v2/products/{id}", {
      params: { id: visit.params["id"] ?? "" },
    });
    const mayWrite = visit.may("products:write");
    return {
      title: product.name,
      follows: product.id,
      body: html`${heading({ title: product.name, back: [visit.href("/products"), en.nav.products], act: statusMark(product) })}
        ${doneNote(visit)} ${refusedNote(visit.submitted)}
        <div class="two">
          <div class="stack">
            ${variantsOf(visit, product, mayWrite)}
            ${mayWrite ? productForm(visit, product) : factsOf(product)}
          </div>
          <div class="stack">
            ${mayWrite ? picturesPart(visit, product) : product.images.length > 0 && thumb(visit, product, "20rem")}
            ${await collectionsOf(visit, product)} ${await relatedPart(visit, product)}
            ${mayWrite && sellingForm(visit, product)}
          </div>
        </div>`,
    };
  },
  forms: {
    save: { route, doneMessage: "saved", undo: { part: withPrice } },
    ...pictureForms,
    archive: { route, doneMessage: "archived", undo: {} },
    restore: { route, doneMessage: "restored", undo: {} },
    add: {
      route: "POST /v2/products/{id}/variants",
      doneMessage: "added",
      asks: (fields, { prices }) => {
        const [price] = Array.isArray(prices) ? prices : [];
        return askedOfNew(fields, "/prices/0/amount", membersOf(price)["amount"]);
      },
      fieldOf: fieldOfOption,
    },
  },
};

/** A fault of all options together is said at the first. */
function fieldOfOption(pointer: string, fields: URLSearchParams): string {
  const options = [...fields.keys()].filter((name) => name.startsWith(`${pointer}/`));
  return pointer === "/options" ? (options[0] ?? pointer) : pointer;
}

function variantsOf(visit: Visit, product: Product, mayWrite: boolean): Html {
  return html`<section>
    <h2>${en.goods.variants}</h2>
    <ul class="rows">
      ${product.variants.map((variant) => variantRow(visit, product, variant))}
    </ul>
    ${mayWrite && addVariantForm(visit, product)}
  </section>`;
}

function variantRow(visit: Visit, product: Product, variant: Variant): Html {
  const path = `/products/${product.id}/variants/${variant.id}`;
  return html`<li class="variant" id="${variant.id}">
    <a class="row" href="${visit.href(path)}"
      ><span class="name" dir="auto">${variantName(product, variant)}</span
      ><span class="what">${variant.sku}</span
      ><span class="sum">${priceSpan(visit, [variant])}</span></a
    ><a class="tap" href="${visit.href(`/stock/${variant.id}`)}">${leftOf([variant])}</a>
  </li>`;
}

/** The product with the price that its form has, where it has one. */
function withPrice(product: JsonObject, { store }: Visit): JsonObject {
  const [only] = Array.isArray(product["variants"]) ? product["variants"] : [];
  const own = memberWhere(membersOf(only)["prices"], ({ currency }) => currency === store.currency);
  return own === null ? product : { ...product, price: own["amount"] ?? null };
}

/** The collections that the product is in; nothing where it is in none. */
async function collectionsOf(visit: Visit, { id }: Product): Promise<Html | null> {
  const query = { product_id: id };
  const { data } = await visit.list(collectionWire, "GET /v2/collections", { query });
  if (data.length === 0) return null;
  return html`<section>
    <h2>${en.collections.of}</h2>
    <ul class="rows">
      ${data.map(
        (one) =>
          html`<li>
            <a class="line" href="${visit.href(`/products/collections/${one.id}`)}"
              ><span dir="auto">${one.title}</span></a
            >
          </li>`,
      )}
    </ul>
  </section>`;
}

function sellingForm(visit: Visit, product: Product): Html {
  const { goods } = en;
  const isArchived = product.status === "archived";
  return html`<section>
    <p class="soft">${isArchived ? goods.isArchived : goods.archiveWhat}</p>
    <form class="acts" method="post" action="${visit.page}/${isArchived ? "restore" : "archive"}">
      <input type="hidden" name="version" value="${product.version}" />
      <input type="hidden" name="/status" value="${isArchived ? "active" : "archived"}" />
      <button>${isArchived ? goods.restore : goods.archive}</button>
    </form>
  </section>`;
}

/** The product for who may not change it. */
function factsOf({ description, category, brand, tags }: Product): Html {
  const { goods } = en;
  const facts = [
    [goods.description, description],
    [goods.category, category ?? ""],
    [goods.brand, brand ?? ""],
    [goods.tags, tags.join(", ")],
  ] as const;
  return html`<section>
    <h2>${goods.about}</h2>
    <dl class="facts">
      ${facts
        .filter(([, fact]) => fact !== "")
        .map(
          ([word, fact]) =>
            html`<dt>${word}</dt>
              <dd>${fact}</dd>`,
        )}
    </dl>
  </section>`;
}

// The form of a further variant: named by a title, or by a value of each option.

/** The product's version makes a second tap the same variant. */
function addVariantForm(visit: Visit, { options, version }: Product): Html {
  const { goods } = en;
  const submitted = visit.submitted?.name === "add" ? visit.submitted : null;
  return html`<details ${attribute("open", submitted !== null)}>
    <summary>${goods.addVariant}</summary>
    <form class="stack" method="post" action="${visit.page}/add">
      ${versionField(submitted, version)} ${askedFields(submitted)}
      ${
        options.length === 0
          ? input(submitted, { name: "/title", label: goods.title, isRequired: true })
          : options.map(({ name, values }) =>
              select(submitted, {
                name: `/options/${toPointerStep(name)}`,
                label: name,
                options: values.map((value) => ({ value, label: value })),
              }),
            )
      }
      <div class="pair">
        ${amountInput(submitted, { name: "/prices/0/amount", label: goods.price(visit.store.currency), writing: visit.writing() })}
        ${input(submitted, { name: "/stock", label: goods.stock, digits: "numeric" })}
      </div>
      ${input(submitted, { name: "/sku", label: goods.sku })}
      <div class="acts"><button>${goods.addVariant}</button></div>
    </form>
  </details>`;
}

// The list of products: what is for sale, what is not yet, and what is no longer.

const shows = ["active", "draft", "archived"] as const;
type Show = (typeof shows)[number];

export const productsPage: Page = {
  path: "/products",
  scopes: ["products:read"],
  show: async (visit) => {
    const show = shows.find((one) => one === visit.query("show")) ?? "active";
    const [q, cursor] = [visit.query("q").trim(), visit.query("cursor")];
    const query = {
      status: show,
      limit: "20",
      ...(q === "" ? {} : { q }),
      ...(cursor === "" ? {} : { cursor }),
    };
    const listed = await visit.list(productWire, "GET /v2/products", { query });
    const acts = html`<div class="acts">
      <a class="button" href="${visit.href("/products/collections")}">${en.collections.title}</a>
      ${visit.may("products:write") && addLink(visit, en.goods.newProduct)}
    </div>`;
    return {
      title: en.nav.products,
      body: html`${heading({ title: en.nav.products, act: acts })} ${doneNote(visit)}
        <div class="tools">
          ${searchBox(visit, { placeholder: en.goods.searchProducts, keeps: { show } })}
          ${tabs(
            en.goods.whichProducts,
            shows.map((one) => ({
              href: `${visit.page}?show=${one}`,
              word: en.goods.tabs[one],
              isHere: one === show,
            })),
          )}
        </div>
        <div class="list">
          ${
            listed.data.length === 0
              ? await nothing(visit, show, q)
              : html`<ul class="rows goods">
                  ${listed.data.map((product) => productRow(visit, product))}
                </ul>`
          }
          ${olderLink(visit, listed)}
          ${listed.data.length > 0 && exportButton(visit, en.exports.products, importLink(visit, "products"))}
        </div>`,
    };
  },
  forms: { export: exportProducts },
};

function addLink(visit: Visit, word: string): Html {
  return html`<a class="button" href="${visit.href("/products/new")}">${icon("plus")} ${word}</a>`;
}

/** A row that leads to the product. */
export function productRow(visit: Visit, product: Product): Html {
  const { variants, category } = product;
  const kinds = variants.length > 1 && en.goods.kinds(variants.length);
  const what = [kinds, isolated(category ?? "")].filter(Boolean);
  return html`<li id="${product.id}">
    <a class="row" href="${visit.href(`/products/${product.id}`)}"
      >${thumb(visit, product)}<span class="name">${product.name}</span
      ><span class="what">${what.join(" · ")}</span><span class="marks">${statusMark(product)}</span
      ><span class="when">${leftOf(variants)}</span
      ><span class="sum">${priceSpan(visit, variants)}</span></a
    >
  </li>`;
}

/** The words of an empty list: the first product is asked for only where there is none at all. */
async function nothing(visit: Visit, show: Show, q: string): Promise<Html> {
  const { goods } = en;
  if (q !== "") return emptyList(goods.notFound, goods.notFoundWhat(q));
  const any = await visit.list(productWire, "GET /v2/products", { query: { limit: "1" } });
  if (any.data.length > 0) return emptyList(goods.emptyTab[show], goods.emptyTabWhat[show]);
  const act =
    visit.may("products:write") &&
    html`<p class="acts">
      <a class="button go" href="${visit.href("/products/new")}">${goods.firstAct}</a
      >${importLink(visit, "products")}
    </p>`;
  return emptyList(goods.firstTitle, goods.firstWhat, act);
}
