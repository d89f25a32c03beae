// Payments: types, the life, and the rules of money that comes in and goes back. Invariant: a state
// that says the money is here is entered only through `settlePayment`, which compared it.

import type { PaymentMethod } from "#kernel/payment-method.ts";

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
