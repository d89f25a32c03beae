// Payments: the rules of incoming money. Invariant: a state that means the money
// arrived is entered only by `settlePayment`, which compares it, or because the merchant says so.

import { type CurrencyCode, isCurrency } from "#kernel/currency.ts";
import { defineFaults, type Meanings } from "#kernel/fault.ts";
import type { Id } from "#kernel/id.ts";
import { allowedActions } from "#kernel/machine.ts";
import type { GatewayMethod } from "#kernel/payment-method.ts";
import {
  defineMembers,
  defineRefusal,
  member,
  type Members,
  type Refusal,
} from "#kernel/refusal.ts";
import { DAY_MS, MINUTE_MS } from "#kernel/time.ts";
import { dueOf, type PaidTotals } from "#sales/rows/balance.ts";
import { forbidden, invalidTransition, type Order } from "#sales/rows/order.ts";

import {
  type FailureCode,
  type PaymentAction,
  paymentLife,
  type PaymentStatus,
} from "./payment-life.ts";
import type { PaymentRow } from "./tables.ts";

/** One attempt to pay. Amounts are integer minor units of its currency. */
export type Payment = PaymentRow;

/** How long a customer may take: a prompt on a phone lapses after minutes, a page stays open. */
const APPROVAL_MS: Readonly<Record<GatewayMethod, number>> = {
  mobile_money: 5 * MINUTE_MS,
  card: 60 * MINUTE_MS,
  gateway: 60 * MINUTE_MS,
};

/** An attempt expires before its order, so that the gateway is polled before stock is released. */
const BEFORE_ORDER_MS = 1_000;

/** When the attempt expires: before its order does, but not before now. */
export function approvalEndsAt(method: GatewayMethod, now: number, orderEndsAt: number | null) {
  const endsAt = now + APPROVAL_MS[method];
  return orderEndsAt === null
    ? endsAt
    : Math.max(now, Math.min(endsAt, orderEndsAt - BEFORE_ORDER_MS));
}

/** Returns true if the customer pays on a page of the gateway: always by `gateway`, and by a card without a token. */
export function isPaidOnPage({
  method,
  cardToken,
}: Pick<Payment, "method" | "cardToken">): boolean {
  return method === "gateway" || (method === "card" && cardToken === null);
}

/** The states that are neither paid nor closed. */
export const openStates: ReadonlySet<PaymentStatus> = new Set([
  "pending",
  "requires_action",
  "processing",
]);
const capturedStates: ReadonlySet<PaymentStatus> = new Set([
  "succeeded",
  "partially_refunded",
  "refunded",
]);

/** Returns true if the attempt is neither paid nor closed. */
export function isOpenAttempt({ status }: Pick<Payment, "status">): boolean {
  return openStates.has(status);
}

/** The amounts that the payment adds to the totals of its order. */
export function contributionOf(payment: Payment): PaidTotals {
  const paidMinor = capturedStates.has(payment.status) ? payment.capturedMinor : 0;
  return {
    paidMinor,
    // Money refunded out of review never counted as paid.
    refundingMinor: Math.min(payment.refundingMinor, paidMinor),
    refundedMinor: Math.min(payment.refundedMinor, paidMinor),
    openAttempts: isOpenAttempt(payment) ? 1 : 0,
    paymentsInReview: payment.status === "review" ? 1 : 0,
  };
}

/** The amount that can still be refunded, minor units; in review, all that arrived. */
export function refundableMinor(payment: Payment): number {
  if (payment.status === "review") return (payment.receivedMinor ?? 0) - payment.refundingMinor;
  return capturedStates.has(payment.status) ? payment.capturedMinor - payment.refundingMinor : 0;
}

/** Returns true if the money arrived in another currency than the payment's. */
export function isInOtherCurrency({
  receivedCurrency,
  currency,
}: Pick<Payment, "receivedCurrency" | "currency">): boolean {
  return receivedCurrency !== null && receivedCurrency !== currency;
}

/**
 * Returns true if the merchant accepted money of another currency for an amount of the payment's. What of it goes back
 * counts in the payment's currency, in which its gateway has no money: a person gives it back.
 */
export function isConverted(
  payment: Pick<Payment, "receivedCurrency" | "currency" | "capturedMinor">,
): boolean {
  return isInOtherCurrency(payment) && payment.capturedMinor > 0;
}

/** The currency of a payment's refunds: money in review is refunded in the currency it arrived in. */
export function refundCurrencyOf({ status, receivedCurrency, currency }: Payment): CurrencyCode {
  const received = status === "review" ? receivedCurrency : null;
  return received !== null && isCurrency(received) ? received : currency;
}

/** The `gatewayCode` of an attempt that failed because the gateway did not know it. */
export const NOT_FOUND = "not_found";

/** Returns true if money may still arrive, so that the gateway is polled. */
export function isWatched(payment: Payment): boolean {
  if (payment.gateway === null) return false;
  const { status } = payment;
  return (
    isOpenAttempt(payment) ||
    status === "cancelled" ||
    status === "expired" ||
    (status === "failed" && mayStillPay(payment))
  );
}

