// Payments: types, the life, and the rules of money that comes in. Invariant: a state that says the
// money is here is entered only through `settlePayment`, which compared it, or by a person's word.

import type { CurrencyCode } from "#kernel/currency.ts";
import type { Id } from "#kernel/id.ts";
import { type ActionOf, allowedActions, machine, type StateOf } from "#kernel/machine.ts";
import type { Metadata } from "#kernel/metadata.ts";
import type { PaymentMethod } from "#kernel/payment-method.ts";
import { defineRefusal, type Refusal } from "#kernel/refusal.ts";
import { invalidTransition } from "#sales/orders/order.ts";

/**
 * A row per state. action: [next state, event], null where the world is not told. `failed`,
 * `cancelled` and `expired` are closed in our books only: money can be late.
 */
// prettier-ignore
export const paymentLife = machine({
  pending:            { ask: ["requires_action", null], work: ["processing", null], succeed: ["succeeded", "payment.succeeded"], fail: ["failed", "payment.failed"], cancel: ["cancelled", null], expire: ["expired", "payment.failed"], doubt: ["review", "payment.review"] },
  requires_action:    { ask: ["requires_action", null], work: ["processing", null], succeed: ["succeeded", "payment.succeeded"], fail: ["failed", "payment.failed"], cancel: ["cancelled", null], expire: ["expired", "payment.failed"], doubt: ["review", "payment.review"] },
  processing:         { ask: ["requires_action", null], succeed: ["succeeded", "payment.succeeded"], fail: ["failed", "payment.failed"], expire: ["expired", "payment.failed"], doubt: ["review", "payment.review"] },
  succeeded:          { refund_part: ["partially_refunded", null], refund: ["refunded", null] },
  partially_refunded: { refund_part: ["partially_refunded", null], refund: ["refunded", null] },
  refunded:           {},
  failed:             { succeed: ["succeeded", "payment.succeeded"], doubt: ["review", "payment.review"] },
  cancelled:          { succeed: ["succeeded", "payment.succeeded"], doubt: ["review", "payment.review"] },
  expired:            { succeed: ["succeeded", "payment.succeeded"], doubt: ["review", "payment.review"] },
  review:             { accept: ["succeeded", "payment.succeeded"], refund: ["refunded", null], fail: ["failed", "payment.failed"] },
});
export type PaymentStatus = StateOf<typeof paymentLife>;
export type PaymentAction = ActionOf<typeof paymentLife>;
export const paymentStates = [
  "pending",
  "requires_action",
  "processing",
  "succeeded",
  "partially_refunded",
  "refunded",
  "failed",
  "cancelled",
  "expired",
  "review",
] as const satisfies readonly PaymentStatus[];

/** Methods that a gateway moves the money for; the others are confirmed by a person. */
export const gatewayMethods = ["mobile_money", "card", "gateway"] as const;
export type GatewayMethod = (typeof gatewayMethods)[number] & PaymentMethod;

export const providers = [
  "mtn",
  "vodafone",
  "telecel",
  "airteltigo",
  "airtel",
  "mpesa",
  "orange",
  "wave",
] as const;
export type Provider = (typeof providers)[number];

export const failureCodes = [
  "insufficient_funds",
  "declined",
  "wrong_pin",
  "payer_not_found",
  "payer_limit",
  "not_approved",
  "timeout",
  "provider_unavailable",
  "fraud_suspected",
  "invalid_number",
  "expired_card",
  "other",
] as const;
export type FailureCode = (typeof failureCodes)[number];

export const nextActionTypes = ["redirect", "otp", "approve_on_phone", "dial_ussd"] as const;

/** What the payer must do now. */
export interface NextAction {
  readonly type: (typeof nextActionTypes)[number];
  readonly displayText: string | null;
  readonly url: string | null;
  readonly expiresAt: number | null;
}

/** One attempt to be paid. Amounts are integer minor units of its currency. */
export interface Payment {
  readonly id: Id<"payment">;
  /** The caller's own name for it, else its id. */
  readonly reference: string;
  readonly status: PaymentStatus;
  /** Null for a payment link. */
  readonly orderId: Id<"order"> | null;
  readonly customerId: Id<"customer"> | null;
  readonly method: PaymentMethod;
  /** Null for a method that a person confirms. */
  readonly gateway: string | null;
  readonly gatewayReference: string | null;
  readonly attemptNumber: number;
  readonly gatewayId: string | null;
  readonly amountMinor: number;
  readonly currency: CurrencyCode;
  /** What came, as the gateway said it; null before anything did. */
  readonly receivedMinor: number | null;
  readonly receivedCurrency: string | null;
  /** What counts as paid: never money in review, nor money of another currency. */
  readonly capturedMinor: number;
  /** Refunds that did not fail. */
  readonly refundingMinor: number;
  /** Refunds that succeeded. */
  readonly refundedMinor: number;
  readonly phone: string | null;
  readonly provider: Provider | null;
  readonly cardToken: string | null;
  readonly email: string | null;
  readonly returnUrl: string | null;
  readonly nextAction: NextAction | null;
  readonly failureCode: FailureCode | null;
  readonly gatewayCode: string | null;
  /** Whether the gateway's last answer never came or could not be read. */
  readonly isUnknown: boolean;
  readonly notFoundLooks: number;
  readonly lookedAt: number;
  readonly metadata: Metadata;
  /** Finds the attempt again when its first request never was answered. */
  readonly idempotencyKey: string | null;
  readonly fingerprint: string | null;
  readonly expiresAt: number | null;
  readonly succeededAt: number | null;
  readonly failedAt: number | null;
  readonly version: number;
  readonly createdAt: number;
  readonly updatedAt: number;
}

