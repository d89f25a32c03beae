// Computes the price of a sale: discounts, then shipping for the goods that are left, then the taxes of both. Every
// amount is rounded once and its shares are kept on the lines; every total is a sum of them.

import { applyDiscounts, type Reduction } from "./apply-discounts.ts";
import type {
  PricedSale,
  PricedSaleLine,
  PricedShipping,
  SaleLine,
  SaleTotals,
  ShippingChoice,
  TaxLine,
  TaxShare,
  UnpricedSale,
} from "./sale.ts";
import { priceOfOption, weightOf } from "./ship.ts";
import { priceWithoutTax, shippingWithoutTax, taxLinesOf } from "./tax.ts";
import { joined, spread, twinsOf } from "./twins.ts";

/** Prices a sale. Nothing is refused: a discount that does not apply is named with the reason. */
export function priceSale(sale: UnpricedSale): PricedSale {
  const twins = twinsOf(sale);
  if (twins === null) return priceLines(sale);
  const priced = priceLines(joined(sale, twins));
  const lines = linesToPrice(sale);
  const subtotals = lines.map(({ unitMinor, quantity }) => unitMinor * quantity);
  const { leftMinor, ...shares } = spread(priced, subtotals, twins);
  return { ...priced, ...shares, lines: pricedLines(lines, leftMinor, shares.taxLines) };
}

function priceLines(sale: UnpricedSale): PricedSale {
  const lines = linesToPrice(sale);
  const { candidates, manual, taxes } = sale;
  const reduced = applyDiscounts({
    lines,
    candidates,
    manual,
    askedShipping: (goodsMinor) => priceOfShipping(sale, sale.shipping, goodsMinor),
  });
  const { leftMinor, discounts, notApplied } = reduced;
  const taxable = { lines, leftMinor, shippingMinor: chargedShipping(reduced) };
  const taxLines = taxLinesOf(taxable, taxes);
  const priced = pricedLines(lines, leftMinor, taxLines);
  const shipping = pricedShipping(reduced, taxLines);
  const totals = totalsOf(priced, shipping);
  return { lines: priced, shipping, discounts, notApplied, taxLines, totals };
}

/** Step 0: the lines without the tax that their prices contain, where the sale is free of it. */
function linesToPrice({ lines, taxes }: UnpricedSale): readonly SaleLine[] {
  if (!taxes.isExempt || !taxes.isIncluded) return lines;
  return lines.map((line) =>
    line.isNet === true ? line : { ...line, unitMinor: priceWithoutTax(line, taxes) },
  );
}

/** The price of shipping for goods after discounts; null where the option is not offered for these. */
export function priceOfShipping(
  { lines, taxes, defaultWeightGrams }: Omit<UnpricedSale, "shipping">,
  shipping: ShippingChoice,
  goodsMinor: number,
): number | null {
  if (shipping === null) return 0;
  const askedMinor =
    "kind" in shipping
      ? priceOfOption(shipping, goodsMinor, weightOf(lines, defaultWeightGrams))
      : shipping.amountMinor;
  if (askedMinor === null || !taxes.isExempt || !taxes.isIncluded) return askedMinor;
  if ("isNet" in shipping && shipping.isNet) return askedMinor;
  return shippingWithoutTax(askedMinor, taxes);
}

function chargedShipping({ askedMinor, shippingDiscount }: Reduction): number {
  return (askedMinor ?? 0) - (shippingDiscount?.amountMinor ?? 0);
}

function pricedLines(
  lines: readonly SaleLine[],
  leftMinor: readonly number[],
  taxLines: readonly TaxLine[],
): PricedSaleLine[] {
  return lines.map((line, index) =>
    pricedLine(
      line,
      leftMinor[index] ?? 0,
      taxOf(taxLines, ({ byLine }) => byLine[index]),
    ),
  );
}

function pricedLine(
  { unitMinor, quantity }: SaleLine,
  leftMinor: number,
  tax: SumOfTaxes,
): PricedSaleLine {
  const subtotalMinor = unitMinor * quantity;
  return {
    unitMinor,
    subtotalMinor,
    discountMinor: subtotalMinor - leftMinor,
    ...tax,
    totalMinor: leftMinor + tax.taxMinor,
  };
}

function pricedShipping(reduced: Reduction, taxLines: readonly TaxLine[]): PricedShipping {
  const { askedMinor, shippingDiscount } = reduced;
  return {
    askedMinor: askedMinor ?? 0,
    discountMinor: shippingDiscount?.amountMinor ?? 0,
    amountMinor: chargedShipping(reduced),
    ...taxOf(taxLines, ({ shipping }) => shipping),
    discountId: shippingDiscount?.id ?? null,
    isOffered: askedMinor !== null,
  };
}

type SumOfTaxes = Pick<PricedSaleLine, "taxMinor" | "includedTaxMinor">;

/** The taxes of a line or of shipping: on top, and contained. */
function taxOf(
  taxLines: readonly TaxLine[],
  shareOf: (taxLine: TaxLine) => TaxShare | undefined,
): SumOfTaxes {
  let [taxMinor, includedTaxMinor] = [0, 0];
  for (const taxLine of taxLines) {
    const minor = shareOf(taxLine)?.amountMinor ?? 0;
    if (taxLine.isIncluded) includedTaxMinor += minor;
    else taxMinor += minor;
  }
  return { taxMinor, includedTaxMinor };
}

function totalsOf(lines: readonly PricedSaleLine[], shipping: PricedShipping): SaleTotals {
  const total = {
    subtotalMinor: 0,
    discountMinor: 0,
    shippingMinor: shipping.amountMinor,
    shippingDiscountMinor: shipping.discountMinor,
    taxMinor: shipping.taxMinor,
    includedTaxMinor: shipping.includedTaxMinor,
    totalMinor: shipping.amountMinor + shipping.taxMinor,
  };
  for (const line of lines) {
    total.subtotalMinor += line.subtotalMinor;
    total.discountMinor += line.discountMinor;
    total.taxMinor += line.taxMinor;
    total.includedTaxMinor += line.includedTaxMinor;
    total.totalMinor += line.totalMinor;
  }
  return total;
}
