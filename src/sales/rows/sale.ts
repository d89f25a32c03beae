// The sale of an order: its lines and its shipping without what was cancelled or came back. Invariant: the
// shares of the units of a line add up to exactly its total, its discount and each of its taxes, in any pieces.

import { split } from "#kernel/money.ts";
import {
  isRoundedDown,
  part,
  type TaxedLine,
  taxesOfAmount,
  type Units,
  type Unrefunded,
  without,
} from "#pricing/calculation/refund-shares.ts";
import type { TaxLine, TaxShare } from "#pricing/calculation/sale.ts";
import { type Breakdown, type DiscountLine, taxOfLine } from "#pricing/quote/breakdown.ts";

import type { Order, OrderLine } from "./order.ts";

type Credited = Pick<OrderLine, "quantity" | "cancelledQuantity" | "returnedQuantity">;
type Priced = Pick<OrderLine, "totalMinor">;

/** Units of a line that were cancelled or came back: the customer does not owe them. */
export function creditedUnits(
  line: Pick<Credited, "cancelledQuantity" | "returnedQuantity">,
): number {
  return line.cancelledQuantity + line.returnedQuantity;
}

/**
 * Returns true if the customer owes the shipping: it is credited once every unit was cancelled, so that nothing ever
 * ships.
 */
function owesShipping(lines: readonly Credited[]): boolean {
  return lines.some((line) => line.cancelledQuantity < line.quantity);
}

type ShippingCharge = Pick<Order, "shippingMinor" | "breakdown">;

/** The charge for shipping with the tax on top of it. */
export function shippingWithTaxOf({ shippingMinor, breakdown }: ShippingCharge): number {
  return shippingMinor + (breakdown?.shipping.taxMinor ?? 0);
}

/** The amount that the customer does not owe because units were cancelled or came back. */
export function creditedOf(order: ShippingCharge, lines: readonly (Credited & Priced)[]): number {
  const ofLines = lines.reduce(
    (sum, line) => sum + line.totalMinor - leftOf(line, line.totalMinor),
    0,
  );
  return ofLines + (owesShipping(lines) ? 0 : shippingWithTaxOf(order));
}

/** The sale: the lines, totals, discounts and taxes without what was credited. */
export interface Sale {
  readonly lines: readonly OrderLine[];
  readonly totals: Pick<
    Order,
    "subtotalMinor" | "discountMinor" | "shippingMinor" | "taxMinor" | "totalMinor"
  >;
  /** The shares of the lines are by their position in the order. */
  readonly breakdown: Breakdown | null;
}

/** Computes the sale of an order from its lines. */
export function saleOf(order: ShippingCharge, lines: readonly OrderLine[]): Sale {
  const isShippingOwed = owesShipping(lines);
  const taxes = (order.breakdown?.taxes ?? []).map((tax) =>
    taxLeft(tax, { lines, isShippingOwed }),
  );
  const left = lines.map((line) => lineLeft(line, taxes));
  const breakdown = breakdownLeft(order.breakdown, { left, taxes, isShippingOwed });
  const sum = (amountOf: (line: OrderLine) => number) =>
    left.reduce((total, line) => total + amountOf(line), 0);
  const shippingMinor = isShippingOwed ? order.shippingMinor : 0;
  const shippingTaxMinor = breakdown?.shipping.taxMinor ?? 0;
  return {
    lines: left.filter((line) => line.quantity > 0),
    totals: {
      subtotalMinor: sum((line) => line.subtotalMinor),
      discountMinor: sum((line) => line.discountMinor),
      taxMinor: sum((line) => line.taxMinor) + shippingTaxMinor,
      shippingMinor,
      totalMinor: sum((line) => line.totalMinor) + shippingMinor + shippingTaxMinor,
    },
    breakdown,
  };
}

/**
 * The sale as `order.paid` announces it. Each tax of a line with credited units is rounded on its own, and so is their
 * sum: where the sum is more, each missing minor unit goes to a tax that was rounded down, so that they add up to it.
 */
export function paidSaleOf(order: ShippingCharge, lines: readonly OrderLine[]): Sale {
  const sale = saleOf(order, lines);
  const agreed = order.breakdown?.taxes ?? [];
  if (sale.breakdown === null || agreed.every(({ isIncluded }) => isIncluded)) return sale;
  const taxes = raisedTaxes(sale, { agreed, lines });
  return { ...sale, breakdown: { ...sale.breakdown, taxes } };
}

