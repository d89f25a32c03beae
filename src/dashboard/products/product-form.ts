// The fields of a product that is there already.

import type { SubmittedForm } from "#dashboard/kit/forms/submitted-form.ts";
import { entries, input, select, textarea, versionField } from "#dashboard/kit/parts/field.ts";
import { typedAmount } from "#dashboard/kit/parts/money.ts";
import type { Visit } from "#dashboard/kit/visit.ts";
import { attribute, type Html, html } from "#platform/html/html.ts";

import { en } from "../words/en.ts";
import type { Product } from "./product-words.ts";

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
  return input(submitted, {
    name: "/price",
    label: en.goods.price(currency),
    value: price === undefined ? null : typedAmount(price.amount_minor, currency),
    digits: "decimal",
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
