// The form of a further variant: named by a title, or by a value of each option.

import { toPointerStep } from "#kernel/refusal.ts";
import { attribute, type Html, html } from "#platform/html/html.ts";

import { input, select, versionField } from "../parts/field.ts";
import type { Visit } from "../visit.ts";
import { en } from "../words/en.ts";
import type { Product } from "./product-words.ts";

/** The product's version makes a second tap the same variant. */
export function addVariantForm(visit: Visit, { options, version }: Product): Html {
  const { goods } = en;
  const submitted = visit.submitted?.name === "add" ? visit.submitted : null;
  return html`<details ${attribute("open", submitted !== null)}>
    <summary>${goods.addVariant}</summary>
    <form class="stack" method="post" action="${visit.page}/add">
      ${versionField(submitted, version)}
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
        ${input(submitted, { name: "/prices/0/amount", label: goods.price(visit.store.currency), digits: "decimal" })}
        ${input(submitted, { name: "/stock", label: goods.stock, digits: "numeric" })}
      </div>
      ${input(submitted, { name: "/sku", label: goods.sku })}
      <div class="acts"><button>${goods.addVariant}</button></div>
    </form>
  </details>`;
}
