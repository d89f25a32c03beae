// Workflow: somebody wants to pay. Write the intention, call, write the outcome. Invariant: the
// attempt is committed before the gateway hears of it, and the same idempotency key finds it again
// after a crash between any two of the three, so that one key charges once.

import type { Gateway, Initiation } from "#payments/gateways/port.ts";
import { getPayment, type WholePayment } from "#payments/payments/lookups.ts";
import {
  gatewayReferenceOf,
  gatewayUnavailable,
  type Payment,
} from "#payments/payments/payment.ts";
import { attemptOf, gatewayOf, type PaymentsShop } from "#payments/payments/payments-shop.ts";
import { savePayment } from "#payments/payments/save-payment.ts";
import { newHolder } from "#platform/database/leases.ts";
import type { IdempotentRequest } from "#platform/http/idempotency/idempotent.ts";

import { claimCall, endCall, type GatewayCall, orEndCall } from "./gateway-calls.ts";
import { noteInitiation } from "./note-initiation.ts";
import { openAttempt, type OpenedAttempt } from "./open-attempt.ts";
import type { PaymentRequest } from "./payment-request.ts";

export interface Initialized {
  readonly whole: WholePayment;
  /** Whether an attempt that was there already is answered. */
  readonly isExisting: boolean;
}

const RETRY_SECONDS = "5";

/**
 * Afterwards there is one attempt for what was asked, and the payer knows what to do. A declined
 * attempt is an attempt. Refuses as `openAttempt` does, and with `gateway_unavailable` where nothing
 * was sent: the same key then continues.
 */
export async function initializePayment(
  shop: PaymentsShop,
  request: PaymentRequest,
  idempotent: IdempotentRequest | null,
): Promise<Initialized> {
  const { database, gateways } = shop;
  const caller = newHolder(database);
  const { attempt, call } = await database.write(async (tx) => {
    const opened = await openAttempt(tx, { request, gateways, idempotent });
    const asking = { database, subject: opened.payment.id, caller };
    const isClaimed = isToBeAsked(shop, opened) && (await claimCall(tx, asking));
    if (!isClaimed) return { attempt: opened, call: null };
    const keep = (payment: Payment, change: Partial<Payment>) => savePayment(tx, payment, change);
    return { attempt: await withFreshPage(opened, keep), call: asking };
  });
  if (call !== null) await orEndCall(call, () => ask(shop, attempt.payment, call));
  return {
    whole: await getPayment(database.read, attempt.payment.id),
    isExisting: attempt.standing === "existing",
  };
}

/** Attempts that a gateway is asked for now by this program, by the shop's gateways. */
const beingAsked = new WeakMap<readonly Gateway[], Set<string>>();

/**
 * What an earlier run left unanswered is asked again: the gateway knows it by its reference. Without
 * its key only where provably nothing was sent, and nobody is asking now.
 */
function isToBeAsked({ gateways }: PaymentsShop, { payment, standing }: OpenedAttempt): boolean {
  if (payment.gateway === null || payment.status !== "pending") return false;
  if (beingAsked.get(gateways)?.has(payment.id) === true) return false;
  return standing !== "existing" || !payment.isUnknown;
}

/** A hosted page whose address nobody got cannot be fetched again by the same reference. */
async function withFreshPage(
  attempt: OpenedAttempt,
  keep: (payment: Payment, change: Partial<Payment>) => Promise<Payment>,
): Promise<OpenedAttempt> {
  const { payment, standing } = attempt;
  const isLostPage = standing === "continued" && payment.isUnknown && payment.method === "gateway";
  if (!isLostPage || payment.status !== "pending") return attempt;
  const attemptNumber = payment.attemptNumber + 1;
  const gatewayReference = gatewayReferenceOf(payment.id, attemptNumber);
  return { standing, payment: await keep(payment, { attemptNumber, gatewayReference }) };
}

async function ask(shop: PaymentsShop, payment: Payment, call: GatewayCall): Promise<void> {
  const { database, mode, gateways } = shop;
  const asked = beingAsked.get(gateways) ?? new Set<string>();
  beingAsked.set(gateways, asked.add(payment.id));
  const initiation = await initiate(shop, payment).finally(() => asked.delete(payment.id));
  await database.write(async (tx) => {
    await noteInitiation(tx, { asked: payment, initiation, mode });
    await endCall(tx, call);
  });
  if (initiation.kind !== "not_sent") return;
  throw gatewayUnavailable({
    headers: { "Retry-After": RETRY_SECONDS },
    members: { reference: payment.reference },
  });
}

async function initiate(shop: PaymentsShop, payment: Payment): Promise<Initiation> {
  const gateway = gatewayOf(shop, payment);
  if (gateway === null) return { kind: "not_sent" };
  try {
    return await gateway.initiate(attemptOf(payment));
  } catch {
    // A gateway that breaks off has told nothing: the charge may stand.
    return { kind: "unknown" };
  }
}
