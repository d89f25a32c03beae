// Workflow: initializes a payment. Commits the attempt, calls the gateway, commits the outcome.
// Invariant: the attempt is committed before the gateway is called, and the same idempotency key
// finds it after a crash between any two of the three steps, so one key charges once.

import type { Initiation } from "#payments/gateways/port.ts";
import { getPayment, type WholePayment } from "#payments/payments/lookups.ts";
import { gatewayUnavailable, isPaidOnPage, type Payment } from "#payments/payments/payment.ts";
import { askGateway, type PaymentsShop } from "#payments/payments/payments-shop.ts";
import { paymentRows } from "#payments/payments/queries.ts";
import type { Tx } from "#platform/database/database.ts";
import type { IdempotentRequest } from "#platform/http/idempotency/idempotent.ts";

import { claimCall, endCall, type GatewayCall, newCall, orEndCall } from "./gateway-calls.ts";
import { noteInitiation } from "./note-initiation.ts";
import { openAttempt, type OpenedAttempt } from "./open-attempt.ts";
import type { PaymentRequest } from "./payment-request.ts";

export interface Initialized {
  readonly whole: WholePayment;
  /** Whether the request matched an attempt that existed before. */
  readonly isExisting: boolean;
}

const RETRY_SECONDS = "5";

/**
 * Afterwards the request has one attempt, whose `next_action` says what the customer must do. A
 * declined attempt is a result, not a refusal. Refuses as `openAttempt` does, and with
 * `gateway_unavailable` where the call never left this program: the same key then continues.
 */
export async function initializePayment(
  shop: PaymentsShop,
  request: PaymentRequest,
  idempotent: IdempotentRequest | null,
): Promise<Initialized> {
  const { database, gateways, mode, mayReturnTo } = shop;
  const { opened, call } = await database.write(async (tx) => {
    const found = await openAttempt(tx, { request, gateways, mode, idempotent, mayReturnTo });
    const attempt = await readableBy(tx, request, found);
    const newest = newCall(database, attempt.payment.id);
    if (!needsCall(attempt) || !(await claimCall(tx, newest))) {
      return { opened: attempt, call: null };
    }
    return { opened: await withFreshPage(tx, attempt, gateways), call: newest };
  });
  const { payment, standing } = opened;
  if (call !== null) await orEndCall(call, () => initiate(shop, payment, call));
  return {
    whole: await getPayment(database.read, payment.id),
    isExisting: standing === "existing",
  };
}

/** The merchant's own attempt can be read by the publishable key that is answered it. */
async function readableBy(
  tx: Tx,
  { askedBy: { isPublic } }: PaymentRequest,
  attempt: OpenedAttempt,
): Promise<OpenedAttempt> {
  const { payment } = attempt;
  if (!isPublic || payment.isPublic) return attempt;
  return { ...attempt, payment: await paymentRows.save(tx, payment, { isPublic }) };
}

/**
 * Whether the gateway must still be called. An attempt that a crash left unanswered is sent again,
 * because the gateway recognizes its reference; without the idempotency key only if provably nothing
 * was sent.
 */
function needsCall({ payment, standing }: OpenedAttempt): boolean {
  if (payment.gateway === null || payment.status !== "pending") return false;
  return standing !== "existing" || !payment.isUnknown;
}

/**
 * A new gateway reference for a hosted page whose address was lost: gateways do not return a page
 * twice for one reference.
 */
async function withFreshPage(
  tx: Tx,
  attempt: OpenedAttempt,
  gateways: PaymentsShop["gateways"],
): Promise<OpenedAttempt> {
  const { payment, standing } = attempt;
  const gateway = gateways.find(({ id }) => id === payment.gateway);
  const isLostPage = standing === "continued" && payment.isUnknown && isPaidOnPage(payment);
  if (!isLostPage || gateway === undefined) return attempt;
  const attemptNumber = payment.attemptNumber + 1;
  const gatewayReference = gateway.newReference(payment.id, attemptNumber);
  return {
    standing,
    payment: await paymentRows.save(tx, payment, { attemptNumber, gatewayReference }),
  };
}

async function initiate(shop: PaymentsShop, payment: Payment, call: GatewayCall): Promise<void> {
  const { database, mode } = shop;
  const initiation = await askGateway<Initiation>(shop, payment, {
    ask: (gateway, attempt) => gateway.initiate(attempt),
    absent: { kind: "not_sent" },
    broken: { kind: "unknown" },
  });
  await database.write(async (tx) => {
    await noteInitiation(tx, { sent: payment, initiation, mode });
    await endCall(tx, call);
  });
  if (initiation.kind !== "not_sent") return;
  throw gatewayUnavailable({
    headers: { "Retry-After": RETRY_SECONDS },
    members: { reference: payment.reference },
  });
}
