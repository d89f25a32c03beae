// Workflow: calls the gateway to learn what became of an attempt, and settles it. Safe to repeat at any time.

import { DAY_MS, MINUTE_MS } from "#kernel/time.ts";
import type { FoundRefund, FoundRefunds, PaymentOutcome } from "#payments/port/gateway.ts";
import { callGateway, type PaymentsShop } from "#payments/port/payments-shop.ts";
import {
  getPayment,
  type LockedPayment,
  lockPayment,
  type WholePayment,
} from "#payments/rows/lookups.ts";
import {
  isOpenAttempt,
  isWatched,
  nextPollAt,
  type Payment,
  paymentTimerNames,
  POLL_PAUSE_MS,
  RETURN_PAUSE_MS,
} from "#payments/rows/payment.ts";
import { claimPoll } from "#payments/rows/queries.ts";
import { isDenied, isRefundWatched, mayFailLate, type Refund } from "#payments/rows/refund.ts";
import { advancePayment } from "#payments/settling/advance-payment.ts";
import { planFirstDisputePoll } from "#payments/settling/plan-polls.ts";
import { settlePayment } from "#payments/settling/settle-payment.ts";
import { adoptRefunds } from "#payments/settling/settle-refund.ts";
import type { Tx } from "#platform/database/database.ts";
import { openDeadline, untilAborted } from "#platform/net/deadline.ts";
import { dueTimeOf, planTimer, setTimer } from "#platform/scheduler/timers.ts";

/** Why a payment is polled, and how long ago the last poll may be for that, milliseconds. */
const pauses = {
  /** A reader, who may ask again and again. */
  read: POLL_PAUSE_MS,
  /** The customer, who comes back when something has happened. */
  return: RETURN_PAUSE_MS,
  /** Its outcome decides what happens next, such as at the end of its time. */
  due: 0,
} as const;

type PollReason = keyof typeof pauses;

/** When to call again after no answer, milliseconds. */
const UNANSWERED_PAUSE_MS = 5 * MINUTE_MS;

/**
 * Returns the payment as the gateway knows it. Unless a poll is due, a payment that is decided, or was polled within
 * the pause of the reason, is returned as it stands. Refuses with `payment_not_found`.
 */
export async function pollPayment(
  shop: PaymentsShop,
  reference: string,
  reason: PollReason,
): Promise<WholePayment> {
  const { database, mode } = shop;
  const known = await getPayment(database.read, reference);
  const { payment } = known;
  const { gateway } = payment;
  if (gateway === null) return known;
  const pauseMs = pauses[reason];
  const isAwaited = reason === "read" ? isOpenAttempt(payment) : isWatched(payment);
  const isTooSoon = !isAwaited || payment.lookedAt > shop.clock.now() - pauseMs;
  if (reason !== "due" && isTooSoon) return known;
  const { isClaimed, seen } = await database.write((tx) => begin(tx, payment, pauseMs));
  if (reason !== "due" && !isClaimed) return known;
  const outcome = await callGateway<PaymentOutcome>(shop, payment, {
    call: "verify",
    run: (at, attempt, terms) => at.verify(attempt, terms),
    absent: { state: "unknown" },
    broken: { state: "unknown" },
  });
  const found = await findRefunds(shop, known, outcome);
  const plannedAt = await database.write(async (tx) => {
    const locked = await lockPayment(tx, payment.id);
    // A fresh page may have replaced the reference meanwhile: the answer is not about that one.
    const isSame = locked.payment.gatewayReference === payment.gatewayReference;
    const settled = isSame ? await settlePayment(tx, locked, { mode, outcome }) : locked;
    if (outcome.state === "succeeded" && outcome.isDisputed === true) {
      await planFirstDisputePoll(tx, payment.id);
    }
    const isAnswered = outcome.state !== "unknown" && found?.kind !== "unknown";
    if (found?.kind === "found") return stillPlanned(tx, payment, seen);
    const isUnreached = shop.health.isUnreached(gateway);
    await schedulePoll(tx, settled, { seen, isAnswered, isUnreached, isWorking: worksOn(outcome) });
    return seen;
  });
  if (found?.kind === "found") {
    await adopt(shop, payment, { refunds: found.refunds, seen: plannedAt });
  }
  return getPayment(database.read, payment.id);
}

function worksOn(outcome: PaymentOutcome): boolean {
  return outcome.state === "pending" && outcome.isWorking === true;
}

/**
 * A crash before the refunds are taken over repeats the poll: it stays planned, also for a payment that is decided
 * now.
 */
async function stillPlanned(
  tx: Tx,
  { id: subject }: Payment,
  seen: number | null,
): Promise<number | null> {
  const timer = { name: paymentTimerNames.poll, subject, dueAt: tx.now };
  if ((await dueTimeOf(tx, timer.name, subject)) !== null) return seen;
  await setTimer(tx, timer);
  return timer.dueAt;
}

