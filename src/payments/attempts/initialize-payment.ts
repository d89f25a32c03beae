// Workflow: initializes a payment. Commits the attempt, calls the gateway, commits the outcome.
// Invariant: the attempt is committed before the gateway is called, and the same idempotency key
// finds it after a crash between any two of the three steps, so one key charges once.

import { Refusal, type RefusalDefinition } from "#kernel/refusal.ts";
import {
  claimCall,
  endCall,
  type GatewayCall,
  newCall,
  orEndCall,
} from "#payments/port/gateway-calls.ts";
import { endsAtGateway, endsTooSoon } from "#payments/port/gateway-times.ts";
import type { Gateway, Initiation } from "#payments/port/gateway.ts";
import { callGateway, NO_GATEWAY, type PaymentsShop } from "#payments/port/payments-shop.ts";
import { getPayment, lockPayment, type WholePayment } from "#payments/rows/lookups.ts";
import {
  attemptOpen,
  gatewayUnavailable,
  isPaidOnPage,
  type Payment,
  requirePayable,
} from "#payments/rows/payment.ts";
import { paymentRows } from "#payments/rows/queries.ts";
import type { Reader, Story, Tx } from "#platform/database/database.ts";
import type { IdempotentRequest } from "#platform/http/contract/idempotent.ts";

import { closeAttempts } from "./close-payment.ts";
import { openAttempt, type OpenedAttempt } from "./open-attempt.ts";
import type { PaymentRequest } from "./payment-request.ts";
import { pollPayment } from "./poll-payment.ts";
import { tooManyAttempts } from "./public-attempts.ts";
import { recordInitiation } from "./record-initiation.ts";

/** How the attempt was asked for. */
interface Asked {
  /** Finds the attempt of an earlier run; null without a key. */
  readonly idempotent: IdempotentRequest | null;
  /** Runs the last story, by default as one like the others. */
  readonly finish?: (story: Story<Initialized>) => Promise<Initialized>;
}

export interface Initialized {
  readonly whole: WholePayment;
  /** True if the request matched an attempt that existed before. */
  readonly isExisting: boolean;
}

/** The pause before the next try where the gateway does not say one. */
const RETRY_MS = 5_000;

/** The attempt, and what is left to do at its gateway under the claimed call. */
interface Begun {
  readonly opened: OpenedAttempt;
  readonly need: Need;
  readonly call: GatewayCall;
}

/**
 * Afterwards the request has one attempt, whose `next_action` says what the customer must do. A
 * declined attempt is a result, not a refusal. Refuses as `openAttempt` does, also where its order stopped taking
 * money before an earlier attempt reached its gateway, and with
 * `gateway_unavailable` where the call never left this program: the same key then continues.
 */
export async function initializePayment(
  shop: PaymentsShop,
  request: PaymentRequest,
  { idempotent, finish = (story) => shop.database.write(story) }: Asked,
): Promise<Initialized> {
  const { database } = shop;
  const { opened, need, call } = await beginPastOthers(shop, request, idempotent);
  const { payment, standing } = opened;
  const read = async (db: Reader): Promise<Initialized> => ({
    whole: await getPayment(db, payment.id),
    isExisting: standing === "existing",
  });
  if (need === "initiate") {
    return orEndCall(call, async () => {
      const record = await initiate(shop, payment, call);
      return finish(async (tx) => {
        await record(tx);
        return read(tx);
      });
    });
  }
  if (need === "poll") await orEndCall(call, () => poll(shop, payment, call));
  return read(database.read);
}

/** The refusals that other attempts to pay the order cause. */
const madeByOthers: ReadonlySet<RefusalDefinition> = new Set([attemptOpen, tooManyAttempts]);

/**
 * Begins, also past an attempt that asks for more than is due since the order owes less: the timer that closes it may
 * not have fired yet.
 */
async function beginPastOthers(
  shop: PaymentsShop,
  request: PaymentRequest,
  idempotent: IdempotentRequest | null,
): Promise<Begun> {
  try {
    return await begin(shop, request, idempotent);
  } catch (error) {
    const isInTheWay = error instanceof Refusal && madeByOthers.has(error.definition);
    if (!isInTheWay || request.orderId === null) throw error;
    await closeAttempts(shop, request.orderId);
    return begin(shop, request, idempotent);
  }
}

