// Story: what was written off of units that were credited after the sale is taken off the sale. Invariant: a sale is
// what the customer keeps, what the merchant keeps and what was or will be refunded; what is taken off it and its refunds
// never have more of a tax than was sold, and have all of it once nothing of the sale is left.

import { findRefundsOfOrder } from "#payments/refunds/queries.ts";
import { namedTaxes, taxesToReduce } from "#payments/refunds/refund-taxes.ts";
import { refundPartsOf } from "#payments/refunds/refund.ts";
import type { Tx } from "#platform/database/database.ts";
import { orderUpdated } from "#sales/orders/events.ts";
import { saveOrder } from "#sales/orders/save-order.ts";
import { unsoldOf } from "#sales/rows/balance.ts";
import type { Order } from "#sales/rows/order.ts";
import { reducedBreakdown } from "#sales/rows/sale.ts";

/**
 * Takes off the sale of the locked order what is sold no more, and emits `order.updated` with its amount and its taxes.
 * Nothing is written where all of the sale is accounted for.
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
