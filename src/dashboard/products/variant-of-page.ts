// The variant that a page is about.

import { productWire } from "#catalog/products/schema.ts";
import type { JsonObject } from "#platform/http/json/strict-json.ts";

import { Refused } from "../asker.ts";
import { memberWhere } from "../forms/members.ts";
import type { Visit } from "../visit.ts";
import type { Product, Variant } from "./product-words.ts";

export interface FoundVariant {
  readonly product: Product;
  readonly variant: Variant;
}

/** The variant of the page's address, as the interface shows it in its product. */
export function variantIn({ variants }: JsonObject, { params }: Visit): JsonObject | null {
  return memberWhere(variants, ({ id }) => id === params["variant_id"]);
}

/** The variant of the page with its product. Refuses as the interface does. */
export async function findVariant(visit: Visit): Promise<FoundVariant> {
  const params = { id: visit.params["id"] ?? "", variant_id: visit.params["variant_id"] ?? "" };
  const product = await visit.ask(productWire, "GET /v2/products/{id}", {
    params: { id: params.id },
  });
  const variant = product.variants.find(({ id }) => id === params.variant_id);
  if (variant !== undefined) return { product, variant };
  // The interface says why there is none.
  throw new Refused(await visit.send("GET /v2/products/{id}/variants/{variant_id}", { params }));
}
