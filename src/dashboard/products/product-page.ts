// One product: what it is called and said of it, its variants with price and stock, and whether it is for sale.

import { productWire } from "#catalog/products/schema.ts";
import { type Html, html } from "#platform/html/html.ts";

import type { Page } from "../page.ts";
import { heading } from "../parts/heading.ts";
import { doneNote, refusedNote } from "../parts/note.ts";
import type { Visit } from "../visit.ts";
import { en } from "../words/en.ts";
import { addVariantForm } from "./add-variant-form.ts";
import { productChange } from "./product-change.ts";
import { productForm } from "./product-form.ts";
import {
  leftOf,
  priceSpan,
  type Product,
  statusMark,
  thumb,
  type Variant,
  variantName,
} from "./product-words.ts";

const asks = "PUT /v2/products/{id}";

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
      body: html`${archivedNote(visit, product) ?? doneNote(visit)} ${refusedNote(visit.sent)}
        ${heading({ title: product.name, back: [visit.href("/products"), en.nav.products], act: statusMark(product) })}
        <div class="two">
          <div class="stack">
            ${variantsOf(visit, product, mayWrite)}
            ${mayWrite ? productForm(visit, product) : factsOf(product)}
          </div>
          <div class="stack">
            ${product.images.length > 0 && thumb(product)}
            ${mayWrite && sellingForm(visit, product)}
          </div>
        </div>`,
    };
  },
  forms: {
    save: { asks, says: "saved", completes: productChange },
    archive: {
      asks,
      says: "archived",
      // Undo leads back to what it was.
      leadsTo: (_, visit) =>
        `/products/${visit.params["id"] ?? ""}?was=${encodeURIComponent(visit.query("was"))}`,
    },
    restore: { asks, says: "restored" },
    redraft: { asks, says: "changed" },
    add: { asks: "POST /v2/products/{id}/variants", says: "added" },
  },
};

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
      ><span class="name">${variantName(product, variant)}</span
      ><span class="what">${variant.sku}</span
      ><span class="sum">${priceSpan(visit, [variant])}</span></a
    ><a class="tap" href="${visit.href(`/stock/${variant.id}`)}">${leftOf([variant])}</a>
  </li>`;
}

/** What can be undone is said with the way back. */
function archivedNote(visit: Visit, product: Product): Html | null {
  const isJustArchived = visit.query("done") === "archived" && product.status === "archived";
  if (!isJustArchived || visit.sent !== null || !visit.may("products:write")) return null;
  return html`<div class="note done" role="status">
    <span>${en.goods.archivedNow}</span>
    ${statusForm(visit, product, { to: visit.query("was") === "draft" ? "draft" : "active", word: en.goods.undo })}
  </div>`;
}

function sellingForm(visit: Visit, product: Product): Html {
  const { goods } = en;
  const isArchived = product.status === "archived";
  return html`<section>
    <p class="soft">${isArchived ? goods.isArchived : goods.archiveWhat}</p>
    <div class="acts">
      ${statusForm(visit, product, isArchived ? { to: "active", word: goods.restore } : { to: "archived", word: goods.archive })}
    </div>
  </section>`;
}

const formOf = { active: "restore", draft: "redraft", archived: "archive" } as const;

function statusForm(
  visit: Visit,
  { version, status }: Product,
  { to, word }: { readonly to: Product["status"]; readonly word: string },
): Html {
  return html`<form method="post" action="${visit.page}/${formOf[to]}?was=${status}">
    <input type="hidden" name="version" value="${version}" />
    <input type="hidden" name="/status" value="${to}" />
    <button>${word}</button>
  </form>`;
}

/** The product for who may not change it. */
function factsOf({ description, category, tags }: Product): Html {
  const { goods } = en;
  const facts = [
    [goods.description, description],
    [goods.category, category ?? ""],
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
