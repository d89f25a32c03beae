// Disputes: a customer asks their bank for the money of a payment back. Rules. Invariant: money that a dispute may
// take is not refunded as well.

import { defineRefusal } from "#kernel/refusal.ts";
import { DAY_MS, MINUTE_MS } from "#kernel/time.ts";

import type { DisputeStatus } from "./dispute-life.ts";
import type { Payment } from "./payment.ts";
import type { DisputeRow } from "./tables.ts";

export type Dispute = DisputeRow;

/** Returns true if its money may not be refunded: the gateway has taken it, or may take it. */
export function holdsMoney({ status, money }: Pick<Dispute, "status" | "money">): boolean {
  return status === "open" || status === "lost" || money === "withdrawn";
}

/** The states in which the merchant may still answer. */
export const undecided = ["warning", "open"] as const satisfies readonly DisputeStatus[];
const isUndecided: ReadonlySet<string> = new Set(undecided);

/** Disputes take weeks, and what became of one may be announced by a notice that was lost. */
const POLL_PAUSE_MS = DAY_MS;
const POLLED_MS = 180 * DAY_MS;
const UNANSWERED_PAUSE_MS = 5 * MINUTE_MS;

/** Returns true if nothing more is to be heard of it: it is decided, and money that was won is back. */
export function isOver({ status, money }: Pick<Dispute, "status" | "money">): boolean {
  return !isUndecided.has(status) && !(status === "won" && money === "withdrawn");
}

/** When to poll again the disputes that are not over; null after half a year. */
export function nextDisputePollAt(disputes: readonly Dispute[], now: number): number | null {
  const isPolled = disputes.some((one) => !isOver(one) && now - one.createdAt < POLLED_MS);
  return isPolled ? now + POLL_PAUSE_MS : null;
}

/** The same after no answer: soon for a day after the last notice, whose dispute may not be known yet, then daily. */
export function unansweredPollAt(
  disputes: readonly Dispute[],
  { noticedAt }: Pick<Payment, "noticedAt">,
  now: number,
): number | null {
  const sinceMs = noticedAt === null ? POLLED_MS : now - noticedAt;
  if (sinceMs < DAY_MS) return now + UNANSWERED_PAUSE_MS;
  return sinceMs < POLLED_MS ? now + POLL_PAUSE_MS : nextDisputePollAt(disputes, now);
}

export const disputeTimer = "poll_disputes";

export const disputeNotFound = defineRefusal(
  "dispute_not_found",
  "not_found",
  "There is no such dispute.",
);
export const paymentDisputed = defineRefusal("payment_disputed", "conflict", {
  title: "The payment is disputed.",
  cause:
    "The customer's bank has taken the money of the payment, or may take it. A refund would pay it twice.",
  remedy:
    "Answer the dispute at the gateway. After it was won, or closed, the money can be refunded.",
  example: { detail: "The payment has a dispute that is open." },
});
