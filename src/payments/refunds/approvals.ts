// Stories: a refund above the limit of who asked for it is approved or declined by someone else, or lapses. Invariant:
// until it is approved no gateway is asked for it, and its amount is set aside.

import type { Id } from "#kernel/id.ts";
import { defineRefusal } from "#kernel/refusal.ts";
import type { PaymentsShop } from "#payments/port/payments-shop.ts";
import { type LockedRefund, lockRefund } from "#payments/rows/lookups.ts";
import { isConverted, paymentTimerNames } from "#payments/rows/payment.ts";
import { awaitsApproval, type Refund, refundForbidden } from "#payments/rows/refund.ts";
import { advanceRefund } from "#payments/settling/advance-refund.ts";
import type { Tx } from "#platform/database/database.ts";
import { clearTimer, setTimer } from "#platform/scheduler/timers.ts";

import type { Refunder } from "./refund-limits.ts";
import { sendRefund } from "./send-refund.ts";

export const ownRefund = defineRefusal("own_refund", "forbidden", {
  title: "The caller asked for the refund, and does not decide on it.",
  cause: "The caller asked for the refund, by this key or one that it replaces, or as this person.",
  remedy: "Let another owner, or a key of its own with `refunds:write`, approve or decline it.",
});

/** The caller who decides. */
type Decider = Pick<Refunder, "lineage">;

/**
 * Afterwards the refund was sent to its gateway; money by hand waits for a person who hands it back. One that was
 * approved before is returned as it is. Refuses with `refund_not_found`, `invalid_transition` and `own_refund`.
 */
export async function approveRefund(
  shop: PaymentsShop,
  id: Id<"refund">,
  decider: Decider,
): Promise<Refund> {
  await shop.database.write((tx) => approve(tx, id, decider));
  return sendRefund(shop, id);
}

/** Afterwards the refund is approved, and counts against the limit of who approved it, as far as they have one. */
export async function approve(
  tx: Tx,
  id: Id<"refund">,
  { lineage: actorId }: Decider,
): Promise<Refund> {
  const asked = await lockRefund(tx, id);
  if (asked.refund.approval === "approved") return asked.refund;
  requireForeign(asked, { action: "approve", actorId });
  const change = { approval: "approved", actorId, reopenedAt: tx.now } as const;
  const approved = await advanceRefund(tx, asked, { action: "approve", change });
  await clearTimer(tx, paymentTimerNames.approval, id);
  const { payment } = approved.locked;
  if (payment.gateway === null || isConverted(payment)) {
    const move = { action: "stop", change: {}, attention: "by_hand" } as const;
    return (await advanceRefund(tx, approved, move)).refund;
  }
  await setTimer(tx, { name: paymentTimerNames.refund, subject: id, dueAt: tx.now });
  return approved.refund;
}

/**
 * Afterwards the refund is cancelled, and its amount can be refunded otherwise. One that was declined with this note is
 * returned as it is. Refuses with `refund_not_found`, `invalid_transition` and `own_refund`.
 */
export async function declineRefund(
  tx: Tx,
  id: Id<"refund">,
  { lineage: actorId, note }: Decider & { readonly note: string | null },
): Promise<Refund> {
  const asked = await lockRefund(tx, id);
  const { approval, closeNote } = asked.refund;
  if (approval === "declined" && closeNote === note) return asked.refund;
  requireForeign(asked, { action: "decline", actorId });
  await clearTimer(tx, paymentTimerNames.approval, id);
  const change = { approval: "declined", closeNote: note, closedAt: tx.now } as const;
  return (await advanceRefund(tx, asked, { action: "decline", change })).refund;
}

function requireForeign(
  { refund }: LockedRefund,
  { action, actorId }: { readonly action: "approve" | "decline"; readonly actorId: string },
): void {
  if (!awaitsApproval(refund)) throw refundForbidden(refund, action);
  if (refund.actorId === actorId) throw ownRefund();
}

/** Afterwards a refund on which no one decided in time is cancelled. */
export async function lapseRefund(tx: Tx, id: Id<"refund">): Promise<void> {
  const asked = await lockRefund(tx, id);
  if (!awaitsApproval(asked.refund)) return;
  const change = { approval: "expired", closedAt: tx.now } as const;
  await advanceRefund(tx, asked, { action: "lapse", change });
}
