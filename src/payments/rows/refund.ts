// Refunds: the rules. Invariant: the refunds of a payment that have not failed never
// exceed what was captured.

import { defineFaults, type Meanings } from "#kernel/fault.ts";
import { type Id, isId } from "#kernel/id.ts";
import { allowedActions } from "#kernel/machine.ts";
import { defineRefusal, type Refusal } from "#kernel/refusal.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, WEEK_MS } from "#kernel/time.ts";
import { invalidTransition, type WholeOrder } from "#sales/rows/order.ts";

import { type RefundAction, refundLife, type RefundStatus } from "./payment-life.ts";
import { isConverted, type Payment } from "./payment.ts";
import type { RefundRow } from "./tables.ts";

/** A refund of a payment, in full or in part. Amounts are integer minor units of its currency. */
export type Refund = RefundRow;

/** The refunds that one request opened, and the order afterwards. */
export interface OrderRefund {
  readonly order: WholeOrder;
  readonly refunds: readonly Refund[];
}

/** The states in which the customer has the money back. */
const returnedStates: ReadonlySet<RefundStatus> = new Set(["succeeded", "closed"]);

/** The `gatewayCode` of what a gateway gave back beyond what was left of the payment. */
export const EXCEEDS_CAPTURED = "refund_exceeds_captured";

/** Returns true if the payment never had its amount: a person sees to it, and no sum of the shop has it. */
export function isExcess({
  isExternal,
  gatewayCode,
}: Pick<Refund, "isExternal" | "gatewayCode">): boolean {
  return isExternal && gatewayCode === EXCEEDS_CAPTURED;
}

/** Returns true if the customer has the money of the payment back. */
export function isReturned(refund: Refund): boolean {
  return returnedStates.has(refund.status) && !isExcess(refund);
}

/** Returns true if it came to nothing: it failed or was cancelled. */
export function hasFailed({ status }: Pick<Refund, "status">): boolean {
  return status === "failed" || status === "cancelled";
}

/** Returns true if a person may say that it is not wanted any more: no gateway has it. */
export function mayBeCancelled({ status, attention }: Refund): boolean {
  return status === "failed" || (status === "needs_attention" && attention === "by_hand");
}

/** Returns true if it waits for someone who may refund any amount: its customer is told nothing. */
export function awaitsApproval({ status }: Pick<Refund, "status">): boolean {
  return status === "needs_approval";
}

/** So long an approval is waited for, milliseconds. */
export const APPROVAL_MS = 14 * DAY_MS;

/** Returns true if its amount is set aside on its payment. */
export function isSetAside(refund: Refund): boolean {
  return !hasFailed(refund) && !isExcess(refund);
}

/**
 * Returns true if the refund is sent, or its gateway asked about it. Money that a person has to give back is not.
 * A closed refund is: its gateway may still pay it.
 */
export function isRefundWatched(
  refund: Refund,
  payment: Pick<Payment, "gateway" | "receivedCurrency" | "currency" | "capturedMinor">,
): boolean {
  const { status, attention } = refund;
  if (isExcess(refund)) return false;
  if (status === "pending" || status === "processing") return true;
  const mayStillMove = status === "needs_attention" || status === "closed";
  const isAtGateway = payment.gateway !== null && !isConverted(payment);
  return mayStillMove && isAtGateway && attention !== "paid_twice";
}

/** The part of the sale that these refunds gave back, minor units. */
export function saleRefundedOf(refunds: readonly Refund[]): number {
  return refunds.filter(isReturned).reduce((total, { saleMinor }) => total + saleMinor, 0);
}

/** The sum of these refunds, minor units. */
export function sumOf(refunds: readonly Refund[]): number {
  return refunds.reduce((total, { amountMinor }) => total + amountMinor, 0);
}

/** When the current try began: the refund was opened, approved, or retried after a failure. */
export function tryStartedAt({ createdAt, retriedAt, approval, reopenedAt }: Refund): number {
  const approvedAt = approval === "approved" ? reopenedAt : null;
  return retriedAt ?? approvedAt ?? createdAt;
}

/** The name of the current try at the gateway, which answers a known name as it did before. */
export function tryReferenceOf({ id, retriedAt }: Pick<Refund, "id" | "retriedAt">): string {
  return retriedAt === null ? id : `${id}-${retriedAt}`;
}

/** The refund of which some try has this name; null if it is no name of a try. */
export function refundIdOf(reference: string): Id<"refund"> | null {
  const [id = ""] = reference.split("-");
  return isId("refund", id) ? id : null;
}

/**
 * Returns true if it failed because its gateway refused it or seemed not to have it, not by what the gateway made of
 * it.
 */
export function isDenied(refund: Refund): boolean {
  return hasFailed(refund) && refund.gatewayRefundId === null && refund.askedAt !== null;
}

/** A refund may be asked for again this long after it was, milliseconds. */
const CALL_AGAIN_MS = 15 * MINUTE_MS;
/** Between two lists of a gateway that both lack a refund, milliseconds. */
const BETWEEN_LISTS_MS = 5 * MINUTE_MS;

