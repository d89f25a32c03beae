// Story: an order's money or units changed, so what follows from them is written: the write-off, the payment
// status and, once nothing is due, the sale. Invariant: `order.paid` is emitted once, by the write after which
// nothing is due for the first time, whatever changed; and each change of what is written off is emitted with its
// amount, so that the amounts of an order's events add up to its total.

import type { PaymentMethod } from "#kernel/payment-method.ts";
import type { Announcement, Tx } from "#platform/database/database.ts";
import { setTimer } from "#platform/scheduler/timers.ts";
import { taxesOfAmount } from "#pricing/calculation/refund-shares.ts";
import { orderLinkOf } from "#sales/links/link-addresses.ts";
import { getLinkTerms } from "#sales/links/link-terms.ts";
import { advanceOrder } from "#sales/orders/advance-order.ts";
import { type KeptChange, orderPaid, orderUpdated } from "#sales/orders/events.ts";
import { saveOrder } from "#sales/orders/save-order.ts";
import {
  addTotals,
  awaitsPayment,
  becomesPaid,
  coveredOf,
  dueOf,
  type PaidTotals,
  paymentStatusOf,
  type TaxedParts,
  writtenOffOf,
} from "#sales/rows/balance.ts";
import { type Order, type OrderLine, settlingTimers } from "#sales/rows/order.ts";
import { findLines, releaseLines } from "#sales/rows/queries.ts";
import {
  keptLeftOf,
  namedTaxes,
  paidSaleOf,
  type Sale,
  soldBreakdown,
  takenBack,
  withKeptTaxes,
} from "#sales/rows/sale.ts";

interface Settlement {
  readonly change: Partial<Order>;
  /** The lines after the change; read if undefined and needed. */
  readonly lines?: readonly OrderLine[];
  /** True if the order is cancelled by this change. */
  readonly isCancelled?: boolean;
  /** Builds the events of the change itself, which precede `order.paid`. */
  readonly announce?: (order: Order) => readonly Announcement[];
  /** Why it is written off. */
  readonly writeOffNote?: string | null;
}

/**
 * Saves the change as the locked order's next version with all that follows from it, and completes an order
 * that is shipped and has nothing due. Refuses with `invalid_transition` an order that cannot be cancelled.
 */
export async function settleOrder(
  tx: Tx,
  before: Order,
  { change, lines, isCancelled = false, announce = () => [], writeOffNote = null }: Settlement,
): Promise<Order> {
  const status = isCancelled ? "cancelled" : before.status;
  const balance = balanceAfter({ ...before, ...change, status });
  const sale = await saleIfPaid(tx, balance, lines);
  const kept = keptNewsOf(before, { ...before, ...change, status }, balance);
  const settled = { ...change, ...consequencesOf(tx, balance, sale) };
  const order = isCancelled
    ? await advanceOrder(tx, before, { action: "cancel", change: settled })
    : await saveOrder(tx, before, settled);
  for (const news of announce(order)) await tx.emit(news);
  const changedWriteOffMinor = order.writtenOffMinor - before.writtenOffMinor;
  if (changedWriteOffMinor !== 0) {
    const changed = ["written_off_total"];
    const isOfSale = before.paidAt !== null;
    const news = { changed, note: writeOffNote, changedWriteOffMinor, isOfSale };
    await tx.emit(orderUpdated(order, news));
  }
  for (const changed of kept) {
    await tx.emit(orderUpdated(order, { changed: ["kept_total"], kept: changed }));
  }
  if (sale !== null) {
    const { statusUrl } = orderLinkOf(await getLinkTerms(tx), order);
    await tx.emit(orderPaid(order, sale, statusUrl));
  }
  return order;
}

/** The order with as much written off as is still needed, and nothing due if it is cancelled. */
function balanceAfter(order: Order): Order {
  const writtenOff = { ...order, writtenOffMinor: writtenOffOf(order) };
  const covered = coveredOf(writtenOff);
  const loweredMinor = order.keptApartMinor - covered.keptApartMinor;
  const lowered = taxesOfAmount(loweredMinor, keptLeftOf(order));
  const breakdown = withKeptTaxes(order.breakdown, takenBack(lowered));
  return { ...writtenOff, ...covered, breakdown };
}