const MINUTE_MS = 60_000;
/** How long a payer may take: a push to a phone is gone after minutes, a page waits an hour. */
const APPROVAL_MS: Readonly<Record<GatewayMethod, number>> = {
  mobile_money: 5 * MINUTE_MS,
  card: 60 * MINUTE_MS,
  gateway: 60 * MINUTE_MS,
};

/** An attempt ends before its order does, so that the gateway is asked before stock is given back. */
const BEFORE_ORDER_MS = 1_000;

/** When the attempt ends unpaid, not beyond the order's own end. */
export function approvalEndsAt(method: GatewayMethod, now: number, orderEndsAt: number | null) {
  const endsAt = now + APPROVAL_MS[method];
  return orderEndsAt === null
    ? endsAt
    : Math.max(now, Math.min(endsAt, orderEndsAt - BEFORE_ORDER_MS));
}

/** Whether a gateway moves the money. */
export function isGatewayMethod(method: PaymentMethod): method is GatewayMethod {
  return gatewayMethods.some((one) => one === method);
}

/** Neither paid nor closed. */
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

/** Whether the attempt is neither paid nor closed. */
export function isOpen({ status }: Pick<Payment, "status">): boolean {
  return openStates.has(status);
}

/** What the payment adds to its order: an open attempt, captured money, money given back. */
export function contributionOf(payment: Payment) {
  const counts = capturedStates.has(payment.status);
  return {
    openAttempts: isOpen(payment) ? 1 : 0,
    capturedMinor: counts ? payment.capturedMinor : 0,
    // Money that went back out of review never counted as paid.
    refundedMinor: counts ? Math.min(payment.refundedMinor, payment.capturedMinor) : 0,
  };
}

/** What can still be given back; of money in review all that came. */
export function refundableMinor(payment: Payment): number {
  if (payment.status === "review") return (payment.receivedMinor ?? 0) - payment.refundingMinor;
  return capturedStates.has(payment.status) ? payment.capturedMinor - payment.refundingMinor : 0;
}

/** The gateway's words for "no such attempt" as we note them on a failed one. */
export const NOT_FOUND = "not_found";

/** Whether money may still come, so that somebody must look. */
export function isWatched(payment: Payment): boolean {
  if (payment.gateway === null) return false;
  const { status } = payment;
  return (
    isOpen(payment) ||
    status === "cancelled" ||
    status === "expired" ||
    (status === "failed" && payment.gatewayCode === NOT_FOUND)
  );
}

/** When to look after an attempt was made, milliseconds; the third is past a push's 180 s. */
const LOOKS_MS: readonly number[] = [
  15_000,
  60_000,
  190_000,
  ...[5, 15, 60, 180, 360, 720, 1_440, 2_880, 4_320].map((minutes) => minutes * MINUTE_MS),
];

/** What nobody found is failed only after this long and this many looks. */
const NOT_FOUND_MS = 10 * MINUTE_MS;
const NOT_FOUND_LOOKS = 3;

/** When to look next; null after the last look of the plan. What was not found has one look more. */
export function nextPollAt(
  { createdAt, notFoundLooks }: Pick<Payment, "createdAt" | "notFoundLooks">,
  now: number,
): number | null {
  const plan = notFoundLooks > 0 ? [...LOOKS_MS, NOT_FOUND_MS].toSorted((a, b) => a - b) : LOOKS_MS;
  const offset = plan.find((one) => createdAt + one > now);
  return offset === undefined ? null : createdAt + offset;
}

/** What happens later, by the names of its timers; the subject is the id of a payment, a refund or an order. */
export const paymentTimerNames = {
  look: "look_at_payment",
  expire: "expire_payment",
  refund: "send_refund",
  paid: "settle_paid_order",
} as const;

/** A GET on an open payment looks at most this often, milliseconds. */
export const LOOK_PAUSE_MS = 10_000;
/** An attempt that nobody answered for is not over before it could have been found lost. */
const UNANSWERED_MS = 15 * MINUTE_MS;

/** When to end an attempt whose time is over: now, or later while it is not known what it is. */
export function endOf({ status, createdAt }: Payment, now: number): number {
  return status === "pending" ? Math.max(now, createdAt + UNANSWERED_MS) : now;
}

/** Whether an attempt that the gateway does not know will not be known any more. */
export function isLost({ createdAt, notFoundLooks }: Payment, now: number): boolean {
  return notFoundLooks >= NOT_FOUND_LOOKS && now - createdAt >= NOT_FOUND_MS;
}

/** The reference a gateway knows the n-th call by; some take no underscore. */
export function gatewayReferenceOf(id: Id<"payment">, attemptNumber: number): string {
  return `${id.replace("_", "-")}-${attemptNumber}`;
}

export const paymentNotFound = defineRefusal(
  "payment_not_found",
  "not_found",
  "There is no such payment.",
);
export const gatewayNotConfigured = defineRefusal(
  "gateway_not_configured",
  "conflict",
  "No gateway is set up for this method. Retrying does not help: set one up.",
);
export const gatewayUnavailable = defineRefusal(
  "gateway_unavailable",
  "unavailable",
  "The gateway could not be reached. The same idempotency key goes on with this payment.",
);
export const referenceTaken = defineRefusal(
  "reference_taken",
  "conflict",
  "Another payment has this reference.",
);
export const orderPaidAlready = defineRefusal(
  "order_paid",
  "conflict",
  "Nothing is due on this order.",
);
export const amountMismatch = defineRefusal(
  "amount_mismatch",
  "conflict",
  "Amount or currency are not those of the payment.",
);

/** The refusal of a move that the payment's state forbids. */
export function paymentForbidden(payment: Payment, action: string): Refusal {
  return invalidTransition({
    detail: `The payment is ${payment.status}.`,
    members: { from: payment.status, action, allowed: allowedActions(paymentLife, payment.status) },
  });
}
