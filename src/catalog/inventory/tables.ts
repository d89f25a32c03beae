// Stock levels and the ledger behind them. Invariant: a level equals the sum of its movements, and
// every change of one is written with the other.

import { type SQL, sql } from "drizzle-orm";

import { defineKind } from "#kernel/id.ts";
import type { Actor } from "#platform/database/database.ts";
import {
  bool,
  check,
  index,
  int,
  isTrue,
  json,
  text,
  time,
  units,
} from "#platform/database/kit.ts";
import { id, plain, record } from "#platform/database/record.ts";

import type { Backorder, MovementReason } from "./inventory.ts";

declare module "#kernel/id.ts" {
  interface IdKinds {
    movement: "mov";
  }
}
defineKind("movement", "mov", "stock movement");

/**
 * The condition of the partial index of low levels. A query has the same text, without which SQLite does not use the
 * index. The column must be left of the expression: SQLite swaps the sides of a condition that is written otherwise,
 * and then no longer matches it to the index.
 */
export const isLowRow: SQL = sql`${isTrue("tracked")} AND low_stock_threshold > on_hand - reserved`;

export const inventoryLevels = record(
  "inventory_levels",
  {
    variantId: id("variant").primaryKey(),
    productId: id("product").notNull(),
    sku: plain(text()),
    onHand: units().notNull(),
    reserved: units().notNull(),
    lowStockThreshold: int().notNull(),
    tracked: bool().notNull(),
    backorder: text().$type<Backorder>().notNull(),
    version: int().notNull(),
    updatedAt: time().notNull(),
    /** When the variant was deleted although it was sold: open orders still reserve its stock. */
    archivedAt: time(),
    /** The newest movement of the variant, where its ledger begins; null if it never moved. */
    lastMovementId: id("movement"),
    /** The one before it: the statement that changes the counts returns it for the new movement. */
    previousMovementId: id("movement"),
  },
  (row) => [
    check("inventory_levels_on_hand_not_negative", sql`${row.onHand} >= 0`),
    check("inventory_levels_reserved_not_negative", sql`${row.reserved} >= 0`),
    check("inventory_levels_threshold_not_negative", sql`${row.lowStockThreshold} >= 0`),
    index("inventory_levels_product_index").on(row.productId, row.variantId),
    index("inventory_levels_sku_index").on(row.sku),
    index("inventory_levels_low_index").on(row.tracked, row.variantId).where(isLowRow),
  ],
);

/**
 * Append-only. Balances are the counts after the movement. The movements of a variant are a chain from its level
 * backwards: an index by variant would write a page for each variant that is sold, and was half of what a sale wrote.
 */
export const inventoryMovements = record(
  "inventory_movements",
  {
    id: id("movement").primaryKey(),
    /** The movement of the same variant before this one; null for its first. */
    previousId: id("movement"),
    variantId: id("variant").notNull(),
    deltaOnHand: units().notNull(),
    deltaReserved: units().notNull(),
    reason: text().$type<MovementReason>().notNull(),
    orderId: id("order"),
    note: plain(text()),
    actor: plain(json().$type<Actor>().notNull()),
    balanceOnHand: units().notNull(),
    balanceReserved: units().notNull(),
    createdAt: time().notNull(),
  },
  () => [],
);
