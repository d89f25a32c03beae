// Stories: what changes on an order with its payments: its totals are the sums of them, and the part of the sale that its
// customer pays no more is taken off it.

import { contributionOf, type Payment } from "#payments/rows/payment.ts";
import { findRefundsOfOrder } from "#payments/rows/refund-queries.ts";
import type { Tx } from "#platform/database/database.ts";
import { setTimer } from "#platform/scheduler/timers.ts";
import { recordPayment } from "#sales/changing/settle-order.ts";
import { orderUpdated } from "#sales/orders/events.ts";
import { saveOrder } from "#sales/orders/save-order.ts";
import { noPaidTotals, noParts, subtractTotals, type TaxedParts } from "#sales/rows/balance.ts";
import { type Order, settlingTimers } from "#sales/rows/order.ts";
import { namedTaxes, reducedBreakdown } from "#sales/rows/sale.ts";

import { taxesToReduce } from "./refund-taxes.ts";

/** A change of a payment. */
interface PaymentChange {
  /** Null for a new one. */
  readonly before: Payment | null;
  readonly after: Payment;
  /** The parts of the order that its refunds are of, as far as they change; none if undefined. */
  readonly parts?: TaxedParts | undefined;
}

/** Afterwards the locked order's totals include the change of the payment. */
export async function recordOnOrder(
  tx: Tx,
  order: Order,
  { before, after, parts = noParts }: PaymentChange,
): Promise<Order> {
  const former = before === null ? noPaidTotals : contributionOf(before);
  const added = subtractTotals(contributionOf(after), former);
  if (Object.values(added).every((difference) => difference === 0)) return order;
  const isPaid = added.paidMinor > 0;
  const updated = await recordPayment(tx, order, {
    ...added,
    parts,
    method: isPaid ? after.method : null,
  });
  if (isPaid) await planClosing(tx, updated);
  return announceReduction(tx, order, updated);
}

/** Cancelling the other attempts calls gateways, so a timer does it outside of this transaction. */
async function planClosing(tx: Tx, order: Order): Promise<void> {
  if (order.openAttempts === 0) return;
  await setTimer(tx, { name: settlingTimers.closeAttempts, subject: order.id, dueAt: tx.now });
}

/**
 * Emits `order.updated` with the amount and the taxes that a change of the locked order took off its sale; nothing if it
 * took nothing. Invariant: what is taken off a sale and its refunds never have more of a tax than was sold, and have all
 * of it once nothing of the sale is left.
 */
export async function announceReduction(tx: Tx, before: Order, after: Order): Promise<Order> {
  const { saleTotalMinor } = before;
  if (saleTotalMinor === null || after.saleTotalMinor === null) return after;
  const amountMinor = saleTotalMinor - after.saleTotalMinor;
  if (amountMinor === 0) return after;
  const refunds = await findRefundsOfOrder(tx, after.id);
  const taxes = await taxesToReduce(tx, { ...after, saleTotalMinor }, { amountMinor, refunds });
  const breakdown = reducedBreakdown(after.breakdown, taxes);
  const order = await saveOrder(tx, after, { breakdown });
  const reduction = { amountMinor, taxes: namedTaxes(order, taxes), currency: order.currency };
  await tx.emit(orderUpdated(order, { changed: [], reduction }));
  return order;
}
