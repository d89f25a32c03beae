// The requests to Paystack, in its own names.

import type { GatewayAttempt, GatewayRefund } from "#payments/port/gateway.ts";

import { type PayingPhone, toUnits } from "./countries.ts";

/** Addresses as Paystack accepts them. */
const EMAIL = /^[!-?A-~]{1,64}@[a-z0-9-]+(?:\.[a-z0-9-]+)+$/i;
const DOMAIN = /^[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}$/i;
/** A name for documentation, which no one owns (RFC 2606): for a server without a domain. */
const NO_DOMAIN = "example.com";

/** A page where the customer pays, by a card alone or by any way that the account offers. */
export function pageBody(attempt: GatewayAttempt): object {
  const returnUrl = returnUrlOf(attempt);
  const cancelUrl = new URL(returnUrl);
  cancelUrl.searchParams.set("cancelled", "1");
  return {
    ...termsOf(attempt),
    callback_url: returnUrl,
    ...(attempt.method === "card" ? { channels: ["card"] } : {}),
    metadata: { ...metadataOf(attempt), cancel_action: cancelUrl.href },
  };
}

/** A prompt on the phone. */
export function chargeBody(attempt: GatewayAttempt, phone: PayingPhone): object {
  return { ...termsOf(attempt), mobile_money: phone, metadata: metadataOf(attempt) };
}

/** Its name is the merchant's note: Paystack has no other place for one. */
export function refundBody(refund: GatewayRefund): object {
  const { reference, amountMinor, currency, reason, attempt } = refund;
  return {
    transaction: attempt.gatewayReference,
    amount: toUnits(amountMinor, currency),
    currency,
    merchant_note: reference,
    customer_note: reason.replaceAll("_", " "),
  };
}

function termsOf(attempt: GatewayAttempt) {
  const { amountMinor, currency, gatewayReference: reference } = attempt;
  return { email: emailOf(attempt), amount: toUnits(amountMinor, currency), currency, reference };
}

/** Paystack wants an address of every payer; one without gets an address at the shop's own domain. */
function emailOf({ email, gatewayReference, returnUrl }: GatewayAttempt): string {
  if (email !== null && EMAIL.test(email)) return email;
  const host = returnUrl === null ? "" : new URL(returnUrl).hostname;
  return `${gatewayReference}@${DOMAIN.test(host) ? host : NO_DOMAIN}`;
}

/** The words that the merchant reads in the dashboard: the shop's own names alone. */
function metadataOf({ paymentId, orderId, reference }: GatewayAttempt) {
  return { duka: { payment: paymentId, order: orderId, reference } };
}

function returnUrlOf({ returnUrl, gatewayReference }: GatewayAttempt): string {
  if (returnUrl === null) throw new Error(`${gatewayReference} has no address to return to.`);
  return returnUrl;
}
