// The requests to Stripe, in its own names. Invariant: a body depends on the attempt or refund alone, since a key
// stands for one body.

import type { GatewayAttempt, GatewayRefund } from "#payments/port/gateway.ts";
import type { RefundReason } from "#payments/rows/payment-life.ts";

import { formOf } from "./calls.ts";
import { toUnits } from "./money.ts";

/** The objects of a session, read with it. */
export const SESSION_PARTS = "payment_intent.latest_charge.balance_transaction";
/** The objects of an intent, read with it. */
export const INTENT_PARTS = "latest_charge.balance_transaction";

/** Addresses as Stripe accepts them; it refuses the whole session for another one. */
const EMAIL = /^[!-?A-~]{1,64}@[a-z0-9-]+(?:\.[a-z0-9-]+)+$/i;

/** A page where the customer pays. It ends by itself, and takes the currency of the order alone. */
export function sessionBody(attempt: GatewayAttempt): string {
  const { gatewayReference, email, gatewayEndsAt, currency } = attempt;
  const returnUrl = returnUrlOf(attempt);
  const cancelUrl = new URL(returnUrl);
  cancelUrl.searchParams.set("cancelled", "1");
  const { description, metadata } = descriptionOf(attempt);
  return formOf({
    mode: "payment",
    success_url: returnUrl,
    cancel_url: cancelUrl.href,
    client_reference_id: gatewayReference,
    customer_email: email !== null && EMAIL.test(email) ? email : null,
    metadata,
    payment_intent_data: { description, metadata },
    line_items: {
      0: {
        quantity: 1,
        price_data: {
          currency: currency.toLowerCase(),
          unit_amount: unitsOf(attempt),
          product_data: { name: description },
        },
      },
    },
    expires_at: Math.floor(gatewayEndsAt / 1000),
    adaptive_pricing: { enabled: false },
  });
}

/** An intent that asks for no money yet. */
export function intentBody(attempt: GatewayAttempt): string {
  return formOf({
    amount: unitsOf(attempt),
    currency: attempt.currency.toLowerCase(),
    ...descriptionOf(attempt),
    automatic_payment_methods: { enabled: true },
  });
}

/** Asks for the money: the customer is there, and their bank may ask them. */
export function confirmBody(attempt: GatewayAttempt, cardToken: string): string {
  return formOf({
    ...cardOf(cardToken),
    return_url: returnUrlOf(attempt),
    use_stripe_sdk: false,
    expand: { 0: INTENT_PARTS },
  });
}

/** The form of a card token; which of them are of test cards is known elsewhere. */
export const CARD_TOKEN = /^(?:pm|tok|ctoken)_\w{1,240}$/;

function cardOf(token: string) {
  if (token.startsWith("ctoken_")) return { confirmation_token: token };
  if (token.startsWith("pm_")) return { payment_method: token };
  return { payment_method_data: { type: "card", card: { token } } };
}

export const cancelBody = formOf({ cancellation_reason: "abandoned" });

/** Null if the amount cannot be said in Stripe's units. */
export function refundBody(refund: GatewayRefund, intent: string): string | null {
  const amount = toUnits(refund.amountMinor, refund.currency);
  if (amount === null) return null;
  const reason = reasons[refund.reason] ?? "requested_by_customer";
  const metadata = { duka_refund: refund.reference };
  return formOf({ payment_intent: intent, amount, reason, metadata });
}

/** Stripe's words for some reasons. It blocks the card and the email address of what is called fraudulent. */
const reasons: Partial<Record<RefundReason, string>> = {
  duplicate: "duplicate",
  fraud: "fraudulent",
};

/** The words that the merchant reads in the dashboard: the shop's own words, and the caller's reference. */
function descriptionOf({ paymentId, gatewayReference, reference }: GatewayAttempt) {
  return {
    description: `Payment ${reference}`,
    metadata: { duka_payment: paymentId, duka_reference: gatewayReference },
  };
}

/** Attempts are validated against the currency's terms before any call. */
function unitsOf({ amountMinor, currency }: GatewayAttempt): number {
  const units = toUnits(amountMinor, currency);
  if (units === null) throw new Error(`${amountMinor} of ${currency} is no amount at Stripe.`);
  return units;
}

function returnUrlOf({ returnUrl, gatewayReference }: GatewayAttempt): string {
  if (returnUrl === null) throw new Error(`${gatewayReference} has no address to return to.`);
  return returnUrl;
}
