// Stories: a gateway's outcome is applied to a refund, and what it lists as the refunds of a payment is taken over.
// Invariants: a refund is settled once, with payment, order and event in the same transaction; one that may be the
// shop's own is never taken for another; of what is more than was left of the payment, a person is told.

import { maskCardNumbers } from "#kernel/card-number.ts";
import type { Id } from "#kernel/id.ts";
import type { FoundRefund, RefundOutcome } from "#payments/port/gateway.ts";
import { excessReturned } from "#payments/rows/events.ts";
import { type LockedPayment, lockPayment, lockRefund } from "#payments/rows/lookups.ts";
import {
  isConverted,
  type Payment,
  paymentTimerNames,
  refundableMinor,
  refundCurrencyOf,
} from "#payments/rows/payment.ts";
import { findRefundsOfPayments } from "#payments/rows/refund-queries.ts";
import {
  hasFailed,
  isDenied,
  isRefundWatched,
  nextRefundPollAt,
  type Refund,
  REFUNDED_ELSEWHERE,
  sumOf,
  tryReferenceOf,
} from "#payments/rows/refund.ts";
import type { Tx } from "#platform/database/database.ts";
import { setTimer } from "#platform/scheduler/timers.ts";

import { advanceRefund, type RefundMove } from "./advance-refund.ts";
import { openRefund } from "./open-refund.ts";

/**
 * Afterwards an open refund says what the gateway reported; a failed one frees its amount, also if it had
 * succeeded before. One without an outcome after the last poll needs attention, as does one that was closed and
 * then paid by its gateway.
 */
export async function settleRefund(
  tx: Tx,
  id: Id<"refund">,
  outcome: RefundOutcome,
): Promise<Refund> {
  const locked = await lockRefund(tx, id);
  const before = locked.refund;
  const isLateFailure = before.status === "succeeded" && outcome.kind === "failed";
  if (!isRefundWatched(before, locked.locked.payment) && !isLateFailure) return before;
  const move = moveOf(before, { outcome, now: tx.now });
  return (await advanceRefund(tx, locked, move)).refund;
}

interface Answer {
  readonly outcome: RefundOutcome;
  readonly now: number;
}

function moveOf(before: Refund, { outcome, now }: Answer): RefundMove {
  const change = changeOf(before, { outcome, now });
  switch (outcome.kind) {
    case "succeeded":
      return before.status === "closed"
        ? { action: "succeed", change, attention: "paid_twice" }
        : { action: "succeed", change: { ...change, gatewayCode: null, succeededAt: now } };
    case "failed":
      return { action: "fail", change: { ...change, succeededAt: null } };
    case "needs_attention":
      return { action: "stop", change, attention: "gateway" };
    default:
      if (nextRefundPollAt(before, now) === null) {
        // Money that was never sent is still in the shop's hands.
        const attention = outcome.kind === "not_sent" ? "by_hand" : "no_outcome";
        return { action: "stop", change, attention };
      }
      return { action: isWorking(before, outcome) ? "work" : null, change };
  }
}

function isWorking(before: Refund, { kind }: RefundOutcome): boolean {
  return kind === "processing" || (kind === "pending" && before.status !== "pending");
}

function changeOf(before: Refund, { outcome, now }: Answer): Partial<Refund> {
  if (outcome.kind === "not_sent") return { isUnknown: true, askedAt: null };
  if (outcome.kind === "not_found") return { isUnknown: true, missedAt: before.missedAt ?? now };
  if (!("gatewayRefundId" in outcome)) return { isUnknown: true };
  const gatewayRefundId = outcome.gatewayRefundId ?? before.gatewayRefundId;
  const change = { isUnknown: false, missedAt: null, gatewayRefundId };
  if (outcome.kind !== "failed") return change;
  const { gatewayCode } = outcome;
  return { ...change, gatewayCode: gatewayCode === null ? null : maskCardNumbers(gatewayCode) };
}

