// Story: an order of which nothing has shipped is cancelled.

import { releaseStock } from "#catalog/inventory/release-stock.ts";
import type { Id } from "#kernel/id.ts";
import { type ExpectedVersion, requireVersion } from "#kernel/version.ts";
import type { Tx } from "#platform/database/database.ts";
import { setTimer } from "#platform/scheduler/timers.ts";

import { advanceOrder } from "./advance-order.ts";
import { orderCancelled } from "./events.ts";
import { lockWholeOrder } from "./lookups.ts";
import type { CancelReason } from "./order-life.ts";
import {
  forbidden,
  type Order,
  orderCancelledTimers,
  unitsByVariant,
  type WholeOrder,
} from "./order.ts";

export interface Cancellation {
  readonly reason: CancelReason;
  readonly note: string | null;
  /** Whether what was paid is refunded. */
  readonly refund: boolean;
}

/**
 * Cancels the order, releases its stock and emits `order.cancelled`. Returns a cancelled order
 * unchanged. Refuses with `order_not_found`, `stale_version`, and with `invalid_transition` once a
 * unit has shipped.
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

/** Gateways are called after this commit: a timer that is due at once survives a crash. */
async function settleLater(tx: Tx, order: Order, { refund }: Cancellation): Promise<void> {
  const needsRefund = refund && order.paidMinor > order.refundedMinor;
  if (order.openAttempts === 0 && !needsRefund) return;
  const name = needsRefund ? orderCancelledTimers.refund : orderCancelledTimers.keep;
  await setTimer(tx, { name, subject: order.id, dueAt: tx.now });
}
