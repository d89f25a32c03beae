// Stories: reserve the units of an order, release, ship and restock them. The statement that reserves checks availability
// as it writes, so of two orders for the last unit one is refused.

import {
  availableOf,
  type Backorder,
  byVariant,
  canReserve,
  insufficientStock,
  type StockLevel,
} from "#catalog/rows/inventory.ts";
import type { Id } from "#kernel/id.ts";
import { type Tx, WriteConflict } from "#platform/database/database.ts";

import { lockLevelRow, moveUnits, reserveUnits } from "./queries.ts";
import { recordMovement } from "./record-movement.ts";

/** Units of one variant, summed over the lines of an order: each variant appears once. */
interface StockDemand {
  readonly variantId: Id<"variant">;
  readonly quantity: number;
}

/** The level of a variant after units of it were reserved. */
export interface ReservedLevel extends StockLevel {
  readonly variantId: Id<"variant">;
  readonly backorder: Backorder;
  readonly quantity: number;
}

/** A variant without enough stock, as the refusal lists it. */
interface Shortage {
  readonly variant_id: string;
  readonly requested: number;
  readonly available: number;
}

/** Reserves all units, and returns the levels then. Refuses with `insufficient_stock` and every variant that has too few. */
export async function reserveStock(
  tx: Tx,
  orderId: Id<"order">,
  demands: readonly StockDemand[],
): Promise<ReservedLevel[]> {
  const sorted = demands.toSorted(byVariant);
  // Sent together: other orders for these rows wait for one round trip to the database instead of one per row.
  const levels = await Promise.all(
    sorted.map(({ variantId, quantity }) => reserveUnits(tx, variantId, quantity)),
  );
  const short: Shortage[] = [];
  const reserved: ReservedLevel[] = [];
  for (const [index, demand] of sorted.entries()) {
    const after = levels[index];
    if (after === undefined) {
      short.push(await shortage(tx, demand));
    } else {
      const before = { ...after, reserved: after.reserved - demand.quantity };
      await recordMovement(tx, after, { before, reason: "reservation", orderId });
      reserved.push({ ...after, quantity: demand.quantity });
    }
  }
  if (short.length > 0) throw insufficientStock({ members: { items: short } });
  return reserved;
}

/** Explains a failed reservation. Throws `WriteConflict` if the level changed since: the story then retries. */
async function shortage(tx: Tx, { variantId, quantity }: StockDemand): Promise<Shortage> {
  const level = await lockLevelRow(tx, variantId);
  if (level === undefined || canReserve(level, quantity)) throw new WriteConflict("The stock");
  return { variant_id: variantId, requested: quantity, available: availableOf(level) ?? 0 };
}

/** Subtracts the units from what is reserved. Throws if fewer are reserved, which is a bug. */
export async function releaseStock(
  tx: Tx,
  orderId: Id<"order">,
  demands: readonly StockDemand[],
): Promise<void> {
  for (const { variantId, quantity } of demands.toSorted(byVariant)) {
    const after = await moveUnits(tx, variantId, { deltaOnHand: 0, deltaReserved: -quantity });
    if (after === undefined) throw new Error(`${variantId} has fewer than ${quantity} reserved.`);
    const before = { ...after, reserved: after.reserved + quantity };
    await recordMovement(tx, after, { before, reason: "release", orderId });
  }
}

/**
 * Subtracts the units from what is reserved and, if the variant is tracked, from what is on hand. Refuses
 * with `insufficient_stock` if fewer units are on hand.
 */
export async function shipStock(
  tx: Tx,
  orderId: Id<"order">,
  demands: readonly StockDemand[],
): Promise<void> {
  const short: { variant_id: string; requested: number; on_hand: number }[] = [];
  for (const { variantId, quantity } of demands.toSorted(byVariant)) {
    const level = await lockLevelRow(tx, variantId);
    const deltaOnHand = level?.tracked === false ? 0 : -quantity;
    const after = await moveUnits(tx, variantId, { deltaOnHand, deltaReserved: -quantity });
    if (after === undefined) {
      short.push({ variant_id: variantId, requested: quantity, on_hand: level?.onHand ?? 0 });
    } else {
      const before = {
        ...after,
        onHand: after.onHand - deltaOnHand,
        reserved: after.reserved + quantity,
      };
      await recordMovement(tx, after, { before, reason: "fulfillment", orderId });
    }
  }
  if (short.length > 0) {
    throw insufficientStock({
      detail: "There are not enough units on hand for the fulfillment.",
      members: { items: short },
    });
  }
}

/** Reserves the units again that were not shipped after all. If the variant is tracked, they are on hand again. */
export async function unshipStock(
  tx: Tx,
  orderId: Id<"order">,
  demands: readonly StockDemand[],
): Promise<void> {
  for (const { variantId, quantity } of demands.toSorted(byVariant)) {
    const before = await lockLevelRow(tx, variantId);
    const deltaOnHand = before?.tracked === true ? quantity : 0;
    const after = await moveUnits(tx, variantId, { deltaOnHand, deltaReserved: quantity });
    // A variant that was sold keeps its level.
    if (before === undefined || after === undefined) throw new Error(`${variantId} has no level.`);
    await recordMovement(tx, after, { before, reason: "fulfillment_cancelled", orderId });
  }
}

/** Adds the units to what is on hand. Skips untracked and deleted variants. */
export async function restockStock(
  tx: Tx,
  orderId: Id<"order">,
  demands: readonly StockDemand[],
): Promise<void> {
  for (const { variantId, quantity } of demands.toSorted(byVariant)) {
    const before = await lockLevelRow(tx, variantId);
    if (before === undefined || !before.tracked) continue;
    const after = await moveUnits(tx, variantId, { deltaOnHand: quantity, deltaReserved: 0 });
    if (after === undefined) throw new Error(`${variantId} cannot have more on hand.`);
    await recordMovement(tx, after, { before, reason: "return", orderId });
  }
}