/** The changes of what is kept beside the sale: what the change adds, and what is not there to be kept. */
function keptNewsOf(before: Order, given: Order, after: Order): KeptChange[] {
  return [keptChange(before, given), keptChange(given, after)].filter(
    ({ amountMinor }) => amountMinor !== 0,
  );
}

function keptChange(before: Order, after: Order): KeptChange {
  const { currency, breakdown } = after;
  const former = before.breakdown?.keptTaxes ?? [];
  const amountMinor = after.keptApartMinor - before.keptApartMinor;
  const taxes = withKeptTaxes(breakdown, takenBack(former))?.keptTaxes ?? [];
  const named = namedTaxes(after, amountMinor < 0 ? takenBack(taxes) : taxes);
  return { amountMinor, taxes: named, currency };
}

/** The sale if the order becomes paid, else null. */
async function saleIfPaid(
  tx: Tx,
  balance: Order,
  lines: readonly OrderLine[] | undefined,
): Promise<Sale | null> {
  if (!becomesPaid(balance)) return null;
  return paidSaleOf(balance, lines ?? (await findLines(tx, [balance.id])));
}

function consequencesOf(tx: Tx, balance: Order, sale: Sale | null): Partial<Order> {
  const paid =
    sale === null
      ? {}
      : {
          paidAt: tx.now,
          saleTotalMinor: sale.totals.totalMinor,
          breakdown: soldBreakdown(balance.breakdown, sale),
        };
  // An order with its deposit does not expire: the rest may be paid at any time.
  return {
    keptMinor: balance.keptMinor,
    keptApartMinor: balance.keptApartMinor,
    saleTotalMinor: balance.saleTotalMinor,
    breakdown: balance.breakdown,
    ...paid,
    writtenOffMinor: balance.writtenOffMinor,
    paymentStatus: paymentStatusOf({ ...balance, ...paid }),
    ...(awaitsPayment(balance) ? {} : { expiresAt: null }),
  };
}

/**
 * Afterwards a timer that is due at once closes the attempts that ask for more than is due. Gateways are called after
 * the commit, and the timer survives a crash.
 */
export async function settleLater(tx: Tx, order: Order): Promise<void> {
  if (order.openAttempts === 0) return;
  await setTimer(tx, { name: settlingTimers.closeAttempts, subject: order.id, dueAt: tx.now });
}

/** The differences to add to the order's totals. */
interface PaymentRecord extends PaidTotals {
  /** The parts of the order that its refunds are of. */
  readonly parts: TaxedParts;
  /** The method of the captured payment; null if nothing was captured. */
  readonly method: PaymentMethod | null;
}

/**
 * Adds the record to the totals of a locked order, with all that follows from them: the only writer of an order's paid
 * and refunded totals. `order.paid` is never emitted for a cancelled order.
 */
export async function recordPayment(
  tx: Tx,
  before: Order,
  { method, parts, ...added }: PaymentRecord,
): Promise<Order> {
  const isStrangers = before.isStrangers && added.paidMinor <= 0;
  if (isStrangers !== before.isStrangers) await releaseLines(tx, { orderId: before.id });
  return settleOrder(tx, before, {
    change: {
      ...addTotals(before, added),
      saleRefundingMinor: before.saleRefundingMinor + parts.saleMinor,
      keptRefundingMinor: before.keptRefundingMinor + parts.keptMinor,
      breakdown: withKeptTaxes(before.breakdown, takenBack(parts.keptTaxes)),
      isStrangers,
      ...(method !== null && isPaidBy(before) ? { paymentMethod: method } : {}),
    },
  });
}

/**
 * Returns true if money that comes now pays for the sale: money that is not owed is refunded, and the method of a sale
 * stays what it was announced with.
 */
function isPaidBy(before: Order): boolean {
  return before.paidAt === null && dueOf(before) > 0;
}
