// The events of stock.

import Type from "typebox";

import { availableOf, type StockLevel } from "#catalog/rows/inventory.ts";
import type { Id } from "#kernel/id.ts";
import type { Announcement } from "#platform/database/database.ts";
import { declareEvents } from "#platform/http/contract/event.ts";
import { added, from, shape } from "#platform/http/contract/wire.ts";
import { idOf, nullable, whole } from "#platform/http/contract/words.ts";

/** A level and what it is of. */
interface LevelOfVariant extends StockLevel {
  readonly variantId: Id<"variant">;
  readonly productId: Id<"product">;
  readonly sku: string | null;
}

const lowEvents = declareEvents(
  shape<LevelOfVariant>()({
    id: added(from((level: LevelOfVariant) => level.variantId, idOf("variant"))),
    variant_id: idOf("variant"),
    product_id: idOf("product"),
    sku: nullable(Type.String()),
    available: from((level: LevelOfVariant) => availableOf(level), nullable(whole())),
    threshold: from((level: LevelOfVariant) => level.lowStockThreshold, whole(0)),
  }),
  ["inventory.low"],
);

export const inventoryEvents = lowEvents.payloads;

/** Builds `inventory.low` from the level after the change. */
export function inventoryLow(level: LevelOfVariant): Announcement {
  return lowEvents.announce("inventory.low", level.variantId, level);
}
