// Lookup: the taxes in a refund. Invariant: the refunds of an order that did not fail never have more of a tax than
// was sold with it, and have all of it once the sale is refunded. Only what counts in `sale_refunded_total` has taxes:
// late money and deposits that go back before the sale have none.

import type { RefundedTax } from "#payments/rows/payment-life.ts";
import type { Payment } from "#payments/rows/payment.ts";
import { findRefundsOfOrder } from "#payments/rows/refund-queries.ts";
import { isSetAside, type Refund, refundPartsOf } from "#payments/rows/refund.ts";
import type { Reader } from "#platform/database/database.ts";
import { taxesOfRefund, type Unrefunded, without } from "#pricing/calculation/refund-shares.ts";
import type { TaxShare } from "#pricing/calculation/sale.ts";
import { getOrder } from "#sales/orders/lookups.ts";
import { saleRefundingMinor } from "#sales/rows/balance.ts";
import type { Order } from "#sales/rows/order.ts";
import { saleOf, shippingWithTaxOf, taxedTotalOf } from "#sales/rows/sale.ts";

export interface RefundToTax {
  readonly amountMinor: number;
  readonly isAutomatic?: boolean;
  /**
   * The parts that the refund is for, one tax per tax of the order; units credited before and the rest of the sale if
   * absent.
   */
  readonly named?: Unrefunded;
  /** The part of the amount that is of the sale because the request named it, though more was paid than was owed. */
  readonly namedMinor?: number;
  /** The taxes of a refund that is made again, which it keeps as far as they are left. */
  readonly again?: readonly TaxShare[];
}

/** A locked order, and its payment if the refund is of one. */
interface Refunded {
  readonly order: Order | null;
  readonly payment?: Payment;
}

/**
 * The taxes in an amount that is about to be set aside for a refund, one for each tax of the order, or none. Units that
 * were credited and whose money did not go back yet come before the rest of the sale.
 */
export async function taxesToRefund(
  db: Reader,
  { order, payment }: Refunded,
  refund: RefundToTax,
): Promise<readonly RefundedTax[]> {
  // Money in review never counted as paid.
  if (order === null || payment?.status === "review") return [];
  return refund.amountMinor === 0 || soldTaxes(order).length === 0
    ? []
    : taxesOfSale(db, order, refund);
}

async function taxesOfSale(
  db: Reader,
  order: Order,
  refund: RefundToTax,
): Promise<readonly RefundedTax[]> {
  const refunds = await findRefundsOfOrder(db, order.id);
  const { amountMinor, refundedMinor } = partOfSale(order, refund, refunds);
  // A payment that is corrected to less makes former refunds those of the sale, and left their taxes to this one.
  const isLast = refundedMinor + amountMinor === order.saleTotalMinor;
  if (amountMinor <= 0 && !isLast) return [];
  const { left, credited } = await unrefundedOf(db, order, { refunds, refundedMinor });
  const { again, named } = refund;
  const own = again === undefined ? named : { totalMinor: amountMinor, taxes: again };
  const parts = [...(own === undefined ? [] : [own]), credited];
  return namedTaxes(order, taxesOfRefund({ amountMinor, left, parts }));
}

interface RefundsOfSale {
  readonly refunds: readonly Refund[];
  /** The part of the sale that they give back. */
  readonly refundedMinor: number;
}

/** The rest of the sale, and the part of it that the customer does not owe and the merchant does not keep. */
async function unrefundedOf(
  db: Reader,
  order: Order,
  { refunds, refundedMinor }: RefundsOfSale,
): Promise<{ readonly left: Unrefunded; readonly credited: Unrefunded }> {
  const sold = { totalMinor: order.saleTotalMinor ?? 0, taxes: soldTaxes(order) };
  const refunded = { totalMinor: refundedMinor, taxes: refundedTaxes(sold.taxes, refunds) };
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
  const refundedMinor = saleRefundingMinor(order, refundPartsOf(refunds));
  const { left, credited } = await unrefundedOf(db, order, { refunds, refundedMinor });
  return taxesOfRefund({ amountMinor, left, parts: [credited] });
}

const nothing: Unrefunded = { totalMinor: 0, taxes: [] };

/** How much of the sale the refund gives back, and how much of it the refunds before it. */
function partOfSale(
  order: Order,
  { amountMinor, isAutomatic = false, namedMinor = 0 }: RefundToTax,
  refunds: readonly Refund[],
): { readonly amountMinor: number; readonly refundedMinor: number } {
  const before = refundPartsOf(refunds);
  const refundedMinor = saleRefundingMinor(order, before);
  const after = { ...order, refundingMinor: order.refundingMinor + amountMinor };
  const afterMinor = saleRefundingMinor(after, {
    returningMinor: before.returningMinor + (isAutomatic ? amountMinor : 0),
    namedMinor: before.namedMinor + namedMinor,
  });
  return { amountMinor: afterMinor - refundedMinor, refundedMinor };
}

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

/** The shares with the names of the order's taxes; none if all are nothing. */
export function namedTaxes(
  { breakdown }: Pick<Order, "breakdown">,
  shares: readonly TaxShare[],
): readonly RefundedTax[] {
  const isNothing = shares.every((share) => share.taxableMinor === 0 && share.amountMinor === 0);
  if (isNothing) return [];
  return (breakdown?.taxes ?? []).map(({ rate, taxClass, isIncluded }, index) => {
    const { taxableMinor, amountMinor } = shares[index] ?? { taxableMinor: 0, amountMinor: 0 };
    return { rate, taxClass, isIncluded, taxableMinor, amountMinor };
  });
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
