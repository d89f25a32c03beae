// The only writer of a refund's state. Looks the action up in the life table, writes the next version, keeps
// payment and order equal to their refunds, and emits the event.

import type { CurrencyCode } from "#kernel/currency.ts";
import { arrow } from "#kernel/machine.ts";
import { formatAmount } from "#kernel/money.ts";
import { HOUR_MS } from "#kernel/time.ts";
import { moneyReturned, refundMoved } from "#payments/rows/events.ts";
import type { LockedPayment, LockedRefund } from "#payments/rows/lookups.ts";
import {
  type RefundAction,
  type RefundAttention,
  refundLife,
} from "#payments/rows/payment-life.ts";
import {
  type Payment,
  paymentTimerNames,
  refundableMinor,
  refundCurrencyOf,
} from "#payments/rows/payment.ts";
import { paymentRows, setAsideForRefund } from "#payments/rows/queries.ts";
import { findRefundsOfOrder, refundRows } from "#payments/rows/refund-queries.ts";
import {
  isDenied,
  isExcess,
  isRefundWatched,
  isReturned,
  isSetAside,
  nextWatchAt,
  type Refund,
  REFUNDED_ELSEWHERE,
  refundExceedsCaptured,
} from "#payments/rows/refund.ts";
import type { Tx } from "#platform/database/database.ts";
import { clearTimer, setTimer } from "#platform/scheduler/timers.ts";
import type { TaxedParts } from "#sales/rows/balance.ts";
import { takenBack } from "#sales/rows/sale.ts";

import { advancePayment } from "./advance-payment.ts";
import { recordOnOrder } from "./record-on-order.ts";
import { partsOf, shippingToRefund, taxesToRefund } from "./refund-taxes.ts";

export interface RefundMove {
  /** Null if the state stays and only other fields change. */
  readonly action: RefundAction | null;
  readonly change: Partial<Refund>;
  /** Why the next state needs attention; null if it does not. */
  readonly attention?: RefundAttention | null;
}

/**
 * Afterwards the refund is in its next state, its amount is set aside, given back or free again, and the event
 * is emitted; an action that the state does not allow keeps it. Refuses with `refund_exceeds_captured` a failed
 * refund whose amount was refunded otherwise.
 */
export async function advanceRefund(
  tx: Tx,
  { refund: before, locked }: LockedRefund,
  { action, change, attention = null }: RefundMove,
): Promise<LockedRefund> {
  const step = action === null ? null : arrow(refundLife, before.status, action);
  const moved = step === null ? {} : { status: step.next, attention };
  const isTaken = !isSetAside(before) && isSetAside({ ...before, ...moved });
  const kept = isTaken ? await leftAgain(tx, locked, before) : {};
  const refund = await refundRows.save(tx, before, { ...change, ...kept, ...moved });
  const after = { refund, locked: await moveMoney(tx, locked, { before, after: refund }) };
  if (!isRefundWatched(refund, locked.payment)) {
    await clearTimer(tx, paymentTimerNames.refund, refund.id);
  }
  if (isReturned(before) !== isReturned(refund)) await watch(tx, after);
  if (step !== null && step.event !== null) {
    await announce(tx, step.event, { ...after, hadSucceeded: isReturned(before) });
  }
  return after;
}

/** A refund at a gateway that succeeded is watched; one that failed late is not any more. */
async function watch(tx: Tx, { refund, locked }: LockedRefund): Promise<void> {
  if (locked.payment.gateway === null) return;
  const name = paymentTimerNames.watch;
  const dueAt = nextWatchAt(refund, tx.now);
  if (dueAt === null) await clearTimer(tx, name, refund.id);
  else await setTimer(tx, { name, subject: refund.id, dueAt });
}

interface Moved {
  readonly before: Refund;
  readonly after: Refund;
}

async function moveMoney(
  tx: Tx,
  locked: LockedPayment,
  { before, after }: Moved,
): Promise<LockedPayment> {
  const wasAside = isSetAside(before);
  const isAside = isSetAside(after);
  if (wasAside && !isAside && isReturned(before)) return undoReturn(tx, locked, after);
  if (wasAside && !isAside) return freeAmount(tx, locked, after);
  const held = isAside && !wasAside ? await setAside(tx, locked, after) : locked;
  return isReturned(after) && !isReturned(before) ? recordReturn(tx, held, after) : held;
}

/** The parts, taxes and shipping of a failed refund; other refunds may have taken them meanwhile. */
async function leftAgain(tx: Tx, locked: LockedPayment, refund: Refund) {
  const { saleMinor, taxes, shippingMinor } = refund;
  const { order } = locked;
  const parts = partsOf(locked, refund);
  const again = taxes.length === 0 ? undefined : { totalMinor: saleMinor, taxes };
  const left = {
    ...parts,
    taxes: await taxesToRefund(tx, order, {
      saleMinor: parts.saleMinor,
      ...(again !== undefined && { again }),
    }),
  };
  if (order === null || shippingMinor === 0) return left;
  const { chargedMinor, refundedMinor } = await shippingToRefund(tx, order);
  const shippingLeftMinor = Math.max(0, chargedMinor - refundedMinor);
  return { ...left, shippingMinor: Math.min(shippingMinor, shippingLeftMinor) };
}

