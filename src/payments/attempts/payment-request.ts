// Rules: a request to pay, whether an existing attempt matches it, and the new attempt it makes.

import type { CurrencyCode } from "#kernel/currency.ts";
import { type Id, newId } from "#kernel/id.ts";
import type { Metadata } from "#kernel/metadata.ts";
import { parseAmount } from "#kernel/money.ts";
import { isGatewayMethod, type PaymentMethod } from "#kernel/payment-method.ts";
import { endsAtGateway, FIRST_ATTEMPT } from "#payments/port/gateway-times.ts";
import type { GatewayRules } from "#payments/port/gateway.ts";
import type { NextAction, Provider } from "#payments/rows/payment-life.ts";
import { approvalEndsAt, type Payment } from "#payments/rows/payment.ts";
import { type IdempotentRequest, NO_LINEAGE } from "#platform/http/contract/idempotent.ts";
import type { Order } from "#sales/rows/order.ts";
import { type LimitedCaller, unlimited } from "#shop/store/public-limits.ts";

import type { ByHand } from "./payer-words.ts";

export interface PaymentRequest {
  /** Null for a payment link. */
  readonly orderId: Id<"order"> | null;
  /** Major units as given; the amount due if undefined. */
  readonly amount: number | string | undefined;
  /** True if the deposit of the order is asked for, in place of an amount. */
  readonly isDeposit: boolean;
  readonly currency: CurrencyCode | undefined;
  /** The order's method if undefined. */
  readonly method: PaymentMethod | undefined;
  readonly phone: string | null;
  readonly provider: Provider | null;
  readonly cardToken: string | null;
  /** The id of the gateway that is asked for; null leaves the choice to the shop. */
  readonly gateway: string | null;
  readonly returnUrl: string | null;
  readonly reference: string | null;
  readonly metadata: Metadata;
  /** True if the merchant asks, who may take any part of what is due, also while money is in review. */
  readonly isFromMerchant: boolean;
  /** The caller whose bounds hold. */
  readonly askedBy: LimitedCaller;
  /** The lineage of the API key that asks; `NO_LINEAGE` if none does. */
  readonly lineage: string;
  /** True if the caller may see payments that others made, by their references. */
  readonly seesAll: boolean;
  /** Who has a phone asked, where that is a stranger and `askedBy` is not. */
  readonly promptedBy?: LimitedCaller;
}

/** The merchant's request to take what is due, without the members that a payment at a gateway may have. */
export const plainPayment: Omit<PaymentRequest, "orderId" | "method"> = {
  amount: undefined,
  isDeposit: false,
  currency: undefined,
  phone: null,
  provider: null,
  cardToken: null,
  gateway: null,
  returnUrl: null,
  reference: null,
  metadata: {},
  isFromMerchant: true,
  askedBy: unlimited,
  lineage: NO_LINEAGE,
  seesAll: true,
};

/**
 * Returns true if the attempt is at the gateway that the request names, if it names one, and both name the same phone
 * or card; these are always the same of `gateway`, and by hand.
 */
export function sameMeans(payment: Payment, request: PaymentRequest): boolean {
  if (request.gateway !== null && payment.gateway !== request.gateway) return false;
  if (payment.gateway === null) return true;
  if (payment.method === "mobile_money") return payment.phone === request.phone;
  return payment.method !== "card" || payment.cardToken === request.cardToken;
}

/** Returns true if the request matches the attempt; a field that is not given matches anything. */
export function sameRequest(payment: Payment, request: PaymentRequest): boolean {
  const { amount } = request;
  const parsed = amount === undefined ? null : parseAmount(amount, payment.currency);
  return (
    payment.orderId === request.orderId &&
    sameMeans(payment, request) &&
    isGivenAs(payment.method, request.method) &&
    isGivenAs(payment.provider, request.provider) &&
    isGivenAs(payment.currency, request.currency) &&
    (parsed === null || ("amountMinor" in parsed && parsed.amountMinor === payment.amountMinor))
  );
}

