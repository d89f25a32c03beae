// Workflow: sends a refund to its gateway, or reads there what became of it. Invariant: a refund that the gateway
// may know is read first, and sent again only after its lists lacked it for long enough. None is sent late if as much
// was refunded there meanwhile.

import type { Id } from "#kernel/id.ts";
import { DAY_MS, HOUR_MS } from "#kernel/time.ts";
import {
  claimCall,
  endCall,
  type GatewayCall,
  newCall,
  orEndCall,
} from "#payments/port/gateway-calls.ts";
import type {
  FoundRefund,
  FoundRefunds,
  GatewayAttempt,
  GatewayRefund,
  RefundOutcome,
} from "#payments/port/gateway.ts";
import { callGateway, NO_GATEWAY, type PaymentsShop } from "#payments/port/payments-shop.ts";
import { type Dispute, isOver } from "#payments/rows/dispute.ts";
import { findHolding } from "#payments/rows/lookups.ts";
import type { RefundReason } from "#payments/rows/payment-life.ts";
import { type Payment, paymentTimerNames } from "#payments/rows/payment.ts";
import { paymentRows } from "#payments/rows/queries.ts";
import { findRefundsOfPayments, refundRows } from "#payments/rows/refund-queries.ts";
import {
  hasWaited,
  isRefundWatched,
  isReplaced,
  isSetAside,
  mayCallAgain,
  nextRefundPollAt,
  type Refund,
  REFUNDED_ELSEWHERE,
  tryReferenceOf,
  tryStartedAt,
} from "#payments/rows/refund.ts";
import { pollDisputes } from "#payments/settling/poll-disputes.ts";
import { isListedAs, settleRefund } from "#payments/settling/settle-refund.ts";
import type { Tx } from "#platform/database/database.ts";
import type { IsStillDue } from "#platform/scheduler/timer-work.ts";
import { clearTimer, setTimer } from "#platform/scheduler/timers.ts";

/**
 * Afterwards the refund is what the gateway answered; an undecided one is polled later. Callers in
 * this program that overlap share one result. While another program sends the refund, and where the call is not due any
 * more, returns it as it stands.
 */
export function sendRefund(
  shop: PaymentsShop,
  id: Id<"refund">,
  isStillDue: IsStillDue = always,
): Promise<Refund> {
  const { sendingRefunds } = shop;
  const running = sendingRefunds.get(id);
  if (running !== undefined) return running;
  const sending = send(shop, id, isStillDue).finally(() => sendingRefunds.delete(id));
  sendingRefunds.set(id, sending);
  return sending;
}

const always: IsStillDue = () => Promise.resolve(true);

async function send(shop: PaymentsShop, id: Id<"refund">, isStillDue: IsStillDue): Promise<Refund> {
  const { database } = shop;
  const call = newCall(database, id);
  const { refund, payment, isClaimed } = await database.write((tx) =>
    begin(tx, id, { call, isStillDue }),
  );
  if (!isClaimed) return refund;
  return orEndCall(call, async () => {
    const outcome = await outcomeOf(shop, refund, payment);
    return database.write(async (tx) => {
      const after = await settleRefund(tx, id, outcome);
      const isDecided = outcome.kind === "succeeded" || outcome.kind === "failed";
      const isPolled = !isDecided && isRefundWatched(after, payment);
      const dueAt = isPolled ? nextTryAt(after, outcome, tx.now) : null;
      const { refund: name } = paymentTimerNames;
      if (dueAt === null) await clearTimer(tx, name, id);
      else await setTimer(tx, { name, subject: id, dueAt });
      await endCall(tx, call);
      return after;
    });
  });
}

/** Not before the time for which the gateway wants to be left alone. */
function nextTryAt(refund: Refund, outcome: RefundOutcome, now: number): number | null {
  const plannedAt = nextRefundPollAt(refund, now);
  if (plannedAt === null || outcome.kind !== "not_sent") return plannedAt;
  return Math.max(plannedAt, now + (outcome.retryAfterMs ?? 0));
}

interface PlannedCall {
  readonly call: GatewayCall;
  /** False once another call has planned the next one: a gateway that asked to be left alone is. */
  readonly isStillDue: IsStillDue;
}

/**
 * Claims the call before it reads, so that the refund is the one the previous call left. Records that the gateway is
 * asked, and returns the refund as it was before.
 */
async function begin(tx: Tx, id: Id<"refund">, { call, isStillDue }: PlannedCall) {
  const isFree = await claimCall(tx, call);
  const refund = await refundRows.get(tx, id);
  const payment = await paymentRows.get(tx, refund.paymentId);
  const isClaimed = isFree && isRefundWatched(refund, payment) && (await isStillDue(tx));
  if (isFree && !isClaimed) await endCall(tx, call);
  if (isClaimed && isUnsent(refund) && payment.gateway !== null) await markAsked(tx, refund);
  return { refund, payment, isClaimed };
}

/** Returns true if the gateway was not asked for it yet. */
function isUnsent({ status, askedAt }: Refund): boolean {
  return status === "pending" && askedAt === null;
}

async function markAsked(tx: Tx, refund: Refund): Promise<void> {
  await refundRows.save(tx, refund, { askedAt: tx.now, missedAt: null });
}

/**
 * Asks for the refund if that was never done. Else finds out what became of it; only what the gateway's lists lack
 * for long enough is asked for again. One that waited is looked for, too: in a database that was restored it may have
 * been sent since.
 */
