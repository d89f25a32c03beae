// The events of products. Their payload is the product as the API returns it.

import type { Announcement } from "#platform/database/database.ts";
import { declareEvents } from "#platform/http/contract/event.ts";

import type { Product } from "./product.ts";
import { productWire } from "./schema.ts";

export const productEvents = declareEvents(productWire, {
  "product.created": "A product was created.",
  "product.updated": "A product, a variant or a price was changed.",
  "product.archived": "A product was archived and is no longer sold.",
  "product.deleted": "A product was deleted. Contains its last state.",
});

/** Builds an event. `product` is the current product, or the last one before its deletion. */
export function productFact(
  name: keyof typeof productEvents.schemas,
  product: Product,
): Announcement {
  return productEvents.announce(name, product.id, product);
}