/** Money that went back there is the gateway's act. The next poll is planned last. */
function adopt(
  { database }: PaymentsShop,
  { id, gateway, gatewayReference }: Payment,
  { refunds, seen }: { readonly refunds: readonly FoundRefund[]; readonly seen: number | null },
): Promise<void> {
  return database.write(
    async (tx) => {
      const locked = await lockPayment(tx, id);
      const isSame = locked.payment.gatewayReference === gatewayReference;
      const adopted = isSame ? await adoptRefunds(tx, locked, refunds) : locked;
      await schedulePoll(tx, adopted, { seen, isAnswered: true });
    },
    { actor: { type: "gateway", id: gateway } },
  );
}

/**
 * The refunds at the gateway, if more or less went back there than the shop knows of, some are undecided or may fail
 * late, or a notice may have reported one that the payment does not show; else null.
 */
async function findRefunds(
  shop: PaymentsShop,
  { payment, refunds }: WholePayment,
  outcome: PaymentOutcome,
): Promise<FoundRefunds | null> {
  if (outcome.state !== "succeeded") return null;
  const isUndecided = refunds.some(
    (one) => isDenied(one) || (one.askedAt !== null && isRefundWatched(one, payment)),
  );
  const isOther = outcome.returnedMinor !== payment.refundedMinor;
  if (!isUndecided && !isOther && !hidesNews(shop, payment, refunds)) return null;
  return callGateway<FoundRefunds>(shop, payment, {
    call: "findRefunds",
    run: (gateway, attempt, terms) => gateway.findRefunds(attempt, terms),
    absent: { kind: "unknown" },
    broken: { kind: "unknown" },
  });
}

/**
 * Returns true if the payment may not tell what became of its refunds: of one that fails late, and of one that a notice
 * reported.
 */
function hidesNews(
  { gateways, clock }: PaymentsShop,
  payment: Payment,
  refunds: readonly Refund[],
): boolean {
  const gateway = gateways.find(({ id }) => id === payment.gateway);
  const now = clock.now();
  const mayFail = gateway?.refundsFailLate === true && refunds.some((one) => mayFailLate(one, now));
  return mayFail || (gateway?.hidesReturns === true && wasNoticed(payment, now));
}

/** Records when the poll began, and when the next one is due by then. */
async function begin(tx: Tx, { id }: Payment, pauseMs: number) {
  const isClaimed = await claimPoll(tx, id, pauseMs);
  return { isClaimed, seen: await dueTimeOf(tx, paymentTimerNames.poll, id) };
}

/**
 * As planned, or sooner while the attempt is young: a gateway that was down is soon called again. So is one that was
 * not reached since the start, because the plan may have ended while the program was off.
 */
function soonerPollAt(payment: Payment, now: number, isUnreached: boolean): number | null {
  const plannedAt = nextPollAt(payment, now) ?? (isUnreached ? now + UNANSWERED_PAUSE_MS : null);
  if (plannedAt === null || now - payment.createdAt >= DAY_MS) return plannedAt;
  return Math.min(plannedAt, now + UNANSWERED_PAUSE_MS);
}

/** For a day after a notice of a payment that is decided: what it reports, such as a refund, is reported once. */
function newsPollAt(
  payment: Payment,
  { tx: { now }, isAnswered }: { readonly tx: Tx; readonly isAnswered: boolean },
): number | null {
  return isAnswered || !wasNoticed(payment, now) ? null : now + UNANSWERED_PAUSE_MS;
}

function wasNoticed({ noticedAt }: Payment, now: number): boolean {
  return noticedAt !== null && now - noticedAt < DAY_MS;
}

/** The result of a poll. */
interface PollResult {
  /** When the next one was due as this one began. */
  readonly seen: number | null;
  readonly isAnswered: boolean;
  readonly isUnreached?: boolean;
  readonly isWorking?: boolean;
}

/** After the last planned poll, an attempt that is still open or unknown goes to `review`. */
async function schedulePoll(
  tx: Tx,
  locked: LockedPayment,
  { seen, isAnswered, isUnreached = false, isWorking = false }: PollResult,
): Promise<void> {
  const { payment } = locked;
  const polled = { ...payment, isWorking };
  const next = isAnswered ? nextPollAt(polled, tx.now) : soonerPollAt(polled, tx.now, isUnreached);
  const dueAt = isWatched(payment) ? next : newsPollAt(payment, { tx, isAnswered });
  await planTimer(tx, { name: paymentTimerNames.poll, subject: payment.id, dueAt }, seen);
  if (dueAt === null && isWatched(payment) && (isOpenAttempt(payment) || payment.isUnknown)) {
    await advancePayment(tx, locked, { action: "doubt", change: { nextAction: null } });
  }
}

/**
 * Returns the payment as `pollPayment` does, or after the time of a reader as the shop knows it. The poll then goes
 * on; if it fails, the timer polls again. Refuses with `payment_not_found`.
 */
export async function pollBriefly(
  shop: PaymentsShop,
  reference: string,
  reason: PollReason,
): Promise<WholePayment> {
  using deadline = openDeadline(shop.callTimes.reader);
  try {
    return await untilAborted(pollPayment(shop, reference, reason), deadline.signal);
  } catch (error) {
    if (!deadline.signal.aborted) throw error;
    return await getPayment(shop.database.read, reference);
  }
}
