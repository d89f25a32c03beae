// The events of products. Their payload is the product as the API returns it.

import type { Product } from "#catalog/rows/product.ts";
import type { Announcement } from "#platform/database/database.ts";
import { declareEvents } from "#platform/http/contract/event.ts";

import { productWire } from "./schema.ts";

export const productEvents = declareEvents(productWire, [
  "product.created",
  "product.updated",
  "product.archived",
  "product.deleted",
]);

/** Builds an event. `product` is the current product, or the last one before its deletion. */
export function productFact(
  name: keyof typeof productEvents.payloads,
  product: Product,
): Announcement {
  return productEvents.announce(name, product.id, product);
}
