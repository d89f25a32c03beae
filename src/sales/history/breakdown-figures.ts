// Rules: whether what an order keeps of its discounts and taxes agrees. The taxes are computed anew from what the lines
// and the shipping come to and from the rates that were agreed, so each figure is compared with one that it has no part in.

import { percentOf } from "#kernel/money.ts";
import type { SaleRate, TaxLine, TaxShare } from "#pricing/calculation/sale.ts";
import { taxLinesOf } from "#pricing/calculation/tax.ts";
import { type Breakdown, type DiscountLine, discountOfLine } from "#pricing/quote/breakdown.ts";
import { taxesOf } from "#pricing/quote/sale-taxes.ts";
import type { Order, OrderLine } from "#sales/rows/order.ts";
import { saleOf } from "#sales/rows/sale.ts";

/** The figure as it has to be, and as it is kept. */
export type Figure = readonly [what: string, expected: string | number, found: string | number];

/**
 * The breakdown as it has to be: each discount is the sum of its shares, and each tax follows from its base and its
 * rate. Null for an order without one.
 */
export function expectedBreakdown(
  { breakdown, shippingMinor }: Pick<Order, "breakdown" | "shippingMinor">,
  lines: readonly OrderLine[],
): Breakdown | null {
  if (breakdown === null) return null;
  const { taxClasses, taxTerms, shipping } = breakdown;
  const discounts = breakdown.discounts.map(expectedDiscount);
  const leftMinor = taxClasses.map(() => 0);
  for (const { position, unitPriceMinor, quantity } of lines) {
    const offMinor = discountOfLine({ discounts, taxes: [] }, position);
    leftMinor[position] = unitPriceMinor * quantity - offMinor;
  }
  const classes = taxClasses.map((taxClass) => ({ taxClass }));
  const taxes = taxLinesOf({ lines: classes, leftMinor, shippingMinor }, taxesOf(taxTerms));
  const ofShipping = (isIncluded: boolean) =>
    sum(taxes.map((tax) => (tax.isIncluded === isIncluded ? tax.shipping.amountMinor : 0)));
  return {
    ...breakdown,
    discounts,
    taxes,
    shipping: {
      ...shipping,
      discountMinor: sum(
        discounts.map(({ target, amountMinor }) => (target === "shipping" ? amountMinor : 0)),
      ),
      taxMinor: ofShipping(false),
      includedTaxMinor: ofShipping(true),
    },
  };
}

/** A discount of goods is the sum of its shares; that of shipping has none in lines. */
function expectedDiscount(discount: DiscountLine): DiscountLine {
  const { target, byLine } = discount;
  return target === "shipping"
    ? { ...discount, byLine: byLine.map(() => 0) }
    : { ...discount, amountMinor: sum(byLine) };
}

/** Every figure that the order's breakdown keeps. */
export function breakdownFigures(
  order: Order,
  lines: readonly OrderLine[],
  expected: Breakdown | null,
): Figure[] {
  const found = order.breakdown;
  if (found === null || expected === null) return [];
  return [
    ["lines with a tax class", lines.length, found.taxClasses.length],
    ...found.discounts.flatMap((one) => discountFigures(one, lines)),
    ["discount of shipping", expected.shipping.discountMinor, found.shipping.discountMinor],
    ["tax of shipping", expected.shipping.taxMinor, found.shipping.taxMinor],
    ["tax inside shipping", expected.shipping.includedTaxMinor, found.shipping.includedTaxMinor],
    ...taxFigures(expected.taxes, found.taxes),
    ...soldFigures({ ...order, breakdown: expected }, lines),
  ];
}

function discountFigures(
  { title, target, amountMinor, byLine }: DiscountLine,
  lines: readonly OrderLine[],
): Figure[] {
  if (target === "shipping") return [[`shares of ${title}`, 0, sum(byLine)]];
  return [
    [`amount of ${title}`, sum(byLine), amountMinor],
    [`lines of ${title}`, lines.length, byLine.length],
  ];
}

function taxFigures(expected: readonly TaxLine[], found: readonly TaxLine[]): Figure[] {
  const names = [expected, found].map((taxes) => taxes.map(nameOf).join(", ") || "none");
  const [agreed = "", kept = ""] = names;
  if (agreed !== kept) return [["taxes", agreed, kept]];
  return expected.flatMap((tax, index) => {
    const other = found[index];
    return other === undefined ? [] : figuresOfTax(tax, other);
  });
}

function figuresOfTax(expected: TaxLine, found: TaxLine): Figure[] {
  const name = nameOf(expected);
  return [
    ...figuresOfShare(name, expected, found),
    ...expected.byLine.flatMap((share, position) =>
      figuresOfShare(`${name} in line ${position + 1}`, share, found.byLine[position]),
    ),
    ...figuresOfShare(`${name} in shipping`, expected.shipping, found.shipping),
  ];
}

function figuresOfShare(what: string, expected: TaxShare, found: TaxShare | undefined): Figure[] {
  return [
    [`base of ${what}`, expected.taxableMinor, found?.taxableMinor ?? "none"],
    [what, expected.amountMinor, found?.amountMinor ?? "none"],
  ];
}

/** The rate with all that a tax return tells of it. */
function nameOf({ rate, taxClass, isIncluded }: TaxLine): string {
  return `${rateName(rate)} of ${taxClass} goods, ${isIncluded ? "inside" : "on top"}`;
}

function rateName({ name, country, region, millionths }: SaleRate): string {
  const place = region === null ? country : `${country} ${region}`;
  return `${name} ${percentOf(millionths)} % (${place})`;
}

/** The figures of the sale when the order became paid. An order without taxes has nothing to keep. */
function soldFigures(order: Order, lines: readonly OrderLine[]): Figure[] {
  const { taxes, sold } = order.breakdown ?? { taxes: [], sold: null };
  if (taxes.length === 0) return [];
  const isPaid = order.paidAt !== null;
  if (sold === null || !isPaid) {
    return [["taxes of the sale", isPaid ? "kept" : "none", sold === null ? "none" : "kept"]];
  }
  const left = saleOf(order, lines).breakdown?.taxes ?? [];
  return taxes.flatMap((tax, index) =>
    figuresOfSold(tax, left[index] ?? nothing, {
      sold: sold.taxes[index] ?? nothing,
      kept: sold.kept.taxes[index] ?? nothing,
    }),
  );
}

const nothing: TaxShare = { taxableMinor: 0, amountMinor: 0 };

/**
 * At most all of the tax was sold, and at least what is left of it now, since units are only credited. Of the
 * difference the merchant may have kept a part.
 */
function figuresOfSold(
  all: TaxLine,
  left: TaxShare,
  { sold, kept }: { readonly sold: TaxShare; readonly kept: TaxShare },
): Figure[] {
  return (["taxableMinor", "amountMinor"] as const).flatMap((of): Figure[] => {
    const what = of === "taxableMinor" ? `base of ${nameOf(all)}` : nameOf(all);
    const creditedMinor = Math.max(0, sold[of] - left[of]);
    return [
      within(`sold ${what}`, { least: left[of], most: all[of] }, sold[of]),
      within(`kept ${what}`, { least: 0, most: creditedMinor }, kept[of]),
    ];
  });
}

function within(
  what: string,
  { least, most }: { readonly least: number; readonly most: number },
  found: number,
): Figure {
  if (least <= found && found <= most) return [what, found, found];
  return [what, least === most ? least : `${least} to ${most}`, found];
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, minor) => total + minor, 0);
}
