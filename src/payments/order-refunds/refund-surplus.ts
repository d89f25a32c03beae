// Story: opens the refunds of what was paid beyond what an order owes, after units were cancelled or came back.

import type { Id } from "#kernel/id.ts";
import { refundablePayments } from "#payments/payments/lookups.ts";
import { isConverted, refundableMinor } from "#payments/payments/payment.ts";
import { lockRefund } from "#payments/refunds/lock-refund.ts";
import { findRefundsOfOrder } from "#payments/refunds/queries.ts";
import type { Refund } from "#payments/refunds/refund.ts";
import { reopenRefund } from "#payments/refunds/reopen-refund.ts";
import type { Tx } from "#platform/database/database.ts";
import { lockWholeOrder } from "#sales/orders/lookups.ts";
import { overpaidOf } from "#sales/rows/balance.ts";
import type { Order } from "#sales/rows/order.ts";

import { spreadRefunds } from "./spread-refunds.ts";

/**
 * Afterwards what was overpaid has refunds, which their timers send; those that failed are tried again in place of
 * others. Money by hand gets a refund that waits for a person. Safe to repeat: an opened refund leaves less to refund.
 */
export async function refundSurplus(tx: Tx, id: Id<"order">): Promise<readonly Refund[]> {
  const before = await lockWholeOrder(tx, id);
  const again = await retryFailed(tx, before.order);
  const { order, lines } = again.length === 0 ? before : await lockWholeOrder(tx, id);
  const isReturned = lines.some(({ returnedQuantity }) => returnedQuantity > 0);
  const { refunds } = await spreadRefunds(tx, order, {
    amountMinor: overpaidOf(order),
    reason: isReturned && order.status !== "cancelled" ? "goods_returned" : "order_cancelled",
    isSideEffect: true,
  });
  return [...again, ...refunds];
}

/**
 * Tries refunds again that failed, as far as their amounts are overpaid. If others were opened for these amounts, a
 * person could retry or close the failed ones as well, and the customer would be paid twice.
 */
async function retryFailed(tx: Tx, order: Order): Promise<Refund[]> {
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
    again.push(await reopenRefund(tx, id));
    openMinor -= amountMinor;
  }
  return again;
}
