// Stock on the wire.

import Type, { type Static } from "typebox";

import {
  adjustmentReasons,
  availableOf,
  type Backorder,
  movementReasons,
  STOCK_MAX,
} from "#catalog/rows/inventory.ts";
import { type Id, isId } from "#kernel/id.ts";
import type { Refusal } from "#kernel/refusal.ts";
import { soughtBy } from "#kernel/text.ts";
import { at, from, list, orNull, shape, wire } from "#platform/http/contract/wire.ts";
import {
  choice,
  identifying,
  idOf,
  line,
  namedChoice,
  note,
  nullable,
  object,
  optional,
  sought,
  whole,
} from "#platform/http/contract/words.ts";
import { namedActorShape } from "#shop/entries/schema.ts";
import type { WithNamedActor } from "#shop/keys/lookups.ts";

import type { LevelFilters } from "./list-queries.ts";
import type { InventoryLevel, Movement } from "./queries.ts";
import type { StockChange, StockRow, StockRowResult } from "./set-stock.ts";

export const backorderChoice = namedChoice<Backorder>(
  { name: "Backorder", about: "What is sold where the stock is used up." },
  { deny: "Nothing.", allow: "What is ordered; the stock falls below zero." },
);

/** Rows of one batch: each locks a level until the batch commits. */
const BATCH_ROWS_MAX = 250;

type NamedLevel = InventoryLevel & { readonly name: string | null };

/** The response of a level. */
export const levelWire = wire<NamedLevel>()("InventoryLevel", {
  variant_id: idOf("variant"),
  product_id: idOf("product"),
  sku: nullable(Type.String()),
  name: nullable(
    Type.String({ description: "As in carts and orders; null once the product was deleted." }),
  ),
  on_hand: whole(0),
  reserved: whole(0),
  available: from(availableOf, nullable(whole())),
  low_stock_threshold: whole(0),
  tracked: Type.Boolean(),
  backorder: backorderChoice,
  version: whole(1),
  updated_at: at,
});

const balanceShape = shape<WithNamedActor<Movement>>()({
  on_hand: from((movement: WithNamedActor<Movement>) => movement.balanceOnHand, whole(0)),
  reserved: from((movement: WithNamedActor<Movement>) => movement.balanceReserved, whole(0)),
});

/** The response of a movement. */
export const movementWire = wire<WithNamedActor<Movement>>()("InventoryMovement", {
  id: idOf("movement"),
  variant_id: idOf("variant"),
  delta_on_hand: whole(),
  delta_reserved: whole(),
  reason: choice(movementReasons),
  order_id: nullable(idOf("order")),
  note: nullable(Type.String()),
  actor: namedActorShape,
  balance: from((movement: WithNamedActor<Movement>) => movement, balanceShape),
  created_at: at,
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
  note: optional(nullable(note(500))),
  low_stock_threshold: optional(whole(0, STOCK_MAX)),
  tracked: optional(Type.Boolean()),
  backorder: optional(backorderChoice),
};

export const stockChangeSchema = object(stockFields);

export const stockBatchSchema = object({
  rows: Type.Array(object({ variant_id: idOf("variant"), ...stockFields }), {
    minItems: 1,
    maxItems: BATCH_ROWS_MAX,
  }),
});

const errorShape = shape<Refusal>()({
  code: from((refusal: Refusal) => refusal.definition.code, Type.String()),
  detail: from(detailOf, Type.String()),
});

type NamedResult =
  | { readonly variantId: Id<"variant">; readonly level: NamedLevel }
  | Exclude<StockRowResult, { readonly level: unknown }>;

const resultShape = shape<NamedResult>()({
  variant_id: idOf("variant"),
  level: from(
    (result: NamedResult) => ("level" in result ? result.level : null),
    orNull(levelWire),
  ),
  error: from(
    (result: NamedResult) => ("level" in result ? null : result.refusal),
    orNull(errorShape),
  ),
});

/** The response of a batch. */
export const stockBatchResultShape = shape<{ readonly results: readonly NamedResult[] }>()({
  results: list(resultShape),
});

/** As many as a page of products has at most. */
const PRODUCTS_MAX = 100;
/** The length of an id with its comma. */
const ID_LENGTH = 32;

export const levelQuerySchema = object({
  low: optional(
    Type.Boolean({
      description:
        "Only levels below their threshold, or only the others; none of products that are archived.",
    }),
  ),
  sku: optional(line(100, { ...identifying, ...sought })),
  product_id: optional(
    line(PRODUCTS_MAX * ID_LENGTH, {
      description: "A product, or up to 100 of them, separated by commas.",
    }),
  ),
});

/** The details of the faults if there are any, since they are more precise than the refusal's. */
function detailOf({ message, details }: Refusal): string {
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
  const { low, sku, product_id: asked } = query;
  const skus = sku === undefined ? undefined : soughtBy(sku);
  if (asked === undefined) return { low, skus };
  const productIds = [...new Set(asked.split(","))].filter((text) => isId("product", text));
  return productIds.length > 0 ? { low, skus, productIds } : null;
}