/**
 * Returns true if the gateway has never had a refund that its complete list lacks now. A list may be late, so an
 * earlier one lacked it too.
 */
function isAbsent({ gatewayRefundId, askedAt, missedAt }: Refund, now: number): boolean {
  if (gatewayRefundId !== null || askedAt === null || missedAt === null) return false;
  return now - askedAt >= CALL_AGAIN_MS && now - missedAt >= BETWEEN_LISTS_MS;
}

/**
 * Returns true if a refund that the gateway's complete list lacks now may be asked for again; one that a person has to
 * see to is not sent any more.
 */
export function mayCallAgain(refund: Refund, now: number): boolean {
  return refund.status === "pending" && isAbsent(refund, now);
}

/** Returns true if the current try began so long ago that a list which lacks the refund is not late. */
export function hasWaited(refund: Refund, now: number): boolean {
  return now - tryStartedAt(refund) >= CALL_AGAIN_MS;
}

/** The `gatewayCode` of a refund beside which money went back at the gateway, without being asked by the shop. */
export const REFUNDED_ELSEWHERE = "refunded_elsewhere";

/**
 * Returns true if a refund that the gateway's complete list lacks now was given back there in its place, as far as
 * anyone can tell: as much was since it was asked for, or so much that it was stopped. A person knows whether it was
 * meant.
 */
export function isReplaced(
  refund: Refund,
  { isPaidBeside, now }: { readonly isPaidBeside: boolean; readonly now: number },
): boolean {
  const { status, gatewayCode, askedAt } = refund;
  const isStopped = status === "needs_attention" && gatewayCode === REFUNDED_ELSEWHERE;
  // No list has to be waited for if the gateway was not asked.
  if (isStopped && askedAt === null) return true;
  return (isStopped || (status === "pending" && isPaidBeside)) && isAbsent(refund, now);
}

/**
 * When to poll next: hourly for three days, then daily until the thirtieth; null after that. Without an answer,
 * every five minutes of the first hour.
 */
export function nextRefundPollAt(refund: Refund, now: number): number | null {
  const age = now - tryStartedAt(refund);
  if (refund.isUnknown && age < HOUR_MS) return now + BETWEEN_LISTS_MS;
  if (age < 3 * DAY_MS) return now + HOUR_MS;
  return age < 30 * DAY_MS ? now + DAY_MS : null;
}

/** A refund that succeeded is polled weekly, this many times: banks send money back within a month or so. */
const WATCHED_WEEKS = 5;

/** Returns true if a refund that succeeded may still fail, where its gateway's refunds do. */
export function mayFailLate({ status, succeededAt }: Refund, now: number): boolean {
  return (
    status === "succeeded" && succeededAt !== null && now - succeededAt <= WATCHED_WEEKS * WEEK_MS
  );
}

/** When to poll next a refund that succeeded and may fail late; null after the thirty-fifth day. */
export function nextWatchAt({ status, succeededAt }: Refund, now: number): number | null {
  if (status !== "succeeded" || succeededAt === null) return null;
  const weeks = Math.max(0, Math.floor((now - succeededAt) / WEEK_MS)) + 1;
  return weeks <= WATCHED_WEEKS ? succeededAt + weeks * WEEK_MS : null;
}

export const refundNotFound = defineRefusal(
  "refund_not_found",
  "not_found",
  "There is no such refund.",
);
export const refundExceedsCaptured = defineRefusal("refund_exceeds_captured", "conflict", {
  title: "The amount exceeds what can still be refunded.",
  cause: "The refund is greater than what is left of the captured amount.",
  remedy: "Refund at most `refundable_minor`.",
  example: {
    detail: "Only 12.50 USD can be refunded.",
    members: { refundable_minor: 1_250, currency: "USD" },
  },
});

/** The actions of people; the others are what a gateway reports. */
const actionsOfPeople: ReadonlySet<string> = new Set<RefundAction>([
  "retry",
  "close",
  "cancel",
  "approve",
  "decline",
]);

/** The refusal of an action that the refund's state does not allow. */
export function refundForbidden(refund: Refund, action: RefundAction): Refusal {
  const { status } = refund;
  const allowed = allowedActions(refundLife, status).filter(
    (one) => actionsOfPeople.has(one) && (one !== "cancel" || mayBeCancelled(refund)),
  );
  return invalidTransition({
    detail: `The refund is ${status}.`,
    members: { from: status, action, allowed },
  });
}

const refundFaults = defineFaults({
  amount_not_whole: "A payment in review can only be refunded in full.",
  more_than_left: "The quantity is greater than what can still be refunded of the line item.",
  more_than_shipping:
    "The amount is greater than what was charged for shipping and has not been refunded.",
});
declare module "#kernel/fault.ts" {
  interface FaultCodes extends Meanings<typeof refundFaults> {}
}