/** Failures after which money may come: the gateway gave up on a prompt, or lost the attempt. */
const openFailures: ReadonlySet<FailureCode> = new Set([
  "timeout",
  "provider_unavailable",
  "other",
]);

/** Returns true if a failed attempt may still be paid: on a page the customer may try the next card. */
function mayStillPay(payment: Payment): boolean {
  const { failureCode } = payment;
  return isPaidOnPage(payment) || (failureCode !== null && openFailures.has(failureCode));
}

/** When to poll, milliseconds after the start; the third is past the 180 s that a prompt lasts. */
const POLLS_MS: readonly number[] = [
  15_000,
  60_000,
  190_000,
  ...[5, 15, 60, 180, 360, 720, 1_440, 2_880, 4_320].map((minutes) => minutes * MINUTE_MS),
];

/** When to poll after that while the gateway works: the customer's bank may need days. */
const WORKING_POLLS_MS = [4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14].map((days) => days * DAY_MS);

/** An attempt that the gateway does not know fails after this long and this many polls. */
const NOT_FOUND_MS = 10 * MINUTE_MS;
const NOT_FOUND_POLLS = 3;

/** How long a failed attempt is polled, milliseconds after it was made. */
const FAILED_POLLS_MS = DAY_MS;

/** `isWorking`: the gateway said so, also of an attempt that is closed. */
type Polled = Pick<Payment, "createdAt" | "notFoundLooks" | "status" | "gatewayCode"> & {
  readonly isWorking?: boolean;
};

/**
 * When to poll next; null after the last poll of the plan. An attempt not found has one more; one that failed
 * otherwise is polled for a day, and one on which the gateway works daily to day 14.
 */
export function nextPollAt(payment: Polled, now: number): number | null {
  const { createdAt, notFoundLooks, status, gatewayCode, isWorking = false } = payment;
  const lost = notFoundLooks > 0 ? [NOT_FOUND_MS] : [];
  const late = isWorking || status === "processing" ? WORKING_POLLS_MS : [];
  const plan = [...POLLS_MS, ...lost, ...late].toSorted((a, b) => a - b);
  const offset = plan.find((one) => createdAt + one > now);
  const isGivenUp = status === "failed" && gatewayCode !== NOT_FOUND;
  if (offset === undefined || (isGivenUp && offset > FAILED_POLLS_MS)) return null;
  return createdAt + offset;
}

/** When a notice has the payment polled: now, but not sooner after the last poll than a reader may. */
export function noticedPollAt(
  { lookedAt, createdAt }: Pick<Payment, "lookedAt" | "createdAt">,
  now: number,
): number {
  return lookedAt < createdAt ? now : Math.max(now, lookedAt + POLL_PAUSE_MS);
}

/** The names of timers; their subject is the id of a payment, a refund or an order. */
export const paymentTimerNames = {
  poll: "look_at_payment",
  expire: "expire_payment",
  refund: "send_refund",
  watch: "watch_refund",
  approval: "lapse_refund",
} as const;

/** A GET on an open payment polls at most this often, milliseconds. */
export const POLL_PAUSE_MS = 10_000;
/** The return of a customer polls at most this often, milliseconds: a page that is reloaded asks once. */
export const RETURN_PAUSE_MS = 2_000;
/** An attempt without an answer does not expire before `isLost` could be true of it. */
const UNANSWERED_MS = 15 * MINUTE_MS;

/** When an attempt whose time is over expires: now, or later while its outcome is unknown. */
export function endOf(payment: Payment, now: number): number {
  return payment.status === "pending" ? Math.max(now, waitsSince(payment) + UNANSWERED_MS) : now;
}

/** Returns true if an attempt that the gateway does not know never reached it. */
export function isLost(payment: Payment, now: number): boolean {
  const isOver = now - waitsSince(payment) >= NOT_FOUND_MS;
  return payment.notFoundLooks >= NOT_FOUND_POLLS && isOver;
}

/** Since when an answer of the gateway is awaited. */
function waitsSince({ askedAt, createdAt }: Pick<Payment, "askedAt" | "createdAt">): number {
  return askedAt ?? createdAt;
}

/** The reference at the gateway of the n-th attempt; some gateways accept no underscore. */
export function gatewayReferenceOf(id: Id<"payment">, attemptNumber: number): string {
  return `${id.replace("_", "-")}-${attemptNumber}`;
}

