// Workflow: sends a refund again after it failed.

import type { Id } from "#kernel/id.ts";
import { paymentTimerNames } from "#payments/payments/payment.ts";
import type { PaymentsShop } from "#payments/payments/payments-shop.ts";
import type { Tx } from "#platform/database/database.ts";
import { setTimer } from "#platform/scheduler/timers.ts";

import { advanceRefund } from "./advance-refund.ts";
import { lockRefund } from "./lock-refund.ts";
import { type Refund, refundForbidden, triedAt } from "./refund.ts";
import { sendRefund } from "./send-refund.ts";

/**
 * Afterwards the amount is set aside anew and the refund was sent to its gateway as a new try. Refuses with
 * `refund_not_found`, `invalid_transition` unless it failed and was the shop's own, and `refund_exceeds_captured`.
 */
export async function retryRefund(shop: PaymentsShop, id: Id<"refund">): Promise<Refund> {
  await shop.database.write((tx) => reopen(tx, id));
  return sendRefund(shop, id);
}

/** A timer that is due now sends it also after a crash. */
async function reopen(tx: Tx, id: Id<"refund">): Promise<void> {
  const locked = await lockRefund(tx, id);
  const { refund } = locked;
  // Sending it would be a refund that no one asked of the shop.
  if (refund.status !== "failed" || refund.isExternal) throw refundForbidden(refund, "retry");
  await advanceRefund(tx, locked, {
    action: "retry",
    change: {
      gatewayRefundId: null,
      gatewayCode: null,
      askedAt: null,
      missedAt: null,
      isUnknown: false,
      // The gateway knows the try by this instant, so that two tries of one moment differ too.
      retriedAt: Math.max(tx.now, triedAt(refund) + 1),
    },
  });
  await setTimer(tx, { name: paymentTimerNames.refund, subject: id, dueAt: tx.now });
}