/** Returns true if the gateway's refund is the current try of the shop's. */
export function isListedAs(
  refund: Pick<Refund, "id" | "retriedAt" | "gatewayRefundId">,
  { gatewayRefundId, reference }: FoundRefund,
): boolean {
  return refund.gatewayRefundId === gatewayRefundId || tryReferenceOf(refund) === reference;
}

/**
 * Afterwards the shop's refunds say what the gateway reports. A refund that the shop did not ask for has one of its
 * own, which moves money only: no units. One that is more than an open refund leaves is taken over once that one
 * was decided: until then a person sees to the open one.
 */
export async function adoptRefunds(
  tx: Tx,
  payment: LockedPayment,
  found: readonly FoundRefund[],
): Promise<LockedPayment> {
  const { id } = payment.payment;
  for (const one of found.toSorted((a, b) => rankOf(a) - rankOf(b))) {
    const refunds = await findRefundsOfPayments(tx, [id]);
    const own = listedIn(refunds, one);
    if (own !== undefined && isDenied(own)) await revive(tx, own, { found: one, refunds });
    else if (own !== undefined) await settleRefund(tx, own.id, one.outcome);
    else if (!mayBeOwn(refunds, one))
      await adopt(tx, await lockPayment(tx, id), { found: one, refunds });
    await endPaidTwice(tx, { found: one, refunds });
  }
  return lockPayment(tx, id);
}

/**
 * Those that failed first: what they free may be what another took. The shop's own before others, which would stop
 * one that the same list tells to be paid.
 */
function rankOf({ outcome, reference }: FoundRefund): number {
  if (outcome.kind === "failed") return 0;
  return reference === null ? 2 : 1;
}

/** The refund of the shop's that is called so there; else the one that was asked for by this name. */
function listedIn(refunds: readonly Refund[], found: FoundRefund): Refund | undefined {
  const named = refunds.find(({ gatewayRefundId }) => gatewayRefundId === found.gatewayRefundId);
  return named ?? refunds.find((refund) => isListedAs(refund, found));
}

/** The gateway has it after all, as far as its amount was not refunded otherwise since. */
async function revive(tx: Tx, { id }: Refund, { found, refunds }: FoundBeside): Promise<void> {
  if (!hasHappened(found)) return;
  const { refund, locked } = await lockRefund(tx, id);
  const isLeft = refund.amountMinor <= refundableMinor(locked.payment);
  if (!isLeft || refund.currency !== refundCurrencyOf(locked.payment)) {
    return adopt(tx, locked, { found, refunds });
  }
  const { gatewayRefundId } = found;
  const change = { gatewayRefundId, gatewayCode: null, isUnknown: false };
  await advanceRefund(tx, { refund, locked }, { action: "work", change });
  await settle(tx, id, found);
}

/** An earlier try of a refund, or one whose id is not known while the gateway does not repeat references. */
function mayBeOwn(refunds: readonly Refund[], found: FoundRefund): boolean {
  const { reference, amountMinor, isMadeElsewhere = false } = found;
  if (isMadeElsewhere) return false;
  return refunds.some((refund) =>
    reference === null
      ? isUnnamed(refund) && refund.amountMinor === amountMinor
      : reference.startsWith(refund.id),
  );
}

/** Returns true if the gateway was asked for it, and has not said what it calls it. */
function isUnnamed(refund: Refund): boolean {
  return !hasFailed(refund) && refund.gatewayRefundId === null && refund.askedAt !== null;
}

interface FoundBeside {
  readonly found: FoundRefund;
  /** The refunds that the payment has. */
  readonly refunds: readonly Refund[];
}

async function adopt(
  tx: Tx,
  locked: LockedPayment,
  { found, refunds }: FoundBeside,
): Promise<void> {
  const { payment } = locked;
  const { amountMinor } = found;
  if (!hasHappened(found) || !isOfMoney(payment, found)) return;
  const leftMinor = refundableMinor(payment);
  if (amountMinor > leftMinor && refunds.some(isUndecided)) return stopOpen(tx, refunds);
  // Money in review goes back whole.
  if (payment.status === "review" && amountMinor < leftMinor) return;
  await takeOver(tx, locked, { found, refunds });
}

