// Story: a refund that failed is to be sent again.

import type { Id } from "#kernel/id.ts";
import { paymentTimerNames } from "#payments/payments/payment.ts";
import type { Tx } from "#platform/database/database.ts";
import { setTimer } from "#platform/scheduler/timers.ts";

import { advanceRefund } from "./advance-refund.ts";
import { lockRefund } from "./lock-refund.ts";
import { type Refund, refundForbidden, tryStartedAt } from "./refund.ts";

/**
 * Afterwards the amount is set aside anew for a new try, and a timer that is due now sends it unless the caller does.
 * Refuses with `refund_not_found`, `invalid_transition` unless it failed and was the shop's own, and
 * `refund_exceeds_captured`.
 */
export async function reopenRefund(tx: Tx, id: Id<"refund">): Promise<Refund> {
  const locked = await lockRefund(tx, id);
  const { refund } = locked;
  // Sending it would be a refund that no one asked of the shop.
  if (refund.status !== "failed" || refund.isExternal) throw refundForbidden(refund, "retry");
  const reopened = await advanceRefund(tx, locked, {
    action: "retry",
    change: {
      gatewayRefundId: null,
      gatewayCode: null,
      askedAt: null,
      missedAt: null,
      isUnknown: false,
      // The gateway knows the try by this instant, so that two tries of one moment differ too.
      retriedAt: Math.max(tx.now, tryStartedAt(refund) + 1),
    },
  });
  await setTimer(tx, { name: paymentTimerNames.refund, subject: id, dueAt: tx.now });
  return reopened.refund;
}
