// Story: saves a new attempt to pay, or finds an existing one, before any gateway is called. Makes
// every refusal that needs no gateway.

import type { PaymentMethod } from "#kernel/payment-method.ts";
import { Refusal, validationFailed } from "#kernel/refusal.ts";
import type { GatewayRules } from "#payments/gateways/port.ts";
import { paymentMoved } from "#payments/payments/events.ts";
import {
  gatewayNotConfigured,
  isGatewayMethod,
  isOpen,
  nextPollAt,
  orderPaidAlready,
  type Payment,
  paymentTimerNames,
  referenceTaken,
} from "#payments/payments/payment.ts";
import {
  findPaymentByKey,
  findPaymentRow,
  findPaymentsOfOrder,
  paymentRows,
} from "#payments/payments/queries.ts";
import { recordOnOrder } from "#payments/reconciliation/record-on-order.ts";
import type { Tx } from "#platform/database/database.ts";
import {
  idempotencyKeyReused,
  type IdempotentRequest,
} from "#platform/http/idempotency/idempotent.ts";
import { setTimer } from "#platform/scheduler/timers.ts";
import { dueOf } from "#sales/balance/balance.ts";
import { lockOrder } from "#sales/orders/lookups.ts";
import { forbidden, type Order, orderNotFound } from "#sales/orders/order.ts";

import { composePayment, type PaymentRequest, samePayer, sameRequest } from "./payment-request.ts";
import { validateAtGateway, validateAttempt } from "./validate-attempt.ts";

export interface AttemptTerms {
  readonly request: PaymentRequest;
  readonly gateways: readonly GatewayRules[];
  readonly idempotent: IdempotentRequest | null;
}

export interface OpenedAttempt {
  readonly payment: Payment;
  /** `continued`: an earlier run with the same idempotency key made it. */
  readonly standing: "new" | "continued" | "existing";
}

/**
 * Afterwards the request has one attempt. Refuses with `validation_failed`,
 * `gateway_not_configured`, `reference_taken`, `order_paid`, `invalid_transition` and
 * `idempotency_key_reused`.
 */
export async function openAttempt(tx: Tx, terms: AttemptTerms): Promise<OpenedAttempt> {
  // The order is locked before any lookup, so of two concurrent requests one finds the other's attempt.
  const order = await lockPayableOrder(tx, terms.request);
  const known = await findKnown(tx, terms);
  if (known !== null) return known;
  if (order === undefined) throw unknownOrder();
  return makeAttempt(tx, terms, order);
}

async function makeAttempt(
  tx: Tx,
  terms: AttemptTerms,
  order: Order | null,
): Promise<OpenedAttempt> {
  const { request } = terms;
  const method = request.method ?? order?.paymentMethod ?? "gateway";
  const gateway = gatewayFor(method, terms.gateways);
  if (order !== null) refuseUnpayable(order);
  const owed = validateAttempt(request, { order, method });
  const existing = await findOpen(tx, order, { method, request });
  if (existing !== undefined) return { payment: existing, standing: "existing" };
  const payment = composePayment(request, {
    ...owed,
    now: tx.now,
    order,
    method,
    gateway: gateway?.id ?? null,
    idempotent: terms.idempotent,
  });
  if (gateway !== null) validateAtGateway(payment, gateway);
  await saveAttempt(tx, payment, order);
  return { payment, standing: "new" };
}

/** Null for a method that the merchant confirms. Refuses with `gateway_not_configured`. */
function gatewayFor(method: PaymentMethod, gateways: readonly GatewayRules[]): GatewayRules | null {
  if (!isGatewayMethod(method)) return null;
  const gateway = gateways.find((one) => one.methods.includes(method));
  if (gateway === undefined) throw gatewayNotConfigured({ members: { method } });
  return gateway;
}

async function findOpen(
  tx: Tx,
  order: Order | null,
  { method, request }: { readonly method: PaymentMethod; readonly request: PaymentRequest },
): Promise<Payment | undefined> {
  const attempts = order === null ? [] : await findPaymentsOfOrder(tx, order.id);
  return attempts.find((one) => isOpen(one) && one.method === method && samePayer(one, request));
}

/** Finds the attempt of an earlier request: by idempotency key, else by the caller's reference. */
async function findKnown(
  tx: Tx,
  { request, idempotent }: AttemptTerms,
): Promise<OpenedAttempt | null> {
  const earlier = idempotent === null ? undefined : await findPaymentByKey(tx, idempotent.key);
  if (earlier !== undefined) {
    if (earlier.fingerprint !== idempotent?.fingerprint) throw idempotencyKeyReused();
    return { payment: earlier, standing: "continued" };
  }
  if (request.reference === null) return null;
  const named = await findPaymentRow(tx, request.reference);
  if (named === undefined) return null;
  if (!sameRequest(named, request)) throw referenceTaken({ members: { payment_id: named.id } });
  return { payment: named, standing: "existing" };
}

/** Null for a payment link, undefined for an unknown order. */
async function lockPayableOrder(
  tx: Tx,
  { orderId }: PaymentRequest,
): Promise<Order | null | undefined> {
  if (orderId === null) return null;
  try {
    return await lockOrder(tx, orderId);
  } catch (error) {
    if (!(error instanceof Refusal) || error.definition !== orderNotFound) throw error;
    return undefined;
  }
}

function unknownOrder(): Refusal {
  const detail = "There is no such order.";
  return validationFailed({ faults: [{ pointer: "/order_id", code: "unknown_order", detail }] });
}

function refuseUnpayable(order: Order): void {
  if (order.status === "cancelled") throw forbidden(order, "pay");
  if (dueOf(order) === 0) throw orderPaidAlready({ members: { order_id: order.id } });
}

async function saveAttempt(tx: Tx, payment: Payment, order: Order | null): Promise<void> {
  await paymentRows.insert(tx, payment);
  if (order !== null) await recordOnOrder(tx, order, { before: null, after: payment });
  await tx.emit(paymentMoved("payment.initialized", payment, order));
  if (payment.gateway === null) return;
  const { poll, expire } = paymentTimerNames;
  const timers = { [poll]: nextPollAt(payment, tx.now), [expire]: payment.expiresAt };
  for (const [name, dueAt] of Object.entries(timers)) {
    if (dueAt !== null) await setTimer(tx, { name, subject: payment.id, dueAt });
  }
}