function isGivenAs(own: string | null, given: string | null | undefined): boolean {
  return given === undefined || given === null || given === own;
}

export interface AttemptParts {
  readonly now: number;
  readonly order: Order | null;
  readonly method: PaymentMethod;
  /** Null for a method that the shop takes by hand. */
  readonly gateway: Pick<GatewayRules, "id" | "newReference"> | null;
  /** Null at a gateway, which says so itself. */
  readonly byHand: ByHand | null;
  readonly amountMinor: number;
  readonly currency: CurrencyCode;
  readonly idempotent: IdempotentRequest | null;
}

/** The state before the first call to a gateway. */
const initial = {
  status: "pending",
  attemptNumber: FIRST_ATTEMPT,
  receivedMinor: null,
  receivedCurrency: null,
  feeMinor: null,
  channel: null,
  instrument: null,
  paidAt: null,
  receivedOn: null,
  transactionReference: null,
  transactionKey: null,
  transactionCopy: 0,
  accountId: null,
  note: null,
  payoutId: null,
  returnedMinor: 0,
  capturedMinor: 0,
  refundingMinor: 0,
  refundedMinor: 0,
  failureCode: null,
  gatewayCode: null,
  askedAt: null,
  isUnknown: false,
  notFoundLooks: 0,
  otpTries: 0,
  succeededAt: null,
  failedAt: null,
  version: 1,
} as const;

/** Makes a new attempt in `pending`. */
export function composePayment(request: PaymentRequest, parts: AttemptParts): Payment {
  const { now, order, method, gateway, idempotent } = parts;
  const id = newId("payment", now);
  const expiresAt = expiryOf(parts);
  return {
    ...initial,
    ...partOfOrder(order),
    id,
    reference: request.reference ?? id,
    method,
    ...atGateway(gateway, { id, expiresAt, now }),
    amountMinor: parts.amountMinor,
    currency: parts.currency,
    phone: request.phone,
    provider: request.provider,
    cardToken: request.cardToken,
    returnUrl: request.returnUrl,
    lookedAt: now - 1,
    noticedAt: null,
    metadata: request.metadata,
    isPublic: request.askedBy.isPublic,
    lineage: request.lineage,
    idempotencyKey: idempotent?.key ?? null,
    fingerprint: idempotent?.fingerprint ?? null,
    nextAction: stepByHand(parts),
    expiresAt,
    createdAt: now,
    updatedAt: now,
  };
}

function atGateway(
  gateway: AttemptParts["gateway"],
  { id, ...times }: Pick<Payment, "id" | "expiresAt"> & { readonly now: number },
) {
  if (gateway === null) return { gateway, gatewayReference: null, gatewayEndsAt: null };
  const gatewayReference = gateway.newReference(id, FIRST_ATTEMPT);
  return { gateway: gateway.id, gatewayReference, gatewayEndsAt: endsAtGateway(times) };
}

/** Money by hand may come as long as its order waits for it. */
function stepByHand({ byHand, order }: AttemptParts): NextAction | null {
  if (byHand === null) return null;
  const { instructions: displayText, accounts } = byHand;
  const expiresAt = order?.expiresAt ?? null;
  return {
    type: "pay_by_hand",
    displayText,
    url: null,
    expiresAt,
    ...(accounts.length > 0 && { accounts }),
  };
}

function expiryOf({ method, gateway, now, order }: AttemptParts): number | null {
  if (gateway === null || !isGatewayMethod(method)) return null;
  return approvalEndsAt(method, now, order?.expiresAt ?? null);
}

function partOfOrder(order: Order | null) {
  if (order === null) return { orderId: null, customerId: null, email: null };
  const { id: orderId, customerId, customer } = order;
  return { orderId, customerId, email: customer?.email ?? null };
}
