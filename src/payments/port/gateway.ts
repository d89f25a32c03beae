// The port to payment gateways, in plain data; a gateway never touches the shop's rows. Invariant: an
// outcome that is not known is reported as `unknown`, never as failed.

import type { CurrencyCode } from "#kernel/currency.ts";
import type { FaultCode } from "#kernel/fault.ts";
import type { Id } from "#kernel/id.ts";
import type { GatewayMethod } from "#kernel/payment-method.ts";
import type { FoundDispute } from "#payments/rows/dispute-life.ts";
import type {
  ActionDetail,
  FailureCode,
  GatewayName,
  PayerText,
  PaymentFacts,
  Provider,
  RefundReason,
} from "#payments/rows/payment-life.ts";
import type { FoundPayoutLine, ListedPayout } from "#payments/rows/payout-life.ts";
import type { Mode } from "#platform/database/shop.ts";

import type { ArrivedNotice, Notice, NoticeRules } from "./notice.ts";

/** The means of a call, beside the thing that it is about. */
export interface GatewayCallTerms {
  /** Aborted when the call must end: another one may start after that. */
  readonly signal: AbortSignal;
  /**
   * Commits names of the attempt, so that what is asked after that is found again after a crash. Throws where the
   * attempt is over, or its order takes no money any more: then nothing more may be asked.
   */
  readonly name: (names: readonly GatewayName[]) => Promise<void>;
  /** Called with each body under an idempotency key before it is sent. Throws if the key had another: send nothing. */
  readonly keyed: (key: string, body: string) => Promise<void>;
}

/** One attempt to pay. It is committed before the gateway is called, and a gateway never changes it. */
export interface GatewayAttempt {
  readonly paymentId: Id<"payment">;
  /** Identifies the attempt at the gateway: letters, digits, `-`. Never the caller's own reference. */
  readonly gatewayReference: string;
  /** The caller's own reference, for the gateway's metadata and for display. */
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
  /**
   * The address on this server to which a page returns the customer; `?cancelled=1` one who gave up. Null where nothing
   * is called.
   */
  readonly returnUrl: string | null;
  /** The gateway's names of the attempt and of what belongs to it, as far as it said. */
  readonly names: readonly GatewayName[];
  /** True if an earlier call may have made the attempt at the gateway. */
  readonly wasAsked: boolean;
  /**
   * When the gateway may close the attempt, epoch milliseconds of the real clock, on which gateways live: 35 minutes
   * to 23 hours and 55 minutes after its reference was made, and the same in every call.
   */
  readonly gatewayEndsAt: number;
  /** When the gateway was asked for it, as far as it was, by the same clock: some minutes about. */
  readonly gatewayAskedAt: number;
  /** Shop's clock, epoch milliseconds; the same in every call about this attempt. */
  readonly createdAt: number;
}

/** Why a call failed, for the operator: never shown to a payer. `surprise`: an answer that no document describes. */
export type Trouble = "misconfigured" | "rate_limited" | "surprise" | null;

/** The answer says nothing of what the call did. */
export interface Unclear {
  readonly trouble?: Trouble;
  /** The place at which an answer surprises: a JSON Pointer of the gateway's own names, never the value. */
  readonly pointer?: string;
}

/** A call that provably never reached the gateway; a retry is safe. */
export interface NotSent {
  readonly kind: "not_sent";
  readonly trouble: Trouble;
  /** How long the gateway wants to be left alone; null if it does not say. */
  readonly retryAfterMs: number | null;
}

/** The outcome of an attempt to pay, as far as the gateway reports. Amounts are the shop's minor units. */
export type PaymentOutcome =
  | (PaymentFacts & {
      readonly state: "succeeded";
      /** Compared with the attempt: a success of another reference is ignored. */
      readonly gatewayReference: string;
      readonly mode: Mode;
      readonly amountMinor: number;
      /** As the gateway reports it, upper case; may differ from the attempt's. */
      readonly currency: string;
      readonly names: readonly GatewayName[];
      /** The part of it that went back, as far as the gateway reports; the shop may not have asked for it. */
      readonly returnedMinor: number;
      /** True if the gateway says that the customer's bank asks, or asked, for it back. */
      readonly isDisputed?: boolean;
    })
  | {
      readonly state: "failed";
      readonly failureCode: FailureCode;
      /** The gateway's own code, such as `lost_card`. */
      readonly gatewayCode: string | null;
      readonly names: readonly GatewayName[];
    }
  | {
      readonly state: "pending";
      readonly names: readonly GatewayName[];
      /** The page on which the customer has to act, for an attempt whose answer was lost. */
      readonly url?: string;
      /** True if the payer is done, and banks may take days: the attempt does not expire meanwhile. */
      readonly isWorking?: boolean;
    }
  | { readonly state: "not_found" }
  | (Unclear & { readonly state: "unknown" });

