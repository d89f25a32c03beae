// Lookup: the parts of its order that a refund is of, and the taxes in them. Invariant: the refunds of an order that did not fail never have more of a tax than
// was sold with it, and have all of it once the sale is refunded. Only what counts in `sale_refunded_total` has taxes:
// late money and deposits that go back before the sale have none.

import type { LockedPayment } from "#payments/rows/lookups.ts";
import type { RefundedTax } from "#payments/rows/payment-life.ts";
import { findRefundsOfOrder } from "#payments/rows/refund-queries.ts";
import { isSetAside, type Refund } from "#payments/rows/refund.ts";
import type { Reader } from "#platform/database/database.ts";
import {
  taxesOfAmount,
  taxesOfRefund,
  type Unrefunded,
  without,
} from "#pricing/calculation/refund-shares.ts";
import type { TaxShare } from "#pricing/calculation/sale.ts";
import { getOrder } from "#sales/orders/lookups.ts";
import { noParts, partsOfRefund, type RefundParts } from "#sales/rows/balance.ts";
import type { Order } from "#sales/rows/order.ts";
import {
  keptLeftOf,
  namedTaxes,
  saleOf,
  shippingWithTaxOf,
  taxedTotalOf,
} from "#sales/rows/sale.ts";

export interface RefundToTax {
  /** The part of the refund that is of the sale. */
  readonly saleMinor: number;
  /**
   * The parts that the refund is for, one tax per tax of the order; units credited before and the rest of the sale if
   * absent.
   */
  readonly named?: Unrefunded;
  /** The part and its taxes of a refund that is made again, which it keeps as far as they are left. */
  readonly again?: Unrefunded;
}

/**
 * The parts of its order that a refund of the payment will be of, with the taxes of the kept money: money in review never
 * counted as paid.
 */
export function partsOf(
  { payment, order }: LockedPayment,
  refund: Pick<Refund, "amountMinor" | "namedMinor">,
): RefundParts & Pick<Refund, "keptTaxes"> {
  if (order === null || payment.capturedMinor === 0) return noParts;
  const parts = partsOfRefund(order, refund);
  const keptTaxes = namedTaxes(order, taxesOfAmount(parts.keptMinor, keptLeftOf(order)));
  return { ...parts, keptTaxes };
}

/**
 * The taxes in an amount that is about to be set aside for a refund, one for each tax of the order, or none. Units that
 * were credited and whose money did not go back yet come before the rest of the sale.
 */
export async function taxesToRefund(
  db: Reader,
  order: Order | null,
  { saleMinor: amountMinor, named, again }: RefundToTax,
): Promise<readonly RefundedTax[]> {
  if (order === null || amountMinor === 0 || soldTaxes(order).length === 0) return [];
  const refunds = await findRefundsOfOrder(db, order.id);
  const { left, credited } = await unrefundedOf(db, order, refunds);
  const own = again ?? named;
  const parts = [...(own === undefined ? [] : [own]), credited];
  return namedTaxes(order, taxesOfRefund({ amountMinor, left, parts }));
}

/** The rest of the sale, and the part of it that the customer does not owe and the merchant does not keep. */
async function unrefundedOf(
  db: Reader,
  order: Order,
  refunds: readonly Refund[],
): Promise<{ readonly left: Unrefunded; readonly credited: Unrefunded }> {
  const sold = { totalMinor: order.saleTotalMinor ?? 0, taxes: soldTaxes(order) };
  const refunded = {
    totalMinor: order.saleRefundingMinor,
    taxes: refundedTaxes(sold.taxes, refunds),
  };
  const left = without(sold, refunded);
  const isSold = taxedTotalOf(saleOf(order, (await getOrder(db, order.id)).lines));
  const credited = without(without(left, isSold), order.breakdown?.sold?.kept ?? nothing);
  return { left, credited };
}

/** The taxes in an amount that is sold no more, one for each tax of the order. */
export async function taxesToReduce(
  db: Reader,
  order: Order,
  { amountMinor, refunds }: { readonly amountMinor: number; readonly refunds: readonly Refund[] },
): Promise<readonly TaxShare[]> {
  const { left, credited } = await unrefundedOf(db, order, refunds);
  return taxesOfRefund({ amountMinor, left, parts: [credited] });
}

const nothing: Unrefunded = { totalMinor: 0, taxes: [] };

/** The taxes that were sold, one for each tax of the order; none if nothing was sold or no tax was charged. */
export function soldTaxes({ breakdown }: Order): readonly TaxShare[] {
  return breakdown?.sold?.taxes ?? [];
}

/** The part of each sold tax that is in the refunds that did not fail. */
export function refundedTaxes(sold: readonly TaxShare[], refunds: readonly Refund[]): TaxShare[] {
  const open = refunds.filter(isSetAside);
  return sold.map((_, index) => ({
    taxableMinor: open.reduce((sum, { taxes }) => sum + (taxes[index]?.taxableMinor ?? 0), 0),
    amountMinor: open.reduce((sum, { taxes }) => sum + (taxes[index]?.amountMinor ?? 0), 0),
  }));
}

/** The charge for shipping with its tax, and the part of it that refunds that did not fail gave back. */
export async function shippingToRefund(
  db: Reader,
  order: Order,
): Promise<{ readonly chargedMinor: number; readonly refundedMinor: number }> {
  const refunds = (await findRefundsOfOrder(db, order.id)).filter(isSetAside);
  return {
    chargedMinor: shippingWithTaxOf(order),
    refundedMinor: refunds.reduce((sum, { shippingMinor }) => sum + shippingMinor, 0),
  };
}
