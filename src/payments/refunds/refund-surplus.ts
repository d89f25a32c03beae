// Stories: what was paid beyond what an order owes, after units were cancelled or came back, is refunded. Invariant: money
// that was promised so does not pay for another refund, whether its timer fired before or not.

import type { Id } from "#kernel/id.ts";
import { closeAttempts } from "#payments/attempts/close-payment.ts";
import type { PaymentsShop } from "#payments/port/payments-shop.ts";
import { lockRefund, refundablePayments } from "#payments/rows/lookups.ts";
import { isConverted, refundableMinor } from "#payments/rows/payment.ts";
import { findRefundsOfOrder } from "#payments/rows/refund-queries.ts";
import type { Refund } from "#payments/rows/refund.ts";
import type { Tx } from "#platform/database/database.ts";
import { isTimerSet } from "#platform/scheduler/timers.ts";
import { lockWholeOrder } from "#sales/orders/lookups.ts";
import { overpaidOf } from "#sales/rows/balance.ts";
import { type Order, settlingTimers, type WholeOrder } from "#sales/rows/order.ts";

import { spreadRefunds } from "./spread-refunds.ts";
import { type Asker, reopenRefund } from "./stuck-refunds.ts";

/** Money that follows from a change counts against no limit, unless the maker of the change has one. */
const byTheShop: Asker = { actorId: null };

/**
 * Afterwards what was overpaid has refunds, which their timers send; those that failed are tried again in place of
 * others. Money by hand gets a refund that waits for a person. Safe to repeat: an opened refund leaves less to refund.
 */
export async function refundSurplus(
  tx: Tx,
  id: Id<"order">,
  asker: Asker = byTheShop,
): Promise<readonly Refund[]> {
  const before = await lockWholeOrder(tx, id);
  const again = await retryFailed(tx, before.order, asker);
  const { order, lines } = again.length === 0 ? before : await lockWholeOrder(tx, id);
  const isReturned = lines.some(({ returnedQuantity }) => returnedQuantity > 0);
  const { refunds } = await spreadRefunds(tx, order, {
    amountMinor: overpaidOf(order),
    reason: isReturned && order.status !== "cancelled" ? "goods_returned" : "order_cancelled",
    isSideEffect: true,
    ...asker,
  });
  return [...again, ...refunds];
}

/**
 * Tries refunds again that failed, as far as their amounts are overpaid. If others were opened for these amounts, a
 * person could retry or close the failed ones as well, and the customer would be paid twice.
 */
async function retryFailed(tx: Tx, order: Order, asker: Asker): Promise<Refund[]> {
  const payments = (await refundablePayments(tx, order.id)).filter(
    (payment) => payment.gateway !== null && !isConverted(payment),
  );
  const failed = (await findRefundsOfOrder(tx, order.id)).filter(
    ({ status, isExternal, paymentId }) =>
      status === "failed" && !isExternal && payments.some(({ id }) => id === paymentId),
  );
  const again: Refund[] = [];
  let openMinor = overpaidOf(order);
  for (const { id, amountMinor } of failed) {
    const { payment } = (await lockRefund(tx, id)).locked;
    if (amountMinor > Math.min(openMinor, refundableMinor(payment))) continue;
    again.push(await reopenRefund(tx, id, asker));
    openMinor -= amountMinor;
  }
  return again;
}

/** Afterwards no attempt asks for more than is due, and what was overpaid has refunds. */
export async function refundOverpaid(shop: PaymentsShop, id: Id<"order">): Promise<void> {
  await closeAttempts(shop, id);
  await shop.database.write((tx) => refundSurplus(tx, id));
}

/** Afterwards the order is locked, and what a timer was about to refund has its refunds. */
export async function lockPromisedOrder(tx: Tx, id: Id<"order">): Promise<WholeOrder> {
  const whole = await lockWholeOrder(tx, id);
  if (!(await isTimerSet(tx, settlingTimers.refundOverpaid, id))) return whole;
  await refundSurplus(tx, id);
  return lockWholeOrder(tx, id);
}
