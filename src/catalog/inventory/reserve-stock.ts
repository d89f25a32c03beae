// Story: reserve the units of an order. The statement checks availability as it writes, so of two orders for
// the last unit one is refused.

import { recordMovement } from "#catalog/ledger/record-movement.ts";
import type { Id } from "#kernel/id.ts";
import { type Tx, WriteConflict } from "#platform/database/database.ts";

import { availableOf, byVariant, canReserve, insufficientStock } from "./inventory.ts";
import { lockLevelRow, reserveUnits } from "./queries.ts";

/** Units of one variant, summed over the lines of an order: each variant appears once. */
export interface StockDemand {
  readonly variantId: Id<"variant">;
  readonly quantity: number;
}

/** A variant without enough stock, as the refusal lists it. */
interface Shortage {
  readonly variant_id: string;
  readonly requested: number;
  readonly available: number;
}

/** Reserves all units. Refuses with `insufficient_stock` and every variant that has too few. */
export async function reserveStock(
  tx: Tx,
  orderId: Id<"order">,
  demands: readonly StockDemand[],
): Promise<void> {
  const sorted = demands.toSorted(byVariant);
  // Sent together: other orders for these rows wait for one round trip to the database instead of one per row.
  const levels = await Promise.all(
    sorted.map(({ variantId, quantity }) => reserveUnits(tx, variantId, quantity)),
  );
  const short: Shortage[] = [];
  for (const [index, demand] of sorted.entries()) {
    const after = levels[index];
    if (after === undefined) {
      short.push(await shortage(tx, demand));
    } else {
      const before = { ...after, reserved: after.reserved - demand.quantity };
      await recordMovement(tx, after, { before, reason: "reservation", orderId });
    }
  }
  if (short.length > 0) throw insufficientStock({ members: { items: short } });
}

/** Explains a failed reservation. Throws `WriteConflict` if the level changed since: the story then retries. */
async function shortage(tx: Tx, { variantId, quantity }: StockDemand): Promise<Shortage> {
  const level = await lockLevelRow(tx, variantId);
  if (level === undefined || canReserve(level, quantity)) throw new WriteConflict("The stock");
  return { variant_id: variantId, requested: quantity, available: availableOf(level) ?? 0 };
}
