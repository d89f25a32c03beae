// Story: applies a gateway's outcome to a refund. Every path ends here. Invariant: a refund is settled
// once; payment, order and event are written in the same transaction.

import { maskCardNumbers } from "#kernel/card-number.ts";
import type { Id } from "#kernel/id.ts";
import type { FoundRefund, RefundOutcome } from "#payments/gateways/port.ts";
import type { Tx } from "#platform/database/database.ts";

import { advanceRefund, type RefundMove } from "./advance-refund.ts";
import { lockRefund } from "./lock-refund.ts";
import { isRefundWatched, nextRefundPollAt, type Refund, tryReferenceOf } from "./refund.ts";

/**
 * Afterwards an open refund says what the gateway reported; a failed one frees its amount, also if it had
 * succeeded before. One without an outcome after the last poll needs attention, as does one that was closed and
 * then paid by its gateway.
 */
export async function settleRefund(
  tx: Tx,
  id: Id<"refund">,
  outcome: RefundOutcome,
): Promise<Refund> {
  const locked = await lockRefund(tx, id);
  const before = locked.refund;
  const isLateFailure = before.status === "succeeded" && outcome.kind === "failed";
  if (!isRefundWatched(before, locked.locked.payment) && !isLateFailure) return before;
  const move = moveOf(before, { outcome, now: tx.now });
  return (await advanceRefund(tx, locked, move)).refund;
}

interface Answer {
  readonly outcome: RefundOutcome;
  readonly now: number;
}

function moveOf(before: Refund, { outcome, now }: Answer): RefundMove {
  const change = changeOf(before, { outcome, now });
  switch (outcome.kind) {
    case "succeeded":
      return before.status === "closed"
        ? { action: "succeed", change, attention: "paid_twice" }
        : { action: "succeed", change: { ...change, gatewayCode: null, succeededAt: now } };
    case "failed":
      return { action: "fail", change: { ...change, succeededAt: null } };
    case "needs_attention":
      return { action: "stop", change, attention: "gateway" };
    default:
      if (nextRefundPollAt(before, now) === null) {
        // Money that was never sent is still in the shop's hands.
        const attention = outcome.kind === "not_sent" ? "by_hand" : "no_outcome";
        return { action: "stop", change, attention };
      }
      return { action: isWorking(before, outcome) ? "work" : null, change };
  }
}

function isWorking(before: Refund, { kind }: RefundOutcome): boolean {
  return kind === "processing" || (kind === "pending" && before.status !== "pending");
}

function changeOf(before: Refund, { outcome, now }: Answer): Partial<Refund> {
  if (outcome.kind === "not_sent") return { isUnknown: true, askedAt: null };
  if (outcome.kind === "not_found") return { isUnknown: true, missedAt: before.missedAt ?? now };
  if (!("gatewayRefundId" in outcome)) return { isUnknown: true };
  const gatewayRefundId = outcome.gatewayRefundId ?? before.gatewayRefundId;
  const change = { isUnknown: false, missedAt: null, gatewayRefundId };
  if (outcome.kind !== "failed") return change;
  const { gatewayCode } = outcome;
  return { ...change, gatewayCode: gatewayCode === null ? null : maskCardNumbers(gatewayCode) };
}

/** Returns true if the gateway's refund is the current try of the shop's. */
export function isListedAs(
  refund: Pick<Refund, "id" | "retriedAt" | "gatewayRefundId">,
  { gatewayRefundId, reference }: FoundRefund,
): boolean {
  return refund.gatewayRefundId === gatewayRefundId || tryReferenceOf(refund) === reference;
}
