// Story: an amount of an order is refunded from the payments that captured it.

import { refundableMinor } from "#payments/payments/payment.ts";
import { paymentRows } from "#payments/payments/queries.ts";
import type { Tx } from "#platform/database/database.ts";
import type { Order } from "#sales/orders/order.ts";

import { openRefund, type RefundTerms } from "./open-refund.ts";
import type { Refund } from "./refund.ts";
import { refundablePayments } from "./refundable-payments.ts";

export interface SpreadRefunds {
  readonly order: Order;
  readonly refunds: readonly Refund[];
}

/**
 * Opens refunds of the locked order's payments until the amount is reached or nothing is left: gateways' payments
 * first, the newest first. The first refund carries the lines.
 */
export async function spreadRefunds(
  tx: Tx,
  before: Order,
  terms: RefundTerms,
): Promise<SpreadRefunds> {
  const refunds: Refund[] = [];
  let order = before;
  let openMinor = terms.amountMinor;
  for (const { id } of await refundablePayments(tx, before.id)) {
    const payment = await paymentRows.lock(tx, id);
    const amountMinor = Math.min(openMinor, refundableMinor(payment));
    if (amountMinor === 0) continue;
    openMinor -= amountMinor;
    const lines = refunds.length === 0 ? (terms.lines ?? []) : [];
    const opened = await openRefund(tx, { payment, order }, { ...terms, amountMinor, lines });
    refunds.push(opened.refund);
    order = opened.locked.order ?? order;
  }
  return { order, refunds };
}