/** The result of initiating an attempt, or of submitting the customer's code. */
export type Initiation =
  | {
      readonly kind: "redirect";
      readonly url: string;
      /** Null if the gateway sets no limit; the attempt's own then applies. */
      readonly expiresAt: number | null;
      readonly names: readonly GatewayName[];
    }
  | {
      readonly kind: "offline";
      readonly action: "approve_on_phone" | "dial_ussd" | "pay_to_account";
      readonly displayText: PayerText;
      readonly details?: readonly ActionDetail[];
      readonly names: readonly GatewayName[];
    }
  | {
      readonly kind: "otp";
      readonly displayText: PayerText;
      readonly names: readonly GatewayName[];
    }
  /** Decided, or in progress without the customer: `pending` then means `processing`. */
  | { readonly kind: "done"; readonly outcome: PaymentOutcome }
  | (Unclear & {
      readonly kind: "declined";
      readonly failureCode: FailureCode;
      readonly gatewayCode: string | null;
      readonly names: readonly GatewayName[];
    })
  | NotSent
  /** May have reached the gateway: verify the same reference, never send a new one. */
  | (Unclear & { readonly kind: "unknown" });

export type CancelOutcome =
  | { readonly kind: "cancelled" | "unsupported" }
  | (Unclear & { readonly kind: "unknown" })
  /** The gateway had already decided the attempt. */
  | { readonly kind: "too_late"; readonly outcome: PaymentOutcome };

