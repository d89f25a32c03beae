// The taxes that a paid order was sold with, of which refunds take their parts, and what of them the merchant keeps
// although units were credited.

import { taxesOfAmount, type Unrefunded, without } from "#pricing/calculation/refund-shares.ts";
import type { TaxShare } from "#pricing/calculation/sale.ts";
import type { Breakdown } from "#pricing/quote/breakdown.ts";
import type { Order, OrderLine } from "#sales/orders/order.ts";

import { type Sale, saleOf } from "./sale.ts";

/** The total of a sale with its taxes. */
export function taxedTotalOf({ totals, breakdown }: Sale): Unrefunded {
  return { totalMinor: totals.totalMinor, taxes: breakdown?.taxes ?? [] };
}

/** The breakdown of an order that is paid now: it keeps the taxes of what is sold. */
export function soldBreakdown(agreed: Breakdown | null, sale: Sale): Breakdown | null {
  if (agreed === null) return null;
  const taxes = agreed.taxes.map((_, index) => ({
    taxableMinor: sale.breakdown?.taxes[index]?.taxableMinor ?? 0,
    amountMinor: sale.breakdown?.taxes[index]?.amountMinor ?? 0,
  }));
  const none = taxes.map(() => ({ taxableMinor: 0, amountMinor: 0 }));
  return { ...agreed, sold: { taxes, kept: { totalMinor: 0, taxes: none } } };
}

/** The lines before and after units were credited, and how much of the money for them is kept, minor units. */
interface KeptUnits {
  readonly before: readonly OrderLine[];
  readonly after: readonly OrderLine[];
  readonly keptMinor: number;
}

/** The breakdown once money for units is kept: no refund gets the taxes in it, unless more is refunded than goes back. */
export function keptBreakdown(
  order: Pick<Order, "shippingMinor" | "breakdown">,
  { before, after, keptMinor }: KeptUnits,
): Breakdown | null {
  const { breakdown } = order;
  const sold = breakdown?.sold ?? null;
  if (breakdown === null || sold === null || keptMinor === 0) return breakdown;
  const credited = without(taxedTotalOf(saleOf(order, before)), taxedTotalOf(saleOf(order, after)));
  const totalMinor = Math.min(keptMinor, credited.totalMinor);
  const added = taxesOfAmount(totalMinor, credited);
  const taxes = sold.kept.taxes.map(({ taxableMinor, amountMinor }, index) => ({
    taxableMinor: taxableMinor + (added[index]?.taxableMinor ?? 0),
    amountMinor: amountMinor + (added[index]?.amountMinor ?? 0),
  }));
  const kept = { totalMinor: sold.kept.totalMinor + totalMinor, taxes };
  return { ...breakdown, sold: { ...sold, kept } };
}

/** The breakdown without taxes of what is sold no more, one for each of the order's. */
export function reducedBreakdown(
  breakdown: Breakdown | null,
  taxes: readonly TaxShare[],
): Breakdown | null {
  const sold = breakdown?.sold ?? null;
  if (breakdown === null || sold === null) return breakdown;
  const left = without({ totalMinor: 0, taxes: sold.taxes }, { totalMinor: 0, taxes });
  return { ...breakdown, sold: { ...sold, taxes: left.taxes } };
}
