// Lookup: checks that refunds never have more of a tax than was sold with the order, and have all of it once the sale is
// refunded. Asked for each page of payments: two statements, one where no tax was sold.

import type { Difference } from "#kernel/difference.ts";
import { findRefundsOfOrders } from "#payments/refunds/queries.ts";
import { refundedTaxes, soldTaxes } from "#payments/refunds/refund-taxes.ts";
import { type Refund, refundPartsOf } from "#payments/refunds/refund.ts";
import type { Reader } from "#platform/database/database.ts";
import { eventsAfter } from "#platform/event-log/event-log.ts";
import { findOrdersOfIds } from "#sales/orders/lookups.ts";
import { netOf, saleRefundingMinor } from "#sales/rows/balance.ts";
import type { Order } from "#sales/rows/order.ts";

/**
 * Yields each tax of an order of which its refunds have more than was sold, or less once the whole sale was refunded,
 * and each refund with other taxes than its order. All refunds of an order count together, in the page of the first.
 */
export async function* auditRefundedTaxes(
  db: Reader,
  ofPage: readonly Refund[],
): AsyncGenerator<Difference> {
  const orderIds = new Set(ofPage.flatMap(({ orderId }) => orderId ?? []));
  const orders = (await findOrdersOfIds(db, [...orderIds])).filter(
    (order) => soldTaxes(order).length > 0,
  );
  const ids = orders.map(({ id }) => id);
  const refunds = Map.groupBy(await findRefundsOfOrders(db, ids), ({ orderId }) => orderId);
  const inPage = new Set<string>(ofPage.map(({ id }) => id));
  for (const order of orders) {
    const all = refunds.get(order.id) ?? [];
    if (!inPage.has(all[0]?.id ?? "")) continue;
    yield* foreignTaxes(order, all);
    yield* wrongSums(db, order, all);
  }
}

/** The taxes of a refund stand in the order of the order's, or there are none. */
function* foreignTaxes({ breakdown }: Order, refunds: readonly Refund[]): Generator<Difference> {
  const agreed = breakdown?.taxes ?? [];
  for (const { id, taxes } of refunds) {
    const isAgreed = agreed.every(({ rate, taxClass, isIncluded }, index) => {
      const tax = taxes[index];
      const isSame = tax?.taxClass === taxClass && tax.isIncluded === isIncluded;
      return isSame && Bun.deepEquals(tax.rate, rate);
    });
    if (taxes.length === 0 || (taxes.length === agreed.length && isAgreed)) continue;
    yield { subject: id, what: "taxes", expected: "those of the order", found: "others" };
  }
}

async function* wrongSums(
  db: Reader,
  order: Order,
  refunds: readonly Refund[],
): AsyncGenerator<Difference> {
  const isWhole = isSaleRefunded(order, refunds);
  const differences = taxDifferences(order, refunds, isWhole);
  if (differences.length === 0) return;
  const isCorrected = isWhole && (await hasCorrection(db, order));
  yield* isCorrected ? taxDifferences(order, refunds, false) : differences;
}

function taxDifferences(order: Order, refunds: readonly Refund[], isWhole: boolean): Difference[] {
  const refunded = refundedTaxes(soldTaxes(order), refunds);
  return soldTaxes(order).flatMap((sold, index) => {
    const found = refunded[index] ?? { taxableMinor: 0, amountMinor: 0 };
    const name = order.breakdown?.taxes[index]?.rate.name ?? "tax";
    return [
      { what: `refunded base of ${name}`, soldMinor: sold.taxableMinor, found: found.taxableMinor },
      { what: `refunded ${name}`, soldMinor: sold.amountMinor, found: found.amountMinor },
    ].flatMap(({ what, soldMinor, found: minor }) => {
      if (isWhole ? minor === soldMinor : minor <= soldMinor) return [];
      const expected = isWhole ? soldMinor : `at most ${soldMinor}`;
      return [{ subject: order.id, what, expected, found: minor }];
    });
  });
}

/** Returns true if refunds came to the whole sale. */
function isSaleRefunded(order: Order, refunds: readonly Refund[]): boolean {
  return (
    netOf(order) <= 0 && saleRefundingMinor(order, refundPartsOf(refunds)) === order.saleTotalMinor
  );
}

/** Returns true if a payment was corrected: the correction instead of a refund may have taken the rest of the sale. */
async function hasCorrection(db: Reader, { id: subject }: Order): Promise<boolean> {
  const name = ["payment.corrected"];
  return (await eventsAfter(db, { after: 0, limit: 1, subject, name })).length > 0;
}