function hasHappened({ outcome }: FoundRefund): boolean {
  return "gatewayRefundId" in outcome && outcome.kind !== "failed";
}

/** Returns true if it is of the money that the payment has. */
function isOfMoney(payment: Payment, { currency }: FoundRefund): boolean {
  const isOwn = currency === refundCurrencyOf(payment) && !isConverted(payment);
  return isOwn && payment.receivedMinor !== null;
}

/** The rest of the payment is refunded; what is more waits for a person. */
async function takeOver(
  tx: Tx,
  locked: LockedPayment,
  { found, refunds }: FoundBeside,
): Promise<void> {
  const { amountMinor, gatewayRefundId } = found;
  const terms = { reason: "other", gatewayRefundId } as const;
  const takenMinor = Math.min(amountMinor, Math.max(0, refundableMinor(locked.payment)));
  if (takenMinor > 0) {
    const { refund } = await openRefund(tx, locked, { ...terms, amountMinor: takenMinor });
    await settle(tx, refund.id, found);
  }
  const excessMinor = amountMinor - takenMinor;
  if (excessMinor <= replacedMinor(refunds)) return;
  const after = await lockPayment(tx, locked.payment.id);
  await openRefund(tx, after, { ...terms, amountMinor: excessMinor, isExcess: true, taxes: [] });
}

/** Returns true if the amount of one of the shop's own may still be freed. */
function isUndecided(refund: Refund): boolean {
  const { isExternal, status } = refund;
  return !isExternal && status !== "succeeded" && status !== "closed" && !hasFailed(refund);
}

/** The amount of refunds that a person closed because they were given back at the gateway. */
function replacedMinor(refunds: readonly Refund[]): number {
  const replaced = refunds.filter(
    ({ status, gatewayCode }) => status === "closed" && gatewayCode === REFUNDED_ELSEWHERE,
  );
  return sumOf(replaced);
}

/**
 * Ends and announces refunds of what was paid twice where the gateway's own did not go back after all: no one has to
 * get it.
 */
async function endPaidTwice(tx: Tx, { found, refunds }: FoundBeside): Promise<void> {
  const { gatewayRefundId, outcome } = found;
  const twice = refunds.find(
    (one) => one.attention === "paid_twice" && one.gatewayRefundId === gatewayRefundId,
  );
  if (outcome.kind !== "failed" || twice === undefined) return;
  const isClosed = twice.status === "closed";
  const move = isClosed
    ? ({ action: null, change: { attention: null } } as const)
    : ({ action: "close", change: { closedAt: tx.now } } as const);
  const { refund, locked } = await advanceRefund(tx, await lockRefund(tx, twice.id), move);
  await tx.emit(excessReturned(refund, locked));
}

/** Its outcome is the gateway's; one that is not decided is polled. */
async function settle(tx: Tx, id: Refund["id"], { outcome }: FoundRefund): Promise<void> {
  const refund = await settleRefund(tx, id, outcome);
  const { payment } = await lockPayment(tx, refund.paymentId);
  const dueAt = isRefundWatched(refund, payment) ? nextRefundPollAt(refund, tx.now) : null;
  if (dueAt === null) return;
  await setTimer(tx, { name: paymentTimerNames.refund, subject: id, dueAt });
}

/** The gateway will not pay these any more, or has paid one of them twice. */
async function stopOpen(tx: Tx, refunds: readonly Refund[]): Promise<void> {
  for (const { id, status, isExternal } of refunds) {
    if (isExternal || (status !== "pending" && status !== "processing")) continue;
    const change = { gatewayCode: REFUNDED_ELSEWHERE };
    const move = { action: "stop", change, attention: "gateway" } as const;
    await advanceRefund(tx, await lockRefund(tx, id), move);
  }
}