/** The amount of a failed refund can be refunded again. */
async function freeAmount(tx: Tx, { payment, order }: LockedPayment, refund: Refund) {
  const refundingMinor = payment.refundingMinor - refund.amountMinor;
  const after = await paymentRows.save(tx, payment, { refundingMinor });
  const dueAt = payment.gateway === null ? null : listedAgainAt(payment, refund, tx.now);
  if (dueAt !== null) {
    await setTimer(tx, { name: paymentTimerNames.poll, subject: payment.id, dueAt });
  }
  if (order === null) return { payment: after, order };
  const parts = withoutParts(refund);
  return {
    payment: after,
    order: await recordOnOrder(tx, order, { before: payment, after, parts }),
  };
}

function withoutParts({ saleMinor, keptMinor, keptTaxes }: Refund): TaxedParts {
  return { saleMinor: -saleMinor, keptMinor: -keptMinor, keptTaxes: takenBack(keptTaxes) };
}

/**
 * When the gateway's refunds are listed after one failed. One that was made there may have waited for this amount, or
 * was listed before it was reported; and one that was refused may have been made, and its list be late.
 */
function listedAgainAt(payment: Payment, refund: Refund, now: number): number | null {
  const isMore = payment.returnedMinor > payment.refundedMinor;
  if (isMore || refund.gatewayCode === REFUNDED_ELSEWHERE) return now;
  return isDenied(refund) ? now + HOUR_MS : null;
}

/** The money came back to the gateway: the payment has it again, and its amount can be refunded again. */
function undoReturn(tx: Tx, locked: LockedPayment, refund: Refund): Promise<LockedPayment> {
  const { payment } = locked;
  const isCounted = refund.currency === payment.currency;
  const refundedMinor = payment.refundedMinor - (isCounted ? refund.amountMinor : 0);
  const isLeft = refundedMinor > 0 ? ("unrefund_part" as const) : ("unrefund" as const);
  return advancePayment(tx, locked, {
    // Money that was refunded out of review never counted as paid.
    action: payment.capturedMinor === 0 ? "doubt" : isLeft,
    change: { refundedMinor, refundingMinor: payment.refundingMinor - refund.amountMinor },
    parts: withoutParts(refund),
  });
}

async function recordReturn(tx: Tx, locked: LockedPayment, refund: Refund) {
  const { payment: before } = locked;
  const isCounted = refund.currency === before.currency;
  const refundedMinor = before.refundedMinor + (isCounted ? refund.amountMinor : 0);
  const isWhole = before.status === "review" || refundedMinor === before.capturedMinor;
  return advancePayment(tx, locked, {
    action: isWhole ? "refund" : "refund_part",
    change: { refundedMinor },
  });
}

/** `order.refunded` is of money of orders; what is given back of a payment link is `payment.refunded`. */
async function announce(
  tx: Tx,
  event: string,
  { refund, locked, hadSucceeded }: LockedRefund & { readonly hadSucceeded: boolean },
): Promise<void> {
  const { payment, order } = locked;
  const isReturn = event === "order.refunded";
  if (isReturn && isExcess(refund)) return;
  const isOfSale = order !== null && (isReturn || hadSucceeded);
  const all = isOfSale ? await findRefundsOfOrder(tx, order.id) : null;
  const news =
    isReturn && order !== null && all !== null
      ? moneyReturned(order, { refund, payment, all })
      : refundMoved(isReturn ? "payment.refunded" : event, refund, {
          payment,
          order,
          all,
          hadSucceeded,
        });
  await tx.emit(news);
}

interface Share extends TaxedParts {
  readonly amountMinor: number;
  readonly currency: CurrencyCode;
}

/**
 * Afterwards the locked payment and its order hold the amount back for a refund. One conditional write does it, so that
 * the refunds of a payment never exceed what was captured. Refuses with
 * `refund_exceeds_captured`, also for a currency in which the payment is not refunded.
 */
export async function setAside(
  tx: Tx,
  { payment: before, order }: LockedPayment,
  { amountMinor, currency, saleMinor, keptMinor, keptTaxes }: Share,
): Promise<LockedPayment> {
  const payment =
    currency === refundCurrencyOf(before)
      ? await setAsideForRefund(tx, before.id, amountMinor)
      : undefined;
  if (payment === undefined) {
    const leftMinor = refundableMinor(before);
    const left = refundCurrencyOf(before);
    throw refundExceedsCaptured({
      detail: `Only ${formatAmount(leftMinor, left)} ${left} can be refunded.`,
      members: { refundable_minor: leftMinor, currency: left },
    });
  }
  if (order === null) return { payment, order };
  const parts = { saleMinor, keptMinor, keptTaxes };
  return { payment, order: await recordOnOrder(tx, order, { before, after: payment, parts }) };
}
