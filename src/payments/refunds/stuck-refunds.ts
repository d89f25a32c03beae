// Stories: what people decide of refunds that failed or wait for them: sent again, given back another way, or not wanted
// any more.

import type { Id } from "#kernel/id.ts";
import type { PaymentsShop } from "#payments/port/payments-shop.ts";
import { lockRefund } from "#payments/rows/lookups.ts";
import type { GivenBy } from "#payments/rows/payment-life.ts";
import { type Payment, paymentTimerNames } from "#payments/rows/payment.ts";
import {
  APPROVAL_MS,
  mayBeCancelled,
  type Refund,
  refundForbidden,
  tryStartedAt,
} from "#payments/rows/refund.ts";
import { advanceRefund } from "#payments/settling/advance-refund.ts";
import type { Tx } from "#platform/database/database.ts";
import { setTimer } from "#platform/scheduler/timers.ts";

import { lockAllowance, type Refunder, requireWithin } from "./refund-limits.ts";
import { sendRefund } from "./send-refund.ts";

/** Who opens a refund, or opens one again. */
export interface Asker {
  /** The lineage of the caller; null if the shop does it by itself. */
  readonly actorId: string | null;
  /** True if it is above the limit of the caller. */
  readonly needsApproval?: boolean;
}

/**
 * Afterwards the amount is set aside anew for a new try, and a timer that is due now sends it unless the caller does; one
 * that needs an approval waits for it.
 * Refuses with `refund_not_found`, `invalid_transition` unless it failed and was the shop's own, and
 * `refund_exceeds_captured`.
 */
export async function reopenRefund(
  tx: Tx,
  id: Id<"refund">,
  { actorId, needsApproval = false }: Asker,
): Promise<Refund> {
  const locked = await lockRefund(tx, id);
  const { refund } = locked;
  // Sending it would be a refund that no one asked of the shop.
  if (refund.status !== "failed" || refund.isExternal) throw refundForbidden(refund, "retry");
  const reopened = await advanceRefund(tx, locked, {
    action: needsApproval ? "ask" : "retry",
    change: {
      gatewayRefundId: null,
      gatewayCode: null,
      askedAt: null,
      missedAt: null,
      isUnknown: false,
      // The gateway knows the try by this instant, so that two tries of one moment differ too.
      retriedAt: Math.max(tx.now, tryStartedAt(refund) + 1),
      actorId,
      reopenedAt: tx.now,
      approval: needsApproval ? "asked" : null,
    },
  });
  const timer = needsApproval
    ? { name: paymentTimerNames.approval, dueAt: tx.now + APPROVAL_MS }
    : { name: paymentTimerNames.refund, dueAt: tx.now };
  await setTimer(tx, { ...timer, subject: id });
  return reopened.refund;
}

/**
 * Afterwards the refund was sent to its gateway as a new try. Refuses as reopening it does, and with
 * `refund_limit_exceeded`.
 */
export async function retryRefund(
  shop: PaymentsShop,
  id: Id<"refund">,
  caller: Refunder,
): Promise<Refund> {
  await shop.database.write(async (tx) => {
    const allowance = await lockAllowance(tx, caller);
    requireWithin(allowance, await reopenRefund(tx, id, { actorId: caller.lineage }));
  });
  return sendRefund(shop, id);
}

interface Closing {
  readonly note: string | null;
  /** How the money was given back; as it was paid if undefined, and by bank transfer where a gateway took it. */
  readonly method: GivenBy | undefined;
  readonly caller: Refunder;
}

function givenBackBy({ gateway, method }: Payment): GivenBy {
  return gateway === null && method !== "gateway" ? method : "bank_transfer";
}

/**
 * Afterwards the refund, whose money a person gave back, is closed and counts as given back; the amount of a failed
 * one is set aside first. A refund that is closed with this note is returned as it is. Refuses with
 * `refund_not_found`, `invalid_transition` unless it failed or needs attention, `refund_exceeds_captured`, and of one
 * that failed with `refund_limit_exceeded`.
 */
export async function closeRefund(
  tx: Tx,
  id: Id<"refund">,
  { note, method, caller }: Closing,
): Promise<Refund> {
  const allowance = await lockAllowance(tx, caller);
  const locked = await lockRefund(tx, id);
  const { status, closeNote } = locked.refund;
  // Another note is another act: the money may have been given back twice.
  if (status === "closed" && closeNote === note) return locked.refund;
  if (status !== "failed" && status !== "needs_attention") {
    throw refundForbidden(locked.refund, "close");
  }
  // A failed one had given nothing back.
  if (status === "failed") requireWithin(allowance, locked.refund);
  const anew = status === "failed" ? { actorId: caller.lineage, reopenedAt: tx.now } : {};
  const closed = await advanceRefund(tx, locked, {
    action: "close",
    change: {
      closeNote: note,
      closedAt: tx.now,
      givenBy: method ?? givenBackBy(locked.locked.payment),
      ...anew,
    },
  });
  return closed.refund;
}

/**
 * Afterwards the refund, which no gateway has, is cancelled: it counts as nothing, and its amount can be refunded
 * otherwise. A refund that is cancelled with this note is returned as it is. Refuses with `refund_not_found`, and
 * `invalid_transition` unless it failed or waits to be handed back.
 */
export async function cancelRefund(tx: Tx, id: Id<"refund">, note: string | null): Promise<Refund> {
  const locked = await lockRefund(tx, id);
  const { status, closeNote } = locked.refund;
  if (status === "cancelled" && closeNote === note) return locked.refund;
  if (!mayBeCancelled(locked.refund)) throw refundForbidden(locked.refund, "cancel");
  const cancelled = await advanceRefund(tx, locked, {
    action: "cancel",
    change: { closeNote: note, closedAt: tx.now },
  });
  return cancelled.refund;
}
