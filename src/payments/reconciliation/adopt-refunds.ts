// Story: what a gateway lists as the refunds of a payment is taken over: the outcomes of the shop's own, also one
// that failed after it succeeded, and refunds that were made at the gateway. Invariants: a refund that may be one of
// the shop's own is never taken for another; of what is more than was left of the payment, a person is told.

import type { FoundRefund } from "#payments/gateways/port.ts";
import { type LockedPayment, lockPayment } from "#payments/payments/lookups.ts";
import {
  isConverted,
  type Payment,
  paymentTimerNames,
  refundableMinor,
  refundCurrencyOf,
} from "#payments/payments/payment.ts";
import { advanceRefund } from "#payments/refunds/advance-refund.ts";
import { lockRefund } from "#payments/refunds/lock-refund.ts";
import { openRefund } from "#payments/refunds/open-refund.ts";
import { findRefundsOfPayments } from "#payments/refunds/queries.ts";
import {
  hasFailed,
  isDenied,
  isRefundWatched,
  nextRefundPollAt,
  type Refund,
  REFUNDED_ELSEWHERE,
  sumOf,
} from "#payments/refunds/refund.ts";
import { isListedAs, settleRefund } from "#payments/refunds/settle-refund.ts";
import type { Tx } from "#platform/database/database.ts";
import { setTimer } from "#platform/scheduler/timers.ts";

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

/** Ends refunds of what was paid twice where the gateway's own did not go back after all: no one has to get it. */
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
  await advanceRefund(tx, await lockRefund(tx, twice.id), move);
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
