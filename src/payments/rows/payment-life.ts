// The lives of a payment and of its refunds, and the types of what their rows hold.

import type { Id } from "#kernel/id.ts";
import { type ActionOf, machine, type StateOf } from "#kernel/machine.ts";
import type { TaxLine } from "#pricing/calculation/sale.ts";
import type { ToldAccount } from "#shop/store/payment-methods.ts";

/**
 * A row per state. action: [next state, event], null where no event is emitted. `failed`, `cancelled`
 * and `expired` are final for the shop only: the gateway may still report late money.
 */
// prettier-ignore
export const paymentLife = machine({
  pending:            { ask: ["requires_action", null], work: ["processing", null], succeed: ["succeeded", "payment.succeeded"], fail: ["failed", "payment.failed"], cancel: ["cancelled", null], expire: ["expired", "payment.failed"], doubt: ["review", "payment.review"] },
  requires_action:    { ask: ["requires_action", null], work: ["processing", null], succeed: ["succeeded", "payment.succeeded"], fail: ["failed", "payment.failed"], cancel: ["cancelled", null], expire: ["expired", "payment.failed"], doubt: ["review", "payment.review"] },
  processing:         { ask: ["requires_action", null], succeed: ["succeeded", "payment.succeeded"], fail: ["failed", "payment.failed"], expire: ["expired", "payment.failed"], doubt: ["review", "payment.review"] },
  succeeded:          { refund_part: ["partially_refunded", null], refund: ["refunded", null], correct: ["succeeded", "payment.corrected"] },
  partially_refunded: { refund_part: ["partially_refunded", null], refund: ["refunded", null], unrefund_part: ["partially_refunded", null], unrefund: ["succeeded", null], correct: ["partially_refunded", "payment.corrected"] },
  refunded:           { unrefund_part: ["partially_refunded", null], unrefund: ["succeeded", null], doubt: ["review", "payment.review"], correct: ["partially_refunded", "payment.corrected"] },
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
  "tigo",
  "halopesa",
  "moov",
  "zamtel",
  "free_money",
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

/** The things for which a gateway has a name; `result` is what it told of a refund. */
export const gatewayNameKinds = [
  "session",
  "intent",
  "charge",
  "transaction",
  "receipt",
  "refund",
  "dispute",
  "result",
] as const;
export type GatewayNameKind = (typeof gatewayNameKinds)[number];

/** The gateway's name of a thing, kept for good. A name is unique at its gateway, whatever its kind. */
export interface GatewayName {
  readonly kind: GatewayNameKind;
  readonly name: string;
}

/** The instrument with which a customer paid, as far as the gateway tells. */
export interface Instrument {
  /** The network of the card or of the phone: `visa`, `mtn`. */
  readonly brand: string | null;
  readonly last4: string | null;
  /** The country in which it was issued: ISO 3166-1 alpha-2. */
  readonly country: string | null;
}

/** The facts that a gateway tells of money that arrived; null where it does not tell, or tells later. */
export interface PaymentFacts {
  /** When it was paid, by the gateway's clock, epoch milliseconds. */
  readonly paidAt: number | null;
  /** How it was paid, in the gateway's word: `card`, `mobile_money`. */
  readonly channel: string | null;
  readonly instrument: Instrument | null;
  /** The gateway's fee, minor units of the outcome's currency; null if it is paid in another one. */
  readonly feeMinor: number | null;
}

export const nextActionTypes = [
  "redirect",
  "otp",
  "approve_on_phone",
  "dial_ussd",
  "pay_to_account",
  "pay_by_hand",
] as const;

/** A value that the customer types in, such as the number of a till. */
export interface ActionDetail {
  readonly label: string;
  readonly value: string;
}

/** The tasks of a payer for which the gateway has no words: they are told in the language of the shop. */
export type PayerTask =
  | { readonly task: "approve" | "enter_code" }
  | { readonly task: "dial"; readonly ussd: string }
  | { readonly task: "pay_to"; readonly account: string; readonly reference: string };

/** A gateway's own words, or what to say in those of the shop. */
export type PayerText = string | PayerTask;

/** The next step of the customer. */
export interface NextAction {
  readonly type: (typeof nextActionTypes)[number];
  readonly displayText: string | null;
  readonly url: string | null;
  readonly expiresAt: number | null;
  /** Absent where there are none. */
  readonly details?: readonly ActionDetail[];
  /** The accounts of the shop to which the money goes; absent where there are none. */
  readonly accounts?: readonly ToldAccount[];
}

/**
 * A row per state. action: [next state, event], null where no event is emitted. `closed` was given back another way; if
 * the gateway pays it nevertheless, the customer was paid twice. `cancelled` is not wanted any more and counts as
 * nothing. A refund may fail days after it succeeded, because the customer's bank sends it back. One that needs an
 * approval is unknown to its gateway. One that the gateway seemed not to have may be in its list later.
 */
// prettier-ignore
export const refundLife = machine({
  pending:         { work: ["processing", null], succeed: ["succeeded", "order.refunded"], fail: ["failed", "refund.failed"], stop: ["needs_attention", "refund.needs_attention"], ask: ["needs_approval", "refund.approval_asked"] },
  needs_approval:  { approve: ["pending", "refund.approved"], decline: ["cancelled", "refund.declined"], lapse: ["cancelled", "refund.cancelled"] },
  processing:      { succeed: ["succeeded", "order.refunded"], fail: ["failed", "refund.failed"], stop: ["needs_attention", "refund.needs_attention"] },
  needs_attention: { work: ["processing", null], succeed: ["succeeded", "order.refunded"], fail: ["failed", "refund.failed"], close: ["closed", "order.refunded"], cancel: ["cancelled", "refund.cancelled"] },
  succeeded:       { fail: ["failed", "refund.failed"] },
  failed:          { work: ["processing", null], retry: ["pending", null], ask: ["needs_approval", "refund.approval_asked"], close: ["closed", "order.refunded"], cancel: ["cancelled", "refund.cancelled"] },
  cancelled:       { work: ["processing", null] },
  closed:          { succeed: ["closed", "refund.needs_attention"] },
});
export type RefundStatus = StateOf<typeof refundLife>;
export type RefundAction = ActionOf<typeof refundLife>;
export const refundStates = [
  "pending",
  "processing",
  "succeeded",
  "failed",
  "needs_attention",
  "closed",
  "cancelled",
  "needs_approval",
] as const satisfies readonly RefundStatus[];

/**
 * The tasks that a refund leaves to a person: hand the money back, answer the gateway, ask it, or get back what was
 * paid too much.
 */
export const refundAttentions = ["by_hand", "gateway", "no_outcome", "paid_twice"] as const;
export type RefundAttention = (typeof refundAttentions)[number];

/** The outcomes of a refund above the limit of its asker; `expired` if no one decided in time. */
export const refundApprovals = ["asked", "approved", "declined", "expired"] as const;
export type RefundApproval = (typeof refundApprovals)[number];

/** The ways on which a person gives money back. */
export const givenByMethods = ["cash", "mobile_money", "card", "bank_transfer"] as const;
/** The way of a closed refund; cash on delivery where the payment was, and no one said otherwise. */
export type GivenBy = (typeof givenByMethods)[number] | "cash_on_delivery";

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

/** The part of a refund that is one tax of the sale, minor units. */
export interface RefundedTax extends Pick<TaxLine, "rate" | "taxClass" | "isIncluded"> {
  readonly taxableMinor: number;
  readonly amountMinor: number;
}

/** Units of a line that are refunded, and how many of them return to stock. */
export interface RefundedLine {
  readonly lineItemId: Id<"lineItem">;
  readonly quantity: number;
  readonly amountMinor: number;
  /** The tax on top of the line that is in the amount; these three are absent in old rows, and nothing there. */
  readonly taxMinor?: number;
  readonly includedTaxMinor?: number;
  /** Rounding can make it a unit or two below zero. */
  readonly discountMinor?: number;
  readonly restocked: number;
}
