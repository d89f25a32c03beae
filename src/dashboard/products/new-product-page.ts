// A new product: three fields, and the others for who wants them.

import { attribute, type Html, html } from "#platform/html/html.ts";

import type { SubmittedForm } from "../forms/submitted-form.ts";
import type { Page } from "../page.ts";
import { input, nonceField, select, textarea } from "../parts/field.ts";
import { heading } from "../parts/heading.ts";
import { refusedNote } from "../parts/note.ts";
import { en } from "../words/en.ts";
import { fieldOfNewProduct, newProduct } from "./new-product.ts";

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
