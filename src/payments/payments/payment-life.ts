// The lives of a payment and of its refunds, and the types of what their rows hold.

import type { Id } from "#kernel/id.ts";
import { type ActionOf, machine, type StateOf } from "#kernel/machine.ts";

/**
 * A row per state. action: [next state, event], null where no event is emitted. `failed`, `cancelled`
 * and `expired` are final for the shop only: the gateway may still report late money.
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

export const nextActionTypes = [
  "redirect",
  "otp",
  "approve_on_phone",
  "dial_ussd",
  "pay_by_hand",
] as const;

/** What the customer must do next. */
export interface NextAction {
  readonly type: (typeof nextActionTypes)[number];
  readonly displayText: string | null;
  readonly url: string | null;
  readonly expiresAt: number | null;
}

/** A row per state. action: [next state, event], null where no event is emitted. */
// prettier-ignore
export const refundLife = machine({
  pending:         { work: ["processing", null], succeed: ["succeeded", "order.refunded"], fail: ["failed", null], stop: ["needs_attention", null] },
  processing:      { succeed: ["succeeded", "order.refunded"], fail: ["failed", null], stop: ["needs_attention", null] },
  needs_attention: { work: ["processing", null], succeed: ["succeeded", "order.refunded"], fail: ["failed", null] },
  succeeded:       {},
  failed:          {},
});
export type RefundStatus = StateOf<typeof refundLife>;
export type RefundAction = ActionOf<typeof refundLife>;
export const refundStates = [
  "pending",
  "processing",
  "succeeded",
  "failed",
  "needs_attention",
] as const satisfies readonly RefundStatus[];

export const refundReasons = [
  "requested_by_customer",
  "duplicate",
  "fraud",
  "goods_returned",
  "order_cancelled",
  "late_payment",
  "other",
] as const;
export type RefundReason = (typeof refundReasons)[number];

/** Units of a line that are refunded, and how many of them return to stock. */
export interface RefundedLine {
  readonly lineItemId: Id<"lineItem">;
  readonly quantity: number;
  readonly amountMinor: number;
  readonly restocked: number;
}