export const paymentNotFound = defineRefusal(
  "payment_not_found",
  "not_found",
  "There is no such payment.",
);
export const gatewayNotConfigured = defineRefusal("gateway_not_configured", "conflict", {
  title: "No gateway is configured for this payment method.",
  cause: "The shop has no gateway for the payment method.",
  remedy: "Choose another method, or configure a gateway. Retrying does not help.",
  example: { members: { method: "card" } },
});
export const gatewayUnavailable = defineRefusal("gateway_unavailable", "unavailable", {
  title:
    "The gateway could not be reached. Retry with the same idempotency key to continue this payment.",
  cause: "The payment is saved, but its gateway could not be reached.",
  remedy:
    "Retry after the number of seconds in `Retry-After` with the same `Idempotency-Key`: the same payment continues.",
  example: { headers: { "Retry-After": "5" } },
});
export const referenceTaken = defineRefusal("reference_taken", "conflict", {
  title: "Another payment already has this reference.",
  cause: "References are unique in a shop, and another payment (`payment_id`) has this one.",
  remedy: "Use a new reference for each payment, or omit it.",
});
export const attemptOpen = defineRefusal("attempt_open", "conflict", {
  title: "An attempt to pay another amount is open.",
  cause:
    "The order has an open attempt (`reference`) of the same method and payer for another amount, which the customer may still pay.",
  remedy: "Let it end, or cancel it, before a payment of another amount is initialized.",
});
export const paymentInReview = defineRefusal("payment_in_review", "conflict", {
  title: "A payment of this order is in review.",
  cause: "Money arrived that did not match, and the merchant has not accepted or refunded it yet.",
  remedy: "Wait for the merchant. A key with `payments:write` may initialize another payment.",
});
export const orderPaidAlready = defineRefusal("order_paid", "conflict", {
  title: "The order has no amount due.",
  cause: "The order is fully paid, or its total is zero.",
  remedy: "Retrieve the order instead of paying it again.",
});
export const amountMismatch = defineRefusal("amount_mismatch", "conflict", {
  title: "The amount or the currency differs from the payment's.",
  cause:
    "The confirmed currency is not that of the payment, or the payment was confirmed before with another amount.",
  remedy: "Initialize another payment for further money, and confirm that one.",
});
export const confirmationDiffers = defineRefusal("confirmation_differs", "conflict", {
  title: "The payment was confirmed before, and otherwise.",
  cause:
    "Another confirmation told another account, day, reference or note of this money, and stands. A repeat changes nothing.",
  remedy: "Retrieve the payment. Record further money with `POST /v2/orders/{id}/payments`.",
});
export const transactionSeen = defineRefusal("transaction_seen", "conflict", {
  title: "Money with this transaction reference was recorded before.",
  cause:
    "Another payment of the method (`payment_id`) has the transaction reference, apart from blanks, dashes and small letters, so the same money may be recorded twice.",
  remedy:
    "Look at that payment. If the transfer pays this order as well, send the request again with `seen` true.",
  example: { members: { payment_id: "pay_01ARZ3NDEKTSV4RRFFQ69G5FAV", order_number: 1042 } },
});

/** The actions of callers in the life; the others are what a gateway reports. */
const actionsOfCallers: ReadonlySet<string> = new Set<PaymentAction>([
  "cancel",
  "accept",
  "refund",
  "correct",
]);

/** The refusal of an action that the payment's state or its gateway does not allow. */
export function paymentForbidden(payment: Payment, action: string): Refusal {
  const { gateway, status } = payment;
  const isConfirmedElsewhere = action === "confirm" && gateway !== null;
  return invalidTransition({
    detail: isConfirmedElsewhere
      ? "The gateway alone confirms this payment. For money that came another way, initialize a payment in a method by hand, and confirm that one."
      : `The payment is ${status}.`,
    members: { from: status, action, allowed: allowedOf(payment) },
  });
}

/** Only money by hand is confirmed and corrected by callers. */
function allowedOf({ gateway, status, receivedMinor }: Payment): string[] {
  const inLife = allowedActions(paymentLife, status).filter((one) => actionsOfCallers.has(one));
  if (gateway !== null) return inLife.filter((one) => one !== "correct");
  return receivedMinor === null ? ["confirm", ...inLife] : inLife;
}

const paymentFaults = defineFaults({
  amount_below_due: "The amount is a part of what is due that only the merchant can ask for.",
  amount_known: "The money arrived in the currency of the payment and counts as it came.",
  deposit_paid: "The deposit of the order is paid already.",
  less_than_refunded: "The amount is less than the refunds of the payment.",
  return_host_not_allowed: "Customers may not be sent to this host after a payment.",
  test_token_in_live_mode: "The token is that of a test card, which pays nothing in live mode.",
});
declare module "#kernel/fault.ts" {
  interface FaultCodes extends Meanings<typeof paymentFaults> {}
}

const paymentMembers = defineMembers({
  order_number: member.unitsOrNull("The number of its order; null for a payment link."),
  payment_id: member.text("The payment that has the reference."),
  reference: member.text("The payment that the same request continues."),
});
declare module "#kernel/refusal.ts" {
  interface ProblemMembers extends Members<typeof paymentMembers> {}
}

/** Returns true if the order takes money. */
export function isPayable(order: Order): boolean {
  return order.status !== "cancelled" && dueOf(order) > 0;
}

/** Refuses with `invalid_transition` an order that is cancelled, and with `order_paid` one that owes nothing. */
export function requirePayable(order: Order): void {
  if (order.status === "cancelled") throw forbidden(order, "pay");
  if (dueOf(order) === 0) throw orderPaidAlready({ members: { order_id: order.id } });
}
