// One variant: its prices and its code. Removing it has a page of its own, since it cannot be undone.

import { levelWire } from "#catalog/inventory/schema.ts";
import type { Page } from "#dashboard/kit/page.ts";
import { amountInput, input, versionField } from "#dashboard/kit/parts/field.ts";
import { heading } from "#dashboard/kit/parts/heading.ts";
import { doneNote, refusedNote } from "#dashboard/kit/parts/note.ts";
import type { Visit } from "#dashboard/kit/visit.ts";
import { en } from "#dashboard/words/en.ts";
import { isObject } from "#kernel/assume.ts";
import { type Html, html } from "#platform/html/html.ts";
import type { JsonObject } from "#platform/http/strict-json.ts";

import {
  findVariant,
  type FoundVariant,
  variantIn,
  variantPictureForms,
  variantPicturePart,
} from "./pictures.ts";
import { leftOf, priceSpan, variantName } from "./product-words.ts";

export const variantPage: Page = {
  path: "/products/{id}/variants/{variant_id}",
  scopes: ["products:read"],
  show: async (visit) => {
    const { product, variant } = await findVariant(visit);
    const title = variantName(product, variant);
    const isOnly = product.variants.length === 1;
    const back = `/products/${product.id}`;
    return {
      title,
      follows: product.id,
      body: html`${heading({ title, back: [visit.href(back), product.name], act: html`<a class="button" href="${visit.href(`/stock/${variant.id}`)}">${leftOf([variant])}</a>` })}
      ${doneNote(visit)} ${refusedNote(visit.submitted)}
      ${
        visit.may("products:write")
          ? html`${variantForm(visit, { product, variant })}
            ${variantPicturePart(visit, { product, variant })}
            ${!isOnly && html`<p class="noprint"><a class="danger tap" href="${visit.page}/remove">${en.goods.remove}</a></p>`}`
          : html`<p>${priceSpan(visit, [variant])}</p>`
      }`,
    };
  },
  forms: {
    save: {
      route: "PUT /v2/products/{id}/variants/{variant_id}",
      doneMessage: "saved",
      prepareBody: variantChange,
      // The version is the product's.
      undo: { readRoute: "GET /v2/products/{id}", part: variantIn },
    },
    ...variantPictureForms,
  },
};

export const removeVariantPage: Page = {
  path: "/products/{id}/variants/{variant_id}/remove",
  scopes: ["products:write"],
  show: async (visit) => {
    const { goods } = en;
    const { product, variant } = await findVariant(visit);
    const params = { variant_id: variant.id };
    const level = await visit.ask(levelWire, "GET /v2/inventory/{variant_id}", { params });
    const title = goods.removeTitle(variant.title);
    return {
      title,
      body: html`${refusedNote(visit.submitted)}
        ${heading({ title, back: [visit.href(`/products/${product.id}/variants/${variant.id}`), variant.title] })}
        <section class="narrow">
          <p>${goods.removeWhat(variant.title, product.name)}</p>
          ${level.on_hand > 0 && html`<p>${goods.removeStock(level.on_hand)}</p>`}
          <form class="acts" method="post" action="${visit.page}/go">
            <input type="hidden" name="version" value="${product.version}" />
            <button class="danger">${goods.removeGo}</button>
            <a class="button quiet" href="${visit.href(`/products/${product.id}`)}"
              >${goods.keep}</a
            >
          </form>
        </section>`,
    };
  },
  forms: {
    go: {
      route: "DELETE /v2/products/{id}/variants/{variant_id}",
      doneMessage: "removed",
      redirectTo: (_, visit) => `/products/${visit.params["id"] ?? ""}`,
    },
  },
};

/** Prices are sent as a whole: those in other currencies stand after the shop's own. */
function variantForm(visit: Visit, { product, variant }: FoundVariant): Html {
  const { goods } = en;
  const { submitted, store } = visit;
  const others = variant.prices.filter(({ currency }) => currency !== store.currency);
  const own = variant.prices.find(({ currency }) => currency === store.currency);
  const empty = { currency: store.currency, amount_minor: null, compare_at_minor: null };
  return html`<form class="stack narrow" method="post" action="${visit.page}/save">
    ${versionField(submitted, product.version)}
    ${product.options.length === 0 && product.variants.length > 1 && input(submitted, { name: "/title", label: goods.title, value: variant.title })}
    ${[own ?? empty, ...others].map(
      ({ currency, amount_minor: amount, compare_at_minor: before }, index) =>
        html`<input type="hidden" name="/prices/${index}/currency" value="${currency}" />
          <div class="pair">
            ${amountInput(submitted, { name: `/prices/${index}/amount`, label: goods.price(currency), writing: visit.writing(currency), minor: amount })}
            ${amountInput(submitted, { name: `/prices/${index}/compare_at`, label: goods.compareAt, hint: goods.compareAtHint, writing: visit.writing(currency), minor: before })}
          </div>`,
    )}
    ${input(submitted, { name: "/sku", label: goods.sku, value: variant.sku })}
    <p class="acts"><button class="go">${goods.save}</button></p>
  </form>`;
}

// The bodies of a changed product and variant from their pages: what was emptied is taken away.

/** Without the prices whose amount was emptied. */
function variantChange(body: JsonObject): JsonObject {
  const { prices } = body;
  if (!Array.isArray(prices)) return body;
  return {
    ...body,
    prices: prices.filter(
      (price) => isObject(price) && ("amount" in price || "compare_at" in price),
    ),
  };
}
