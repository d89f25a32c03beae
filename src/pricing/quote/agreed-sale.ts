// A sale as the customer agrees to it: the lines with their discounts and taxes, and the totals. Invariant: totals are
// the sums of the lines and of the shipping.

import { Faults } from "#kernel/refusal.ts";
import type { ShippingAsked } from "#pricing/shipping/shipping-charge.ts";

import { type Breakdown, discountOfLine, type SaleSums, sumsOf, taxOfLine } from "./breakdown.ts";
import { type PricedLine, validateTotal } from "./price-order.ts";
import type { SaleQuote } from "./quote-sale.ts";

/** A line with its amounts in minor units. */
export interface AgreedLine extends Omit<PricedLine, "traits"> {
  readonly discountMinor: number;
  readonly taxMinor: number;
  readonly totalMinor: number;
}

export interface AgreedSale {
  readonly lines: readonly AgreedLine[];
  readonly totals: SaleSums;
  /** Null where nothing but the lines and a named charge is agreed. */
  readonly breakdown: Breakdown | null;
  readonly shippingLabel: string | null;
}

type Quoted = Pick<SaleQuote, "priced" | "breakdown" | "shippingLabel">;

/**
 * The sale of these lines as it was quoted; without a quote it comes to its lines and the named charge. Refuses a total
 * above the maximum amount.
 */
export function agreedSale(
  lines: readonly PricedLine[],
  { quote, shipping }: { readonly quote: Quoted | null; readonly shipping: ShippingAsked | null },
): AgreedSale {
  const { breakdown, shippingLabel, shippingMinor } =
    quote === null
      ? asNamed(shipping)
      : { ...quote, shippingMinor: quote.priced.shipping.amountMinor };
  const agreed = lines.map((line) => agreedLine(line, quote));
  const subtotalMinor = agreed.reduce((sum, line) => sum + line.subtotalMinor, 0);
  const totals = sumsOf({ subtotalMinor, shippingMinor }, breakdown);
  const faults = new Faults();
  validateTotal(totals.totalMinor, faults);
  faults.refuseIfAny();
  return { lines: agreed, totals, breakdown, shippingLabel };
}

function asNamed(shipping: ShippingAsked | null) {
  const isNamed = shipping !== null && "amountMinor" in shipping;
  return {
    breakdown: null,
    shippingLabel: isNamed ? shipping.label : null,
    shippingMinor: isNamed ? shipping.amountMinor : 0,
  };
}

/** The price of a unit may differ from the catalog's: an exempt customer pays it without its tax. */
function agreedLine({ traits: _traits, ...line }: PricedLine, quote: Quoted | null): AgreedLine {
  const { position, quantity } = line;
  const breakdown = quote?.breakdown ?? null;
  const unitPriceMinor = quote?.priced.lines[position]?.unitMinor ?? line.unitPriceMinor;
  const subtotalMinor = unitPriceMinor * quantity;
  const discountMinor = discountOfLine(breakdown, position);
  const taxMinor = taxOfLine(breakdown, position);
  const totalMinor = subtotalMinor - discountMinor + taxMinor;
  return { ...line, unitPriceMinor, subtotalMinor, discountMinor, taxMinor, totalMinor };
}
