// Stock on the wire.

import Type, { type Static } from "typebox";

import { isId } from "#kernel/id.ts";
import type { Refusal } from "#kernel/refusal.ts";
import { toIso } from "#kernel/time.ts";
import {
  choice,
  component,
  idOf,
  instant,
  line,
  nullable,
  object,
  optional,
  prose,
  whole,
} from "#platform/http/contract/words.ts";

import {
  adjustmentReasons,
  availableOf,
  backorders,
  movementReasons,
  STOCK_MAX,
} from "./inventory.ts";
import type { InventoryLevel, LevelFilters, Movement } from "./queries.ts";
import type { StockRow, StockRowResult } from "./set-stock-batch.ts";
import type { StockChange } from "./set-stock.ts";

/** Rows of one batch: each locks a level until the batch commits. */
const BATCH_ROWS_MAX = 250;

export const levelSchema = component("InventoryLevel", {
  variant_id: idOf("variant"),
  product_id: idOf("product"),
  sku: nullable(Type.String()),
  on_hand: whole(0),
  reserved: whole(0),
  available: nullable(whole()),
  low_stock_threshold: whole(0),
  tracked: Type.Boolean(),
  backorder: choice(backorders),
  version: whole(1),
  updated_at: instant,
});

export const movementSchema = component("InventoryMovement", {
  id: idOf("movement"),
  variant_id: idOf("variant"),
  delta_on_hand: whole(),
  delta_reserved: whole(),
  reason: choice(movementReasons),
  order_id: nullable(idOf("order")),
  note: nullable(Type.String()),
  actor: object({ type: choice(["api_key", "system", "operator"]), id: nullable(Type.String()) }),
  balance: object({ on_hand: whole(0), reserved: whole(0) }),
  created_at: instant,
});

const stockFields = {
  on_hand: optional(
    whole(0, STOCK_MAX, { description: "The counted stock. Give either `on_hand` or `adjust`." }),
  ),
  adjust: optional(
    whole(-STOCK_MAX, STOCK_MAX, { description: "Units to add or, if negative, to subtract." }),
  ),
  expected: optional(
    whole(0, STOCK_MAX, { description: "Refuse the change unless this many are on hand." }),
  ),
  reason: optional(choice(adjustmentReasons)),
  note: optional(nullable(prose(500))),
  low_stock_threshold: optional(whole(0, STOCK_MAX)),
  tracked: optional(Type.Boolean()),
  backorder: optional(choice(backorders)),
};

export const stockChangeSchema = object(stockFields);

export const stockBatchSchema = object({
  rows: Type.Array(object({ variant_id: idOf("variant"), ...stockFields }), {
    minItems: 1,
    maxItems: BATCH_ROWS_MAX,
  }),
});

export const stockBatchResultSchema = object({
  results: Type.Array(
    object({
      variant_id: idOf("variant"),
      level: nullable(levelSchema),
      error: nullable(object({ code: Type.String(), detail: Type.String() })),
    }),
  ),
});

export const levelQuerySchema = object({
  low: optional(
    Type.Boolean({ description: "Only levels below their threshold, or only the others." }),
  ),
  sku: optional(line(100)),
  product_id: optional(line(64)),
});

/** The response of a level. */
export function presentLevel(level: InventoryLevel): Static<typeof levelSchema> {
  return {
    variant_id: level.variantId,
    product_id: level.productId,
    sku: level.sku,
    on_hand: level.onHand,
    reserved: level.reserved,
    available: availableOf(level),
    low_stock_threshold: level.lowStockThreshold,
    tracked: level.tracked,
    backorder: level.backorder,
    version: level.version,
    updated_at: toIso(level.updatedAt),
  };
}

/** The response of a movement. */
export function presentMovement(movement: Movement): Static<typeof movementSchema> {
  return {
    id: movement.id,
    variant_id: movement.variantId,
    delta_on_hand: movement.deltaOnHand,
    delta_reserved: movement.deltaReserved,
    reason: movement.reason,
    order_id: movement.orderId,
    note: movement.note,
    actor: { type: movement.actor.type, id: movement.actor.id },
    balance: { on_hand: movement.balanceOnHand, reserved: movement.balanceReserved },
    created_at: toIso(movement.createdAt),
  };
}

/** The response of a batch. */
export function presentBatch(
  results: readonly StockRowResult[],
): Static<typeof stockBatchResultSchema> {
  return {
    results: results.map((result) =>
      "level" in result
        ? { variant_id: result.variantId, level: presentLevel(result.level), error: null }
        : {
            variant_id: result.variantId,
            level: null,
            error: { code: result.refusal.definition.code, detail: sentence(result.refusal) },
          },
    ),
  };
}

/** The details of the faults if there are any, since they are more precise than the refusal's. */
function sentence({ message, details }: Refusal): string {
  return details.faults?.map((fault) => fault.detail).join(" ") ?? message;
}

/** Reads a change of stock from a request body. */
export function readStockChange(body: Static<typeof stockChangeSchema>): StockChange {
  return {
    onHand: body.on_hand,
    adjust: body.adjust,
    expected: body.expected,
    reason: body.reason,
    note: body.note,
    lowStockThreshold: body.low_stock_threshold,
    tracked: body.tracked,
    backorder: body.backorder,
  };
}

/** Reads the rows of a batch from a request body. */
export function readStockRows(body: Static<typeof stockBatchSchema>): StockRow[] {
  return body.rows.map((row) => ({ variantId: row.variant_id, change: readStockChange(row) }));
}

/** Reads the filters of a list; null if the product's id cannot exist, so that nothing matches. */
export function readLevelFilters(query: Static<typeof levelQuerySchema>): LevelFilters | null {
  const { low, sku, product_id: productId } = query;
  if (productId === undefined) return { low, sku };
  return isId("product", productId) ? { low, sku, productId } : null;
}
