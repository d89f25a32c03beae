// The taxes of a sale. Invariant: each rate is rounded once for the whole sale and then split, so that the tax is
// the rate of the base and the lines add up; where prices contain tax, no line carries more tax than money.

import { MILLION, portion, split } from "#kernel/money.ts";
import { EXEMPT_CLASS, STANDARD_CLASS } from "#shop/taxes/tax-rate.ts";

import type { RatesByClass, SaleLine, SaleRate, Taxes, TaxLine } from "./sale.ts";

/** The base of taxes: the lines with what is left of them after discounts, and what is charged for shipping. */
export interface Taxable {
  readonly lines: readonly Pick<SaleLine, "taxClass">[];
  readonly leftMinor: readonly number[];
  readonly shippingMinor: number;
}

/** The base of one class of taxes. */
interface ClassBase {
  readonly taxClass: string;
  /** One amount per line of the sale, 0 for those of other classes, and that of shipping at the end. */
  readonly base: readonly number[];
}

/** The taxes of a sale by class and rate. A class with nothing to tax has no line. */
export function taxLinesOf(taxable: Taxable, taxes: Taxes): TaxLine[] {
  if (taxes.isExempt || taxes.ratesByClass.size === 0) return [];
  return taxableByClass(taxable, taxes).flatMap((one) => taxLinesOfClass(one, taxes));
}

/** The price of a line without the tax that it contains in the shop's own country. */
export function priceWithoutTax(
  { unitMinor, taxClass }: Pick<SaleLine, "unitMinor" | "taxClass">,
  { homeRatesByClass: rates }: Taxes,
): number {
  const contained = sumOfRates(ratesOf(classOf(taxClass, rates), rates));
  return portion(unitMinor, MILLION, MILLION + contained);
}

/** The price of shipping without the tax that it contains there: that of the standard rates. */
export function shippingWithoutTax(amountMinor: number, taxes: Taxes): number {
  return priceWithoutTax({ unitMinor: amountMinor, taxClass: STANDARD_CLASS }, taxes);
}

function taxLinesOfClass({ taxClass, base }: ClassBase, taxes: Taxes): TaxLine[] {
  const taxableMinor = sum(base);
  if (taxableMinor === 0) return [];
  const { isIncluded } = taxes;
  const rates = ratesOf(taxClass, taxes.ratesByClass);
  const whole = isIncluded ? MILLION + sumOfRates(rates) : MILLION;
  let left = base;
  return rates.map((rate) => {
    // Many rates of over 100 % together could each round up to more than there is.
    const room = isIncluded ? sum(left) : Infinity;
    const amountMinor = Math.min(portion(taxableMinor, rate.millionths, whole), room);
    const shares = split(amountMinor, left);
    // A unit that one rate took is not there for the next: all rates together stay within the line.
    if (isIncluded) left = left.map((minor, index) => minor - (shares[index] ?? 0));
    const byLine = base.map((minor, index) => ({
      taxableMinor: minor,
      amountMinor: shares[index] ?? 0,
    }));
    const shipping = byLine.pop() ?? { taxableMinor: 0, amountMinor: 0 };
    return { rate, taxClass, isIncluded, taxableMinor, amountMinor, byLine, shipping };
  });
}

/** Sorted by class, so that the shares of shipping do not depend on the order of lines. */
function taxableByClass(
  { lines, leftMinor, shippingMinor }: Taxable,
  { ratesByClass, shippingTax }: Taxes,
): ClassBase[] {
  const ofLines = lines.map(({ taxClass }) => classOf(taxClass, ratesByClass));
  const classes = [...new Set([...ofLines, STANDARD_CLASS])].sort();
  const goods = classes.map((taxClass) =>
    leftMinor.map((minor, index) => (ofLines[index] === taxClass ? minor : 0)),
  );
  const goodsByClass = goods.map(sum);
  const followsGoods = shippingTax === "as_goods" && sum(goodsByClass) > 0;
  const weights = followsGoods
    ? goodsByClass
    : classes.map((taxClass) => (taxClass === STANDARD_CLASS && shippingTax !== "none" ? 1 : 0));
  const shares = split(shippingMinor, weights);
  return classes.map((taxClass, index) => ({
    taxClass,
    base: [...(goods[index] ?? []), shares[index] ?? 0],
  }));
}

function classOf(taxClass: string, rates: RatesByClass): string {
  if (taxClass === EXEMPT_CLASS) return EXEMPT_CLASS;
  return (rates.get(taxClass)?.length ?? 0) > 0 ? taxClass : STANDARD_CLASS;
}

function ratesOf(taxClass: string, rates: RatesByClass): readonly SaleRate[] {
  return taxClass === EXEMPT_CLASS ? [] : (rates.get(taxClass) ?? []);
}

function sumOfRates(rates: readonly SaleRate[]): number {
  return rates.reduce((total, { millionths }) => total + millionths, 0);
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, minor) => total + minor, 0);
}
