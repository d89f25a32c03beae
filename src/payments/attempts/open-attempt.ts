// Story: saves a new attempt to pay, or finds an existing one, before any gateway is called. Makes
// every refusal that needs no gateway.

import {
  isGatewayMethod,
  PAYMENT_METHOD_DEFAULT,
  type PaymentMethod,
} from "#kernel/payment-method.ts";
import { Faults, Refusal, validationFailed } from "#kernel/refusal.ts";
import { chooseGateway, type ChosenGateway, isMethodTaken } from "#payments/gateways/registry.ts";
import type { GatewayRules } from "#payments/port/gateway.ts";
import { paymentMoved } from "#payments/rows/events.ts";
import {
  attemptOpen,
  gatewayNotConfigured,
  isOpenAttempt,
  nextPollAt,
  type Payment,
  paymentInReview,
  paymentTimerNames,
  referenceTaken,
  requirePayable,
} from "#payments/rows/payment.ts";
import {
  findPaymentByKey,
  findPaymentRow,
  findPaymentsOfOrder,
  paymentRows,
} from "#payments/rows/queries.ts";
import { recordOnOrder } from "#payments/settling/record-on-order.ts";
import type { Tx } from "#platform/database/database.ts";
import type { Mode } from "#platform/database/shop.ts";
import type { IdempotentRequest } from "#platform/http/contract/idempotent.ts";
import { setTimer } from "#platform/scheduler/timers.ts";
import { lockOrder } from "#sales/orders/lookups.ts";
import { depositDueOf } from "#sales/rows/balance.ts";
import { type Order, orderNotFound } from "#sales/rows/order.ts";
import { languageOf } from "#shop/store/branding.ts";
import { getStore, lockSettings } from "#shop/store/lookups.ts";
import { canBeByHand, methodTermsOf, requireOffered } from "#shop/store/payment-methods.ts";
import { limitsHold } from "#shop/store/public-limits.ts";
import type { Store } from "#shop/store/store.ts";

import { type ByHand, payByHand } from "./payer-words.ts";
import { composePayment, type PaymentRequest, sameMeans, sameRequest } from "./payment-request.ts";
import { limitAttempts, limitOpenAttempts, limitPrompts } from "./public-attempts.ts";
import { validateAtGateway, validateAttempt } from "./validate-attempt.ts";

interface AttemptTerms {
  readonly request: PaymentRequest;
  readonly gateways: readonly GatewayRules[];
  readonly mode: Mode;
  readonly idempotent: IdempotentRequest | null;
  /** True if the gateway of a new attempt is asked as soon as this transaction is committed. */
  readonly callsNow?: boolean;
  /** True of a URL to return to that is on this server, or on a host that the operator named; by default of each. */
  readonly mayReturnTo?: (url: string) => boolean;
}

export interface OpenedAttempt {
  /** As its gateway gets it: a new one was not asked before. */
  readonly payment: Payment;
  /** `continued`: an earlier run with the same idempotency key made it. */
  readonly standing: "new" | "continued" | "existing";
}

/**
 * Afterwards the request has one attempt. Refuses with `validation_failed`,
 * `payment_method_unavailable`, `no_way_to_pay`, `gateway_not_configured`, `reference_taken`, `order_paid`,
 * `attempt_open`, `payment_in_review`, `invalid_transition` and `idempotency_key_reused`; a publishable
 * key with `too_many_attempts` and `too_many_prompts` as well, the visitor of a link with the latter.
 */
export async function openAttempt(tx: Tx, terms: AttemptTerms): Promise<OpenedAttempt> {
  const { askedBy, promptedBy = askedBy, phone } = terms.request;
  if (promptedBy.isPublic && phone !== null) await lockSettings(tx);
  // The order is locked before any lookup, so of two concurrent requests one finds the other's attempt.
  const order = await lockPayableOrder(tx, terms.request);
  const known = await findKnown(tx, terms, order ?? null);
  if (known !== null) return known;
  if (order === undefined) throw unknownOrder();
  return makeAttempt(tx, terms, order);
}

async function makeAttempt(
  tx: Tx,
  terms: AttemptTerms,
  order: Order | null,
): Promise<OpenedAttempt> {
  const { request, gateways } = terms;
  const store = await getStore(tx);
  const way = wayToPay(store, terms, order);
  const { method, byHand } = way;
  const isByHand = byHand !== null;
  if (order !== null) refuseUnpayable(order, request);
  const { mode, mayReturnTo = () => true } = terms;
  const isBound = limitsHold(store, request.askedBy);
  const owed = validateAttempt(request, {
    order,
    method,
    isByHand,
    mode,
    mayReturnTo,
    gateways,
    isBound,
  });
  const attempts = await attemptsOf(tx, order);
  const existing = findOpen(attempts, { method, request, isByHand });
  if (existing !== undefined) {
    if (existing.amountMinor !== owed.amountMinor) throw openForOther(existing);
    return { payment: existing, standing: "existing" };
  }
  if (request.askedBy.isPublic) limitOpenAttempts(attempts);
  if (isBound) limitAttempts(attempts, tx.now);
  await limitPromptsOf(tx, store, { request, way });
  const chosen = gatewayFor(terms, way, owed);
  const payment = composePayment(request, {
    ...owed,
    now: tx.now,
    order,
    method,
    gateway: chosen?.gateway ?? null,
    byHand,
    idempotent: terms.idempotent,
  });
  if (chosen !== null) validateAtGateway(payment, chosen);
  await saveAttempt(tx, asSaved(tx, terms, payment), order);
  return { payment, standing: "new" };
}

/** The attempt is saved as asked if its gateway is asked at once. */
function asSaved({ now }: Tx, { callsNow = false }: AttemptTerms, payment: Payment): Payment {
  return callsNow && payment.gateway !== null ? { ...payment, askedAt: now } : payment;
}

