// Story: the merchant gives up an amount that a locked order owes.

import type { Tx } from "#platform/database/database.ts";
import type { Order } from "#sales/orders/order.ts";

import { settleLater } from "./settle-later.ts";
import { settleOrder } from "./settle-order.ts";

/**
 * Writes the amount off, which is at most what is due, and emits `order.updated`. An order that is shipped and
 * has nothing due is completed.
 */
export async function writeOffDue(
  tx: Tx,
  before: Order,
  { amountMinor, note }: { readonly amountMinor: number; readonly note: string | null },
): Promise<Order> {
  const order = await settleOrder(tx, before, {
    change: { writtenOffMinor: before.writtenOffMinor + amountMinor },
    writeOffNote: note,
  });
  await settleLater(tx, order);
  return order;
}