/** One refund. It is committed before the gateway is called. */
export interface GatewayRefund {
  readonly refundId: Id<"refund">;
  /** Identifies this try at the gateway: a refund that is retried after it failed has another. */
  readonly reference: string;
  readonly amountMinor: number;
  readonly currency: CurrencyCode;
  readonly reason: RefundReason;
  /** The gateway's own id of the refund, once known. */
  readonly gatewayRefundId: string | null;
  /** The attempt that is refunded. */
  readonly attempt: GatewayAttempt;
  /** True if an earlier call may have made this try at the gateway. */
  readonly wasAsked: boolean;
  /** When this try began, epoch milliseconds. */
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
  | NotSent
  | { readonly kind: "not_found" }
  | (Unclear & { readonly kind: "unknown" });

/** A refund in the books of a gateway. */
export interface FoundRefund {
  readonly gatewayRefundId: string;
  /** The shop's name of the try; null if the shop did not make it, or the gateway does not say. */
  readonly reference: string | null;
  readonly amountMinor: number;
  /** As the gateway reports it, upper case. */
  readonly currency: string;
  readonly outcome: RefundOutcome;
  /** True if the shop has certainly not made it: the gateway repeats references, and it has none. */
  readonly isMadeElsewhere?: boolean;
}

/** The amounts that a gateway accepts in a currency. */
export interface CurrencyTerms {
  /** Amounts must be multiples of this many minor units; 1 for most currencies. */
  readonly multipleMinor: number;
  readonly minimumMinor: number;
  /** Null where the gateway sets no limit. */
  readonly maximumMinor: number | null;
}

/** A payment that a gateway is asked to take. */
export interface AskedOfGateway {
  readonly method: GatewayMethod;
  readonly currency: CurrencyCode;
  /** Null where it is not known: the gateway takes it from at least one provider. */
  readonly provider: Provider | null;
  /** E.164; null or absent where it is not known: the gateway takes it from at least one phone. */
  readonly phone?: string | null | undefined;
  /** True if a card is named by a token. */
  readonly hasToken?: boolean;
}

export type FoundRefunds =
  | { readonly kind: "found"; readonly refunds: readonly FoundRefund[] }
  | (Unclear & { readonly kind: "unknown" });

export type FoundDisputes =
  | { readonly kind: "found"; readonly disputes: readonly FoundDispute[] }
  | (Unclear & { readonly kind: "unknown" });

/** A dispute or a refund in a gateway's list, and how its payment is found. */
export interface ListedReturn {
  readonly name: string;
  readonly gatewayReference: string | null;
  readonly names: readonly GatewayName[];
}

export type ListedReturns =
  | { readonly kind: "found"; readonly returns: readonly ListedReturn[] }
  | (Unclear & { readonly kind: "unknown" });

export type ListedPayouts =
  | { readonly kind: "found"; readonly payouts: readonly ListedPayout[] }
  | (Unclear & { readonly kind: "unknown" });

/** `incomplete`: the gateway still puts the payout together, or lists none of its lines. */
export type FoundPayoutLines =
  | { readonly kind: "found"; readonly lines: readonly FoundPayoutLine[] }
  | { readonly kind: "incomplete" }
  | (Unclear & { readonly kind: "unknown" });

/** A fault found before an attempt is sent: the request's field, and why. */
export interface AttemptFault {
  readonly field: "card_token" | "phone" | "provider" | "otp";
  readonly code: FaultCode;
  readonly detail: string;
}

/** The payments that a gateway accepts. All of it is pure: attempts are validated against it before any call. */
export interface GatewayRules {
  /** Part of the notice URL. */
  readonly id: string;
  /** `retired`: no new attempts; those that exist are polled, refunded and noticed. */
  readonly standing: "open" | "retired";
  readonly methods: readonly GatewayMethod[];
  /** After so many calls timers wait for the next minute; absent for a vendor that takes more than eight at once make. */
  readonly perMinute?: number | undefined;
  /** The terms of the currency; null for what the gateway does not take. */
  takes(asked: AskedOfGateway): CurrencyTerms | null;
  /** The reference of the n-th attempt at the gateway: letters, digits, `-`; always the same of the same attempt. */
  newReference(id: Id<"payment">, attemptNumber: number): string;
  /** All faults in the customer's payment details. */
  validate(attempt: GatewayAttempt): readonly AttemptFault[];
}

/** A gateway of one shop and mode. Its rules and `parseWebhook` are pure; what is repeated has one effect. */
export interface Gateway extends GatewayRules {
  readonly mode: Mode;
  readonly noticeRules: NoticeRules;
  /** True if a refund may fail weeks after it succeeded, because the customer's bank sends it back. */
  readonly refundsFailLate: boolean;
  /** True if a payment may not say what of it went back: its refunds are listed after each notice then. */
  readonly hidesReturns?: boolean;
  initiate(attempt: GatewayAttempt, terms: GatewayCallTerms): Promise<Initiation>;
  submitAction(
    attempt: GatewayAttempt,
    action: { readonly otp: string },
    terms: GatewayCallTerms,
  ): Promise<Initiation>;
  verify(attempt: GatewayAttempt, terms: GatewayCallTerms): Promise<PaymentOutcome>;
  cancel(attempt: GatewayAttempt, terms: GatewayCallTerms): Promise<CancelOutcome>;
  refund(refund: GatewayRefund, terms: GatewayCallTerms): Promise<RefundOutcome>;
  verifyRefund(refund: GatewayRefund, terms: GatewayCallTerms): Promise<RefundOutcome>;
  /** All refunds of the attempt, those that others made included; `unknown` if the list is not complete. */
  findRefunds(attempt: GatewayAttempt, terms: GatewayCallTerms): Promise<FoundRefunds>;
  /** All disputes of the attempt, those of the known names included; absent where the gateway has none. */
  findDisputes?(
    attempt: GatewayAttempt,
    known: readonly string[],
    terms: GatewayCallTerms,
  ): Promise<FoundDisputes>;
  /** All disputes that began since then, epoch milliseconds of the real clock; absent where there is no such list. */
  listDisputes?(sinceMs: number, signal: AbortSignal): Promise<ListedReturns>;
  /** The same of refunds that did not fail. */
  listRefunds?(sinceMs: number, signal: AbortSignal): Promise<ListedReturns>;
  /** All payouts that arrive since then, in any state; absent where the gateway lists none. */
  listPayouts?(sinceMs: number, signal: AbortSignal): Promise<ListedPayouts>;
  /** All lines of a listed payout: their gross less their fees is its net. Present where payouts are listed. */
  findPayoutLines?(payout: ListedPayout, signal: AbortSignal): Promise<FoundPayoutLines>;
  /** Checks the signature over the exact bytes received, or the secret token, then parses the bytes. */
  parseWebhook(notice: ArrivedNotice): Notice;
}