/** All attempts to pay the order; none for a payment link. */
async function attemptsOf(tx: Tx, order: Order | null): Promise<Payment[]> {
  return order === null ? [] : findPaymentsOfOrder(tx, order.id);
}

/** Refuses with `too_many_prompts` if a gateway would ask the phone that a stranger gave. */
async function limitPromptsOf(
  tx: Tx,
  store: Store,
  { request, way }: { readonly request: PaymentRequest; readonly way: WayToPay },
): Promise<void> {
  const { phone, askedBy, promptedBy = askedBy } = request;
  const isPrompt = way.method === "mobile_money" && way.byHand === null;
  if (isPrompt && phone !== null && limitsHold(store, promptedBy)) await limitPrompts(tx, phone);
}

interface WayToPay {
  readonly method: PaymentMethod;
  /** Null at a gateway, which says so itself. */
  readonly byHand: ByHand | null;
}

/** Refuses with `payment_method_unavailable`, `no_way_to_pay` and `gateway_not_configured`. */
function wayToPay(
  store: Store,
  { request, gateways, mode }: AttemptTerms,
  order: Order | null,
): WayToPay {
  const { method, currency } = askedFor(store, request, order);
  const { by, isSetUp } = methodTermsOf(store, method, currency);
  const isTold = isSetUp || !request.askedBy.isPublic;
  // An order that was placed in a method can be paid in it, also after the method was disabled, if someone can say how.
  const isPlacedSo = isTold && method === order?.paymentMethod;
  if (!isPlacedSo) requireOffered(store, method, { ...request.askedBy, currency });
  if (by === "hand" && canBeByHand(method, mode)) {
    const language = languageOf(store.locale);
    return { method, byHand: payByHand(store, { method, currency, language }) };
  }
  requireGateway(gateways, method);
  return { method, byHand: null };
}

function askedFor(store: Store, request: PaymentRequest, order: Order | null) {
  return {
    method: request.method ?? order?.paymentMethod ?? PAYMENT_METHOD_DEFAULT,
    currency: order?.currency ?? request.currency ?? store.currency,
  };
}

/** Refuses with `gateway_not_configured`. */
function requireGateway(gateways: readonly GatewayRules[], method: PaymentMethod): void {
  if (!isMethodTaken(gateways, method)) throw gatewayNotConfigured({ members: { method } });
}

/** The first gateway that takes the attempt; null by hand. Refuses with `validation_failed` where none does. */
function gatewayFor(
  { gateways, request: { provider, phone, gateway, cardToken } }: AttemptTerms,
  { method, byHand }: WayToPay,
  owed: Pick<Payment, "currency" | "amountMinor">,
): ChosenGateway | null {
  if (byHand !== null || !isGatewayMethod(method)) return null;
  const faults = new Faults();
  const means = { provider, phone, gateway, hasToken: cardToken !== null };
  const chosen = chooseGateway(gateways, { method, ...owed, ...means }, faults);
  faults.refuseIfAny();
  return chosen ?? null;
}

function findOpen(
  attempts: readonly Payment[],
  wanted: {
    readonly method: PaymentMethod;
    readonly request: PaymentRequest;
    readonly isByHand: boolean;
  },
): Payment | undefined {
  return attempts.find(
    (one) =>
      isOpenAttempt(one) &&
      one.method === wanted.method &&
      (one.gateway === null) === wanted.isByHand &&
      sameMeans(one, wanted.request),
  );
}

/**
 * Finds the attempt of an earlier request: by idempotency key, else by the caller's reference. A caller
 * that may not see all payments finds those of its own lineage, and learns no id of another.
 */
async function findKnown(
  tx: Tx,
  { request, idempotent }: AttemptTerms,
  order: Order | null,
): Promise<OpenedAttempt | null> {
  const earlier = idempotent === null ? undefined : await findPaymentByKey(tx, idempotent);
  if (earlier !== undefined) return { payment: earlier, standing: "continued" };
  if (request.reference === null) return null;
  const named = await findPaymentRow(tx, request.reference);
  if (named === undefined) return null;
  requireSame(named, request);
  refuseOtherDeposit(named, request, order);
  return { payment: named, standing: "existing" };
}

/** Refuses with `reference_taken`. */
function requireSame(named: Payment, request: PaymentRequest): void {
  if (!request.seesAll && named.lineage !== request.lineage) throw referenceTaken();
  if (!sameRequest(named, request)) throw referenceTaken({ members: { payment_id: named.id } });
}

/** The named attempt may have asked for the whole amount. */
function refuseOtherDeposit(named: Payment, { isDeposit }: PaymentRequest, order: Order | null) {
  if (order === null || !isDeposit || !isOpenAttempt(named)) return;
  if (named.amountMinor !== depositDueOf(order)) throw openForOther(named);
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

/** The customer may still pay the other amount: both attempts would charge more than is due. */
function openForOther({ id, reference }: Payment): Refusal {
  return attemptOpen({ members: { payment_id: id, reference } });
}

function unknownOrder(): Refusal {
  const detail = "There is no such order.";
  return validationFailed({ faults: [{ pointer: "/order_id", code: "unknown_order", detail }] });
}

function refuseUnpayable(order: Order, { isFromMerchant }: PaymentRequest): void {
  requirePayable(order);
  if (order.paymentsInReview > 0 && !isFromMerchant) throw paymentInReview();
}

/**
 * Inserts the attempt, counts it on its locked order and emits `payment.initialized`. An attempt at a
 * gateway gets its timers; one by hand waits for the merchant.
 */
export async function saveAttempt(tx: Tx, payment: Payment, order: Order | null): Promise<void> {
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
