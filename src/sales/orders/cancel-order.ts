// Story: an order of which nothing left the house will not be fulfilled.

import { releaseStock } from "#catalog/inventory/release-stock.ts";
import type { Id } from "#kernel/id.ts";
import { type ExpectedVersion, requireVersion } from "#kernel/version.ts";
import type { Tx } from "#platform/database/database.ts";
import { setTimer } from "#platform/scheduler/timers.ts";

import { advanceOrder } from "./advance-order.ts";
import { orderCancelled } from "./events.ts";
import { lockWholeOrder } from "./lookups.ts";
import {
  type CancelReason,
  forbidden,
  type Order,
  orderCancelledTimers,
  unitsByVariant,
  type WholeOrder,
} from "./order.ts";

export interface Cancellation {
  readonly reason: CancelReason;
  readonly note: string | null;
  /** Whether what was paid goes back to the customer. */
  readonly refund: boolean;
}

/**
 * Afterwards the order is cancelled, its stock can be sold again, and `order.cancelled` is
 * announced. A cancelled order is answered as it is. Refuses with `invalid_transition` where
 * anything was fulfilled, and with `stale_version`.
 */
export async function cancelOrder(
  tx: Tx,
  id: Id<"order">,
  {
    cancellation,
    expected,
  }: { readonly cancellation: Cancellation; readonly expected: ExpectedVersion },
): Promise<WholeOrder> {
  const before = await lockWholeOrder(tx, id);
  if (before.order.status === "cancelled") return before;
  requireVersion(before.order.version, expected);
  if (before.order.status !== "open" || before.order.fulfillmentStatus !== "unfulfilled") {
    throw forbidden(before.order, "cancel");
  }
  await releaseStock(tx, id, unitsByVariant(before.lines));
  const order = await advanceOrder(tx, before.order, {
    action: "cancel",
    change: {
      cancelReason: cancellation.reason,
      cancelNote: cancellation.note,
      cancelledAt: tx.now,
      expiresAt: null,
    },
    announce: (cancelled) => orderCancelled(cancelled, cancellation.refund),
  });
  await settleLater(tx, order, cancellation);
  return { ...before, order };
}

/** What is with a gateway cannot be part of this commit: it follows at once, and surely. */
async function settleLater(tx: Tx, order: Order, { refund }: Cancellation): Promise<void> {
  const isToRefund = refund && order.paidMinor > order.refundedMinor;
  if (order.openAttempts === 0 && !isToRefund) return;
  const name = isToRefund ? orderCancelledTimers.refund : orderCancelledTimers.keep;
  await setTimer(tx, { name, subject: order.id, dueAt: tx.now });
}
