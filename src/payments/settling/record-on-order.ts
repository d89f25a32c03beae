// Stories: what changes on an order with its payments: its totals are the sums of them, and what was written off of
// units that were credited after the sale is taken off the sale.

import { contributionOf, type Payment } from "#payments/rows/payment.ts";
import { findRefundsOfOrder } from "#payments/rows/refund-queries.ts";
import { refundPartsOf } from "#payments/rows/refund.ts";
import type { Tx } from "#platform/database/database.ts";
import { setTimer } from "#platform/scheduler/timers.ts";
import { recordPayment } from "#sales/changing/settle-order.ts";
import { orderUpdated } from "#sales/orders/events.ts";
import { saveOrder } from "#sales/orders/save-order.ts";
import { noPaidTotals, subtractTotals, unsoldOf } from "#sales/rows/balance.ts";
import { type Order, settlingTimers } from "#sales/rows/order.ts";
import { reducedBreakdown } from "#sales/rows/sale.ts";

import { namedTaxes, taxesToReduce } from "./refund-taxes.ts";

/** Afterwards the locked order's totals include the change of the payment; `before` is null for a new one. */
export async function recordOnOrder(
  tx: Tx,
  order: Order,
  { before, after }: { readonly before: Payment | null; readonly after: Payment },
): Promise<Order> {
  const former = before === null ? noPaidTotals : contributionOf(before);
  const added = subtractTotals(contributionOf(after), former);
  if (Object.values(added).every((difference) => difference === 0)) return order;
  const isPaid = added.paidMinor > 0;
  const updated = await recordPayment(tx, order, {
    ...added,
    method: isPaid ? after.method : null,
  });
  if (isPaid) await planClosing(tx, updated);
  // A refund that failed left money for units that were credited, so that less of them is written off.
  const isTakenBack = updated.writtenOffMinor < order.writtenOffMinor;
  return isTakenBack ? (await reduceSale(tx, { order: updated })).order : updated;
}

/** Cancelling the other attempts calls gateways, so a timer does it outside of this transaction. */
async function planClosing(tx: Tx, order: Order): Promise<void> {
  if (order.openAttempts === 0) return;
  await setTimer(tx, { name: settlingTimers.closeAttempts, subject: order.id, dueAt: tx.now });
}

/**
 * Takes off the sale of the locked order what is sold no more, and emits `order.updated` with its amount and its
 * taxes. Nothing is written where all of the sale is accounted for. Invariant: a sale is what the customer keeps,
 * what the merchant keeps and what was or will be refunded; what is taken off it and its refunds never have more of a
 * tax than was sold, and have all of it once nothing of the sale is left.
 */
export async function reduceSale<Changed extends { readonly order: Order }>(
  tx: Tx,
  changed: Changed,
): Promise<Changed> {
  const { order: before } = changed;
  if (before.saleTotalMinor === null) return changed;
  const refunds = await findRefundsOfOrder(tx, before.id);
  const amountMinor = unsoldOf(before, refundPartsOf(refunds));
  if (amountMinor === 0) return changed;
  const taxes = await taxesToReduce(tx, before, { amountMinor, refunds });
  const order = await saveOrder(tx, before, {
    saleTotalMinor: before.saleTotalMinor - amountMinor,
    breakdown: reducedBreakdown(before.breakdown, taxes),
  });
  const reduction = { amountMinor, taxes: namedTaxes(order, taxes), currency: order.currency };
  await tx.emit(orderUpdated(order, { changed: [], reduction }));
  return { ...changed, order };
}
