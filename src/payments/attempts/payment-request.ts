// What is asked for when somebody wants to pay, whether it is what was asked before, and the new
// attempt that it makes.

import type { CurrencyCode } from "#kernel/currency.ts";
import { type Id, newId } from "#kernel/id.ts";
import type { Metadata } from "#kernel/metadata.ts";
import { parseAmount } from "#kernel/money.ts";
import type { PaymentMethod } from "#kernel/payment-method.ts";
import {
  approvalEndsAt,
  gatewayReferenceOf,
  isGatewayMethod,
  type Payment,
  type Provider,
} from "#payments/payments/payment.ts";
import type { IdempotentRequest } from "#platform/http/idempotency/idempotent.ts";
import type { Order } from "#sales/orders/order.ts";

export interface PaymentRequest {
  /** Null for a payment link. */
  readonly orderId: Id<"order"> | null;
  /** Major units as they were given; what is due where nothing is said. */
  readonly amount: number | string | undefined;
  readonly currency: CurrencyCode | undefined;
  /** The order's where nothing is said. */
  readonly method: PaymentMethod | undefined;
  readonly phone: string | null;
  readonly provider: Provider | null;
  readonly cardToken: string | null;
  readonly returnUrl: string | null;
  readonly reference: string | null;
  readonly metadata: Metadata;
}

/** Whether the attempt is by the same payer: who is known by a phone or a card. */
export function samePayer(payment: Payment, request: PaymentRequest): boolean {
  if (payment.method === "mobile_money") return payment.phone === request.phone;
  return payment.method !== "card" || payment.cardToken === request.cardToken;
}

/** Whether the attempt is what is asked for now; what is not said agrees with anything. */
export function sameRequest(payment: Payment, request: PaymentRequest): boolean {
  const { amount } = request;
  const parsed = amount === undefined ? null : parseAmount(amount, payment.currency);
  return (
    payment.orderId === request.orderId &&
    samePayer(payment, request) &&
    (request.method === undefined || request.method === payment.method) &&
    (request.currency === undefined || request.currency === payment.currency) &&
    (parsed === null || ("amountMinor" in parsed && parsed.amountMinor === payment.amountMinor))
  );
}

export interface AttemptParts {
  readonly now: number;
  readonly order: Order | null;
  readonly method: PaymentMethod;
  readonly gateway: string | null;
  readonly amountMinor: number;
  readonly currency: CurrencyCode;
  readonly idempotent: IdempotentRequest | null;
}

/** Nothing asked yet, nothing known. */
const untouched = {
  status: "pending",
  attemptNumber: 1,
  gatewayId: null,
  receivedMinor: null,
  receivedCurrency: null,
  capturedMinor: 0,
  refundingMinor: 0,
  refundedMinor: 0,
  nextAction: null,
  failureCode: null,
  gatewayCode: null,
  isUnknown: false,
  notFoundLooks: 0,
  succeededAt: null,
  failedAt: null,
  version: 1,
} as const;

/** A new attempt. */
export function composePayment(request: PaymentRequest, parts: AttemptParts): Payment {
  const { now, order, method, gateway, idempotent } = parts;
  const id = newId("payment", now);
  return {
    ...untouched,
    ...partOfOrder(order),
    id,
    reference: request.reference ?? id,
    method,
    gateway,
    gatewayReference: gateway === null ? null : gatewayReferenceOf(id, 1),
    amountMinor: parts.amountMinor,
    currency: parts.currency,
    phone: request.phone,
    provider: request.provider,
    cardToken: request.cardToken,
    returnUrl: request.returnUrl,
    lookedAt: now,
    metadata: request.metadata,
    idempotencyKey: idempotent?.key ?? null,
    fingerprint: idempotent?.fingerprint ?? null,
    expiresAt: isGatewayMethod(method)
      ? approvalEndsAt(method, now, order?.expiresAt ?? null)
      : null,
    createdAt: now,
    updatedAt: now,
  };
}

function partOfOrder(order: Order | null) {
  if (order === null) return { orderId: null, customerId: null, email: null };
  const { id: orderId, customerId, customer } = order;
  return { orderId, customerId, email: customer?.email ?? null };
}
