// Why a card was not charged, in the shop's words. The source is Stripe's lists of error codes and decline codes.

import type { FailureCode } from "#payments/payments/payment-life.ts";

const meanings: ReadonlyMap<string, FailureCode> = new Map(
  Object.entries({
    insufficient_funds: "insufficient_funds",
    ...named("declined", ["card_declined", "generic_decline", "do_not_honor", "lost_card"]),
    ...named("declined", ["stolen_card", "incorrect_cvc", "invalid_cvc", "call_issuer"]),
    ...named("payer_limit", ["card_velocity_exceeded", "withdrawal_count_limit_exceeded"]),
    ...named("payer_limit", ["card_decline_rate_limit_exceeded"]),
    expired_card: "expired_card",
    ...named("invalid_number", ["incorrect_number", "invalid_number"]),
    fraudulent: "fraud_suspected",
    ...named("wrong_pin", ["incorrect_pin", "invalid_pin", "pin_try_exceeded"]),
    ...named("not_approved", ["authentication_required"]),
    ...named("not_approved", ["payment_intent_authentication_failure"]),
    ...named("provider_unavailable", ["processing_error", "issuer_not_available"]),
    ...named("provider_unavailable", ["try_again_later", "reenter_transaction"]),
  } satisfies Record<string, FailureCode>),
);

/** Stripe's words about a card that was not charged. */
export interface Decline {
  readonly type: string;
  readonly code: string | null;
  readonly declineCode: string | null;
}

/** The shop's code, and Stripe's own beside it. */
export function failureOf({ type, code, declineCode }: Decline): {
  readonly failureCode: FailureCode;
  readonly gatewayCode: string;
} {
  const gatewayCode = declineCode ?? code ?? type;
  const otherwise = type === "card_error" ? "declined" : "other";
  return { failureCode: meanings.get(gatewayCode) ?? otherwise, gatewayCode };
}

function named<T extends FailureCode>(meaning: T, codes: readonly string[]): Record<string, T> {
  return Object.fromEntries(codes.map((code) => [code, meaning]));
}