function raisedTaxes(
  { lines: left, breakdown }: Sale,
  { agreed, lines }: { readonly agreed: readonly TaxLine[]; readonly lines: readonly OrderLine[] },
): readonly TaxLine[] {
  let taxes = breakdown?.taxes ?? [];
  for (const { position, taxMinor } of left) {
    let missingMinor = taxMinor - taxOfLine({ discounts: [], taxes }, position);
    const line = lines.find((one) => one.position === position);
    if (missingMinor === 0 || line === undefined) continue;
    taxes = taxes.map((tax, index) => {
      const share = agreed[index]?.byLine[position];
      if (missingMinor === 0 || tax.isIncluded || share === undefined) return tax;
      if (!isRoundedDown(share.amountMinor, unitsLeft(line))) return tax;
      missingMinor -= 1;
      return raised(tax, position);
    });
  }
  return taxes;
}

/** The tax with a unit more in a line. */
function raised(tax: TaxLine, position: number): TaxLine {
  const byLine = tax.byLine.map((share, index) =>
    index === position ? { ...share, amountMinor: share.amountMinor + 1 } : share,
  );
  return { ...tax, byLine, amountMinor: tax.amountMinor + 1 };
}

/** The line with its share of each tax of the order. */
export function taxedLine(line: OrderLine, breakdown: Breakdown | null): TaxedLine {
  const taxes = (breakdown?.taxes ?? []).map(({ byLine, isIncluded }) => ({
    ...(byLine[line.position] ?? nothing),
    isIncluded,
  }));
  return { subtotalMinor: line.subtotalMinor, totalMinor: line.totalMinor, taxes };
}

function unitsLeft(line: Credited): Units {
  const { quantity } = line;
  const done = creditedUnits(line);
  return { quantity, done, units: quantity - done };
}

/** The rest of an amount of the line once its units were credited. */
function leftOf(line: Credited, amountMinor: number): number {
  return part(amountMinor, unitsLeft(line));
}

/**
 * The line without its credited units. The total and each tax are rounded by themselves and the discount is what
 * remains between them; where that would be below zero, the tax has it.
 */
function lineLeft(line: OrderLine, taxes: readonly TaxLine[]): OrderLine {
  if (creditedUnits(line) === 0) return line;
  const quantity = line.quantity - creditedUnits(line);
  const subtotalMinor = line.unitPriceMinor * quantity;
  const totalMinor = leftOf(line, line.totalMinor);
  const shareMinor = taxOfLine({ discounts: [], taxes }, line.position);
  const taxMinor = Math.max(shareMinor, totalMinor - subtotalMinor);
  const discountMinor = subtotalMinor + taxMinor - totalMinor;
  return { ...line, quantity, subtotalMinor, discountMinor, taxMinor, totalMinor };
}

const nothing: TaxShare = { taxableMinor: 0, amountMinor: 0 };

function taxLeft(
  tax: TaxLine,
  {
    lines,
    isShippingOwed,
  }: { readonly lines: readonly OrderLine[]; readonly isShippingOwed: boolean },
): TaxLine {
  const shipping = isShippingOwed ? tax.shipping : nothing;
  const byLine = lines.map((line) => {
    const { taxableMinor, amountMinor } = tax.byLine[line.position] ?? nothing;
    return { taxableMinor: leftOf(line, taxableMinor), amountMinor: leftOf(line, amountMinor) };
  });
  const sum = (amountOf: (share: TaxShare) => number) =>
    [...byLine, shipping].reduce((total, share) => total + amountOf(share), 0);
  return {
    ...tax,
    byLine,
    shipping,
    taxableMinor: sum((share) => share.taxableMinor),
    amountMinor: sum((share) => share.amountMinor),
  };
}

interface Left {
  /** The rest of each line. */
  readonly left: readonly OrderLine[];
  readonly taxes: readonly TaxLine[];
  readonly isShippingOwed: boolean;
}

function breakdownLeft(agreed: Breakdown | null, given: Left): Breakdown | null {
  if (agreed === null) return null;
  const { isShippingOwed, taxes } = given;
  const credited = { ...agreed.shipping, discountMinor: 0, taxMinor: 0, includedTaxMinor: 0 };
  return {
    ...agreed,
    discounts: discountsLeft(agreed.discounts, given),
    taxes,
    shipping: isShippingOwed ? agreed.shipping : credited,
  };
}

