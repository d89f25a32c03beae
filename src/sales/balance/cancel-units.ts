// Story: open units of a locked order are cancelled and their stock is released.

import type { Tx } from "#platform/database/database.ts";
import { giveBackDiscounts } from "#pricing/discount-uses/give-back-discounts.ts";
import { orderCancelled, orderFulfilled, orderUpdated } from "#sales/orders/events.ts";
import type { CancelReason } from "#sales/orders/order-life.ts";
import type { Order, WholeOrder } from "#sales/orders/order.ts";

import { creditUnits, type MoneyTerms } from "./credit-units.ts";
import type { LineUnits } from "./line-units.ts";
import { settleLater } from "./settle-later.ts";
import { settleOrder } from "./settle-order.ts";

export interface CancelledUnits extends MoneyTerms {
  readonly units: readonly LineUnits[];
  readonly reason: CancelReason;
  readonly note: string | null;
}

/**
 * Emits `order.cancelled` if nothing has shipped and nothing is left, else `order.updated`, and
 * `order.fulfilled` with the last open unit. Refuses with `validation_failed` more money than was paid.
 */
export async function cancelUnits(
  tx: Tx,
  before: WholeOrder,
  { units, reason, note, ...money }: CancelledUnits,
): Promise<WholeOrder> {
  const { lines, change } = await creditUnits(tx, before, {
    cancelled: units,
    returned: [],
    ...money,
  });
  const isCancelled = lines.every((line) => line.cancelledQuantity === line.quantity);
  const isFulfilled = change.fulfillmentStatus === "fulfilled";
  const order = await settleOrder(tx, before.order, {
    change: {
      ...change,
      ...(isCancelled && {
        cancelReason: reason,
        cancelNote: note,
        cancelledAt: tx.now,
        expiresAt: null,
      }),
      ...(isFulfilled && { fulfilledAt: tx.now }),
    },
    lines,
    isCancelled,
    announce: (after) =>
      isCancelled
        ? [orderCancelled(after, money.refund !== false || after.refundingMinor > 0)]
        : partly(after, { before, units }),
  });
  // Money that is kept for a cancelled order counts as a purchase, and so does its use of discounts.
  if (isCancelled && order.keptMinor === 0 && order.breakdown !== null) {
    await giveBackDiscounts(tx, order.id);
  }
  await settleLater(tx, order);
  return { ...before, order, lines };
}

/** The events of a part that is cancelled; what was shipped last completes the fulfillment with its last unit. */
function partly(
  order: Order,
  { before, units }: { readonly before: WholeOrder; readonly units: readonly LineUnits[] },
) {
  const cancelled = units.map(({ line, quantity }) => ({ lineItemId: line.id, quantity }));
  const last = before.fulfillments.at(-1);
  return [
    orderUpdated(order, { changed: ["line_items"], cancelled }),
    ...(order.fulfilledAt !== null && last !== undefined ? [orderFulfilled(order, last)] : []),
  ];
}
