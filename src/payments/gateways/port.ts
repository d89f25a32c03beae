// The one port to whoever moves money. A gateway is asked and answers in these words; it never
// touches the shop's own rows. Invariant: what is not known is said as `unknown`, never as failed.

import type { CurrencyCode } from "#kernel/currency.ts";
import type { Id } from "#kernel/id.ts";
import type { FailureCode, GatewayMethod, Provider } from "#payments/payments/payment.ts";
import type { Mode } from "#platform/database/shop.ts";

/** One attempt to pay, as plain data: committed before a gateway hears of it, and never changed by it. */
export interface GatewayAttempt {
  readonly paymentId: Id<"payment">;
  /** What the gateway knows the attempt by: letters, digits, `-`; never the caller's own reference. */
  readonly gatewayReference: string;
  /** The caller's own reference; for the gateway's metadata and for what a person is shown. */
  readonly reference: string;
  readonly orderId: Id<"order"> | null;
  readonly customerId: Id<"customer"> | null;
  readonly amountMinor: number;
  readonly currency: CurrencyCode;
  readonly method: GatewayMethod;
  /** E.164. */
  readonly phone: string | null;
  readonly provider: Provider | null;
  readonly cardToken: string | null;
  readonly email: string | null;
  readonly returnUrl: string | null;
  /** The gateway's own name for the attempt, once it told one. */
  readonly gatewayId: string | null;
  /** Shop's clock, epoch milliseconds; the same in every call about this attempt. */
  readonly createdAt: number;
}

/** What became of the money, as far as the gateway tells. Amounts are minor units of ours. */
export type PaymentOutcome =
  | {
      readonly state: "succeeded";
      /** Compared with what is owed: a success that differs is no success. */
      readonly gatewayReference: string;
      readonly mode: Mode;
      readonly amountMinor: number;
      /** As the gateway says it, upper case; may be none that the attempt named. */
      readonly currency: string;
      readonly gatewayId: string | null;
    }
  | {
      readonly state: "failed";
      readonly failureCode: FailureCode;
      /** The gateway's own word, such as `lost_card`. */
      readonly gatewayCode: string | null;
      readonly gatewayId: string | null;
    }
  | { readonly state: "pending" | "refunded"; readonly gatewayId: string | null }
  | { readonly state: "not_found" | "unknown" };

/** What asking for the money, or sending what the payer typed, led to. */
export type Initiation =
  | {
      readonly kind: "redirect";
      readonly url: string;
      /** Null where the gateway sets no end; ours then holds. */
      readonly expiresAt: number | null;
      readonly gatewayId: string | null;
    }
  | {
      readonly kind: "offline";
      readonly action: "approve_on_phone" | "dial_ussd";
      readonly displayText: string;
      readonly gatewayId: string | null;
    }
  | { readonly kind: "otp"; readonly displayText: string; readonly gatewayId: string | null }
  /** Decided, or at work without the payer: `pending` is then `processing`. */
  | { readonly kind: "done"; readonly outcome: PaymentOutcome }
  | {
      readonly kind: "declined";
      readonly failureCode: FailureCode;
      readonly gatewayCode: string | null;
      readonly gatewayId: string | null;
    }
  /** Provably never reached the gateway; asking again is safe. */
  | { readonly kind: "not_sent" }
  /** May or may not have reached it: the same reference is verified, never a fresh one sent. */
  | { readonly kind: "unknown" };

export type Cancellation =
  | { readonly kind: "cancelled" | "unsupported" | "unknown" }
  /** It was decided before. */
  | { readonly kind: "too_late"; readonly outcome: PaymentOutcome };

/** One refund, as plain data: committed before a gateway hears of it. */
export interface GatewayRefund {
  readonly refundId: Id<"refund">;
  readonly amountMinor: number;
  readonly currency: CurrencyCode;
  /** The gateway's own name for the refund, once it told one. */
  readonly gatewayRefundId: string | null;
  /** The attempt whose money goes back. */
  readonly attempt: GatewayAttempt;
  readonly createdAt: number;
}

export type RefundOutcome =
  | {
      readonly kind: "pending" | "processing" | "succeeded" | "needs_attention";
      readonly gatewayRefundId: string | null;
    }
  | {
      readonly kind: "failed";
      readonly gatewayCode: string | null;
      readonly gatewayRefundId: string | null;
    }
  | { readonly kind: "not_found" | "unknown" };

/** A notice from a gateway: a hint to look, never proof. */
export type Notice =
  | {
      readonly kind: "notice";
      /** The same for every copy of one notice. */
      readonly dedupKey: string;
      /** The attempt it is about; null where it names none. */
      readonly gatewayReference: string | null;
      readonly topic: "payment" | "refund" | "dispute" | "other";
      readonly mode: Mode;
    }
  /** The signature is not the gateway's. */
  | { readonly kind: "reject" };

/** How a gateway counts a currency. */
export interface CurrencyTerms {
  /** Whole multiples of this many minor units only; 1 for most. */
  readonly multipleMinor: number;
  readonly minimumMinor: number;
}

/** What is wrong with an attempt before it is sent: the field of the request, and why. */
export interface AttemptFault {
  readonly field: "card_token" | "phone" | "provider" | "otp";
  readonly code: string;
  readonly detail: string;
}

/** What a gateway takes. All of it is pure: an attempt is held against it before any call. */
export interface GatewayRules {
  /** Part of `POST /hooks/{mode}/{id}`. */
  readonly id: string;
  readonly methods: readonly GatewayMethod[];
  /** Null for a currency it does not take. */
  termsOf(currency: CurrencyCode): CurrencyTerms | null;
  /** Everything about the payer's details that it would not take. */
  validate(attempt: GatewayAttempt): readonly AttemptFault[];
}

/**
 * A gateway of one shop and mode. Its rules and `parseWebhook` are pure; the rest may take time and
 * may be repeated with the same attempt, which then has the same effect once.
 */
export interface Gateway extends GatewayRules {
  readonly mode: Mode;
  initiate(attempt: GatewayAttempt): Promise<Initiation>;
  submitAction(attempt: GatewayAttempt, action: { readonly otp: string }): Promise<Initiation>;
  verify(attempt: GatewayAttempt): Promise<PaymentOutcome>;
  cancel(attempt: GatewayAttempt): Promise<Cancellation>;
  refund(refund: GatewayRefund): Promise<RefundOutcome>;
  verifyRefund(refund: GatewayRefund): Promise<RefundOutcome>;
  /** Takes the exact bytes that came; checks the signature first. */
  parseWebhook(bytes: Uint8Array, headers: Headers): Notice;
}
