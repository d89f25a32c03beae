// The face of Stripe with the vendor's own client, which knows nothing of it.

import Stripe from "stripe";

import { type FaceTerms, openStripeFace, type StripeFace } from "#mocks/stripe/stripe-face.ts";

export interface StripeRig extends AsyncDisposable {
  readonly face: StripeFace;
  readonly stripe: Stripe;
}

export async function openStripeRig(terms: FaceTerms = {}): Promise<StripeRig> {
  const face = await openStripeFace(terms);
  const stripe = clientOf(face);
  return { face, stripe, [Symbol.asyncDispose]: () => face[Symbol.asyncDispose]() };
}

export function clientOf({ secret, server }: Pick<StripeFace, "secret" | "server">): Stripe {
  return new Stripe(secret, {
    host: "127.0.0.1",
    port: server.port,
    protocol: "http",
    maxNetworkRetries: 0,
    telemetry: false,
  });
}

/** A session of 24.50 EUR, as an adapter asks for it. */
export function sessionTerms(
  given: Partial<Stripe.Checkout.SessionCreateParams> = {},
): Stripe.Checkout.SessionCreateParams {
  return {
    mode: "payment",
    success_url: "https://shop.example/paid?session={CHECKOUT_SESSION_ID}",
    cancel_url: "https://shop.example/cancelled",
    client_reference_id: "pay-1",
    customer_email: "ada@example.com",
    metadata: { duka_reference: "pay-1" },
    payment_intent_data: { description: "Order 1042", metadata: { duka_reference: "pay-1" } },
    line_items: [
      {
        quantity: 1,
        price_data: { currency: "eur", unit_amount: 2450, product_data: { name: "Order 1042" } },
      },
    ],
    adaptive_pricing: { enabled: false },
    ...given,
  };
}

/** An intent of 24.50 EUR. */
export const intentTerms = {
  amount: 2450,
  currency: "eur",
  description: "Order 1042",
  metadata: { duka_reference: "pay-1" },
  automatic_payment_methods: { enabled: true },
} satisfies Stripe.PaymentIntentCreateParams;

/** What a confirmation has beside its card. */
export const confirmTerms = { return_url: "https://shop.example/back", use_stripe_sdk: false };

/** An intent that a card has paid. */
export async function paidIntent(
  { stripe }: StripeRig,
  card = "pm_card_visa",
): Promise<Stripe.PaymentIntent> {
  const { id } = await stripe.paymentIntents.create(intentTerms);
  return stripe.paymentIntents.confirm(id, { ...confirmTerms, payment_method: card });
}

/** The id of what the vendor names by its id or has expanded. */
export function idOf(named: string | { readonly id: string } | null): string {
  if (named === null) throw new Error("The vendor names nothing.");
  return typeof named === "string" ? named : named.id;
}

/** The error that the vendor's client throws, as plain data. */
export async function errorOf(call: Promise<unknown>): Promise<Record<string, unknown>> {
  try {
    await call;
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError)) throw error;
    const { type, code, statusCode, param, message, decline_code } = error;
    return { type, code, statusCode, param, message, decline_code };
  }
  throw new Error("The vendor has not refused the call.");
}