async function outcomeOf(
  shop: PaymentsShop,
  refund: Refund,
  payment: Payment,
): Promise<RefundOutcome> {
  // Money taken by hand is returned by the merchant: recording the refund confirms it.
  if (payment.gateway === null) return { kind: "succeeded", gatewayRefundId: null };
  if (isUnsent(refund)) {
    if (await wasPaidBeside(shop, refund)) return replaced;
    if (!hasWaited(refund, shop.clock.now())) return pay(shop, refund, payment);
    const sent = await read(shop, refund, payment);
    return sent.kind === "not_found" ? pay(shop, refund, payment) : sent;
  }
  const found = await read(shop, refund, payment);
  if (found.kind !== "not_found" || !mayCallAgain(refund, shop.clock.now())) return found;
  const { database } = shop;
  await database.write(async (tx) => markAsked(tx, await refundRows.lock(tx, refund.id)));
  const again = await pay(shop, refund, payment);
  // The first call may have arrived, though this one did not.
  return again.kind === "not_sent" ? { kind: "unknown" } : again;
}

/** Returns true if as much was refunded at the gateway while this one could not be sent. */
async function wasPaidBeside({ database }: PaymentsShop, refund: Refund): Promise<boolean> {
  if (!refund.isUnknown) return false;
  const known = await findRefundsOfPayments(database.read, [refund.paymentId]);
  return known.some(
    (one) =>
      one.isExternal &&
      isSetAside(one) &&
      one.amountMinor === refund.amountMinor &&
      one.createdAt >= tryStartedAt(refund),
  );
}

/** So long a refund waits for an answer about disputes, milliseconds: by then the notice of one has come. */
const DISPUTES_MS_MAX = HOUR_MS;

/**
 * Sends the refund, unless its money is disputed. The gateway is asked, because a dispute may be younger than its
 * notice, and would take the money a second time.
 */
async function pay(shop: PaymentsShop, refund: Refund, payment: Payment): Promise<RefundOutcome> {
  const isReported = await pollDisputes(shop, payment.id);
  const holding = await findHolding(shop.database.read, payment.id);
  if (holding !== undefined) return whileDisputed(refund, holding);
  const isAwaited = shop.clock.now() - tryStartedAt(refund) < DISPUTES_MS_MAX;
  if (!isReported && isAwaited) return { kind: "not_sent", trouble: null, retryAfterMs: null };
  return callGateway<RefundOutcome>(shop, payment, {
    call: "refund",
    run: (gateway, attempt, terms) => gateway.refund(asSent(refund, attempt), terms),
    absent: NO_GATEWAY,
    broken: { kind: "unknown" },
  });
}

/**
 * A refund that follows from an order, such as from a cancellation, waits until the dispute is decided; what a person
 * asked for fails, and can be retried then.
 */
function whileDisputed({ reason }: Refund, holding: Dispute): RefundOutcome {
  if (followsFromOrder.has(reason) && !isOver(holding)) {
    return { kind: "not_sent", trouble: null, retryAfterMs: DAY_MS };
  }
  return { kind: "failed", gatewayCode: "payment_disputed", gatewayRefundId: null };
}

const followsFromOrder: ReadonlySet<RefundReason> = new Set([
  "order_cancelled",
  "goods_returned",
  "late_payment",
]);

/** Reads the outcome of a refund that the gateway may know: under the gateway's id, else in its list. */
async function read(shop: PaymentsShop, refund: Refund, payment: Payment): Promise<RefundOutcome> {
  if (refund.gatewayRefundId !== null) {
    const reported = await callGateway<RefundOutcome>(shop, payment, {
      call: "verifyRefund",
      run: (gateway, attempt, terms) => gateway.verifyRefund(asSent(refund, attempt), terms),
      absent: { kind: "unknown" },
      broken: { kind: "unknown" },
    });
    // The question was not sent. The refund was.
    return reported.kind === "not_sent" ? { kind: "unknown" } : reported;
  }
  const list = await callGateway<FoundRefunds>(shop, payment, {
    call: "findRefunds",
    run: (gateway, attempt, terms) => gateway.findRefunds(attempt, terms),
    absent: { kind: "unknown" },
    broken: { kind: "unknown" },
  });
  if (list.kind === "unknown") return list;
  const own = list.refunds.find((one) => isListedAs(refund, one));
  if (own !== undefined) return own.outcome;
  const known = await findRefundsOfPayments(shop.database.read, [payment.id]);
  const beside = list.refunds.filter((one) => isBeside(refund, one, known));
  if (beside.some(({ isMadeElsewhere = false }) => !isMadeElsewhere)) return { kind: "unknown" };
  const isPaidBeside = beside.some(({ outcome }) => outcome.kind !== "failed");
  const isGivenUp = isReplaced(refund, { isPaidBeside, now: shop.clock.now() });
  return isGivenUp ? replaced : { kind: "not_found" };
}

const replaced: RefundOutcome = {
  kind: "failed",
  gatewayCode: REFUNDED_ELSEWHERE,
  gatewayRefundId: null,
};

/**
 * Returns true if a refund of the gateway without a reference is as much as this one, and was not known when that
 * began.
 */
function isBeside(refund: Refund, found: FoundRefund, known: readonly Refund[]): boolean {
  const isOther = known.some(
    ({ gatewayRefundId, createdAt }) =>
      gatewayRefundId === found.gatewayRefundId &&
      !(found.isMadeElsewhere === true && createdAt >= tryStartedAt(refund)),
  );
  return found.reference === null && found.amountMinor === refund.amountMinor && !isOther;
}

function asSent(refund: Refund, attempt: GatewayAttempt): GatewayRefund {
  const { id: refundId, amountMinor, currency, reason, gatewayRefundId, askedAt } = refund;
  const money = { amountMinor, currency, reason };
  const tried = { reference: tryReferenceOf(refund), createdAt: tryStartedAt(refund) };
  const wasAsked = askedAt !== null;
  return { refundId, ...tried, ...money, gatewayRefundId, attempt, wasAsked };
}