/** Each line's discount that is left, shared by the discounts as they shared it before. */
function discountsLeft(
  discounts: readonly DiscountLine[],
  { left, isShippingOwed }: Left,
): DiscountLine[] {
  const shares = left.map((line, position) =>
    split(
      line.discountMinor,
      discounts.map(({ byLine }) => byLine[position] ?? 0),
    ),
  );
  return discounts.map((discount, index) => {
    if (discount.target === "shipping") {
      return isShippingOwed ? discount : { ...discount, amountMinor: 0 };
    }
    const byLine = shares.map((share) => share[index] ?? 0);
    return { ...discount, byLine, amountMinor: byLine.reduce((sum, one) => sum + one, 0) };
  });
}

// The taxes that a paid order was sold with, of which refunds take their parts, and what of them the merchant keeps
// although units were credited.

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
  /** True if what is kept before there is a sale has taxes. */
  readonly isTaxed: boolean;
}

/**
 * The breakdown once money for units is kept: no refund of the sale gets the taxes in it, unless more is refunded than
 * goes back. Before there is a sale the taxes are those of the money that is kept beside it.
 */
export function keptBreakdown(
  order: Pick<Order, "shippingMinor" | "breakdown">,
  { before, after, keptMinor, isTaxed }: KeptUnits,
): Breakdown | null {
  const { breakdown } = order;
  if (breakdown === null || keptMinor === 0) return breakdown;
  const { sold } = breakdown;
  const credited = without(taxedTotalOf(saleOf(order, before)), taxedTotalOf(saleOf(order, after)));
  const totalMinor = Math.min(keptMinor, credited.totalMinor);
  const added = taxesOfAmount(totalMinor, credited);
  if (sold === null) return isTaxed ? withKeptTaxes(breakdown, added) : breakdown;
  const taxes = sold.kept.taxes.map((share, index) => sumOfShares(share, added[index]));
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

/** The money that is kept beside the sale and was not refunded, with its taxes. */
export function keptLeftOf({
  keptApartMinor,
  keptRefundingMinor,
  breakdown,
}: Pick<Order, "keptApartMinor" | "keptRefundingMinor" | "breakdown">): Unrefunded {
  return { totalMinor: keptApartMinor - keptRefundingMinor, taxes: breakdown?.keptTaxes ?? [] };
}

/** The breakdown with these taxes added to those of the money that is kept beside the sale. */
export function withKeptTaxes<Of extends Breakdown | null>(
  breakdown: Of,
  added: readonly TaxShare[],
): Of {
  if (breakdown === null || added.every(isNothing)) return breakdown;
  const { taxes, keptTaxes } = breakdown;
  return {
    ...breakdown,
    keptTaxes: taxes.map((_, index) => sumOfShares(keptTaxes?.[index], added[index])),
  };
}

function isNothing({ taxableMinor, amountMinor }: TaxShare): boolean {
  return taxableMinor === 0 && amountMinor === 0;
}

function sumOfShares(one: TaxShare = nothing, other: TaxShare = nothing): TaxShare {
  return {
    taxableMinor: one.taxableMinor + other.taxableMinor,
    amountMinor: one.amountMinor + other.amountMinor,
  };
}

/** The shares with the names of the order's taxes; none if all are nothing. */
export function namedTaxes(
  { breakdown }: Pick<Order, "breakdown">,
  shares: readonly TaxShare[],
): (TaxShare & Pick<TaxLine, "rate" | "taxClass" | "isIncluded">)[] {
  if (shares.every(isNothing)) return [];
  return (breakdown?.taxes ?? []).map(({ rate, taxClass, isIncluded }, index) => {
    const { taxableMinor, amountMinor } = shares[index] ?? nothing;
    return { rate, taxClass, isIncluded, taxableMinor, amountMinor };
  });
}

/** The shares with the other sign. */
export function takenBack<Share extends TaxShare>(shares: readonly Share[]): Share[] {
  return shares.map((share) => ({
    ...share,
    taxableMinor: 0 - share.taxableMinor,
    amountMinor: 0 - share.amountMinor,
  }));
}