/** Commits the attempt together with the claim of the call that it needs. */
function begin(
  { database, gateways, mode, mayReturnTo }: PaymentsShop,
  request: PaymentRequest,
  idempotent: IdempotentRequest | null,
): Promise<Begun> {
  return database.write(async (tx) => {
    const terms = { request, gateways, mode, idempotent, mayReturnTo, callsNow: true };
    const found = await openAttempt(tx, terms);
    const attempt = await readableBy(tx, request, found);
    const gateway = gateways.find(({ id }) => id === attempt.payment.gateway);
    const newest = newCall(database, attempt.payment.id);
    const wanted = needOf(attempt, gateway);
    const isFree = wanted !== "nothing" && (await claimCall(tx, newest));
    if (!isFree) return { opened: attempt, need: "nothing", call: newest };
    const isAsked = wanted !== "initiate" || attempt.standing === "new";
    const asked = isAsked ? attempt : await markAsked(tx, attempt, gateway);
    return { opened: asked, need: wanted, call: newest };
  });
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

type Need = "initiate" | "poll" | "nothing";

/**
 * Returns the call that the attempt needs of its gateway. Once the gateway was asked, it is never asked again under the
 * same reference: the first call may have charged, so it is polled. A page is asked for anew under another reference,
 * because no one saw the address of the first.
 */
function needOf({ payment }: OpenedAttempt, gateway: Gateway | undefined): Need {
  if (payment.gateway === null || payment.status !== "pending") return "nothing";
  if (payment.askedAt === null) return "initiate";
  return isPaidOnPage(payment) && gateway !== undefined ? "initiate" : "poll";
}

/**
 * Records that the gateway is asked now, in the transaction that claims the call and sees that the order takes money; a
 * new attempt is saved as asked. Returns the attempt as the gateway gets it: not asked before, so a page that was lost,
 * or would end too soon, has another reference.
 */
async function markAsked(
  tx: Tx,
  { payment, standing }: OpenedAttempt,
  gateway: Gateway | undefined,
): Promise<OpenedAttempt> {
  const { order } = await lockPayment(tx, payment.id);
  if (order !== null) requirePayable(order);
  const isFresh = gateway !== undefined && needsNewReference(payment);
  const fresh = isFresh ? nextReference(payment, { gateway, now: tx.now }) : {};
  const saved = await paymentRows.save(tx, payment, { ...fresh, askedAt: tx.now });
  return { standing, payment: { ...saved, askedAt: null } };
}

/**
 * Returns true if the attempt is a page that was lost, or one whose end at the gateway has come too near to open it.
 */
function needsNewReference(payment: Payment): boolean {
  return payment.askedAt !== null || (isPaidOnPage(payment) && endsTooSoon(payment));
}

function nextReference(
  { id, attemptNumber: last, expiresAt }: Payment,
  { gateway, now }: { readonly gateway: Gateway; readonly now: number },
) {
  const attemptNumber = last + 1;
  const gatewayReference = gateway.newReference(id, attemptNumber);
  return { attemptNumber, gatewayReference, gatewayEndsAt: endsAtGateway({ expiresAt, now }) };
}

async function poll(shop: PaymentsShop, { id }: Payment, call: GatewayCall): Promise<void> {
  await pollPayment(shop, id, "read");
  await shop.database.write((tx) => endCall(tx, call));
}

/** Calls the gateway. Returns the story that records its answer and ends the call. */
async function initiate(
  shop: PaymentsShop,
  payment: Payment,
  call: GatewayCall,
): Promise<(tx: Tx) => Promise<void>> {
  const { database, mode } = shop;
  const initiation = await callGateway<Initiation>(shop, payment, {
    call: "initiate",
    run: (gateway, attempt, terms) => gateway.initiate(attempt, terms),
    absent: NO_GATEWAY,
    broken: { kind: "unknown" },
  });
  const record = async (tx: Tx) => {
    await recordInitiation(tx, { sent: payment, initiation, mode });
    await endCall(tx, call);
  };
  if (initiation.kind !== "not_sent") return record;
  await database.write(record);
  const seconds = Math.ceil((initiation.retryAfterMs ?? RETRY_MS) / 1000);
  throw gatewayUnavailable({
    headers: { "Retry-After": String(seconds) },
    members: { reference: payment.reference },
  });
}
