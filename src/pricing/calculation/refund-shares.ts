// The shares of a refund in what was sold. They come from the shares that the sale keeps, never from pricing again,
// so that refunds in any pieces come to exactly what was sold.

import { portion, split } from "#kernel/money.ts";

import type { PricedSaleLine, TaxLine, TaxShare } from "./sale.ts";

/** Units of a line: all, those credited before, and those to credit now. */
export interface Units {
  readonly quantity: number;
  readonly done: number;
  readonly units: number;
}

/** The part of an amount of a line that falls to these units. The parts of all units add up to the amount. */
export function part(amountMinor: number, { quantity, done, units }: Units): number {
  return portion(amountMinor, done + units, quantity) - portion(amountMinor, done, quantity);
}

/** Returns true if the part is less than it would be if nothing were rounded. */
export function isRoundedDown(amountMinor: number, given: Units): boolean {
  const { quantity, units } = given;
  return BigInt(part(amountMinor, given)) * BigInt(quantity) < BigInt(amountMinor) * BigInt(units);
}

/** The amounts of some units of a line, in minor units. */
export interface UnitsShare {
  readonly subtotalMinor: number;
  /**
   * Subtotal + tax - total. Each of these is rounded on its own, so it can be a unit or two beside the exact part
   * of the discount, even below zero; the shares of all units come to the line's discount.
   */
  readonly discountMinor: number;
  readonly taxMinor: number;
  readonly includedTaxMinor: number;
  readonly totalMinor: number;
  /** One share per tax line of the sale, in its order. */
  readonly taxes: readonly TaxShare[];
}

/** A line of a sale with its share of each of the sale's tax lines. */
export interface TaxedLine extends Pick<PricedSaleLine, "subtotalMinor" | "totalMinor"> {
  readonly taxes: readonly (TaxShare & Pick<TaxLine, "isIncluded">)[];
}

/** The share of some units of a line: of each rate's tax on its own, since each is reported on its own. */
export function shareOfUnits(line: TaxedLine, units: Units): UnitsShare {
  const taxes = line.taxes.map(({ taxableMinor, amountMinor }) => ({
    taxableMinor: part(taxableMinor, units),
    amountMinor: part(amountMinor, units),
  }));
  const taxWhere = (isIncluded: boolean) =>
    sumOf(taxes.filter((_, index) => line.taxes[index]?.isIncluded === isIncluded));
  const subtotalMinor = part(line.subtotalMinor, units);
  const totalMinor = part(line.totalMinor, units);
  const taxMinor = taxWhere(false);
  return {
    subtotalMinor,
    discountMinor: subtotalMinor + taxMinor - totalMinor,
    taxMinor,
    includedTaxMinor: taxWhere(true),
    totalMinor,
    taxes,
  };
}

/** The share where another amount is refunded for the units: its taxes and its discount in proportion. */
export function shareOfAmount(share: UnitsShare, amountMinor: number): UnitsShare {
  if (amountMinor === share.totalMinor) return share;
  const scaled = (given: number) =>
    share.totalMinor === 0 ? 0 : portion(given, amountMinor, share.totalMinor);
  const { discountMinor } = share;
  return {
    subtotalMinor: scaled(share.subtotalMinor),
    discountMinor: discountMinor < 0 ? 0 - scaled(-discountMinor) : scaled(discountMinor),
    taxMinor: scaled(share.taxMinor),
    includedTaxMinor: scaled(share.includedTaxMinor),
    totalMinor: amountMinor,
    taxes: share.taxes.map((tax) => ({
      taxableMinor: scaled(tax.taxableMinor),
      amountMinor: scaled(tax.amountMinor),
    })),
  };
}

/** The part of a sale, or of its shipping, that was not refunded yet: money with its taxes, one share per tax line. */
export interface Unrefunded {
  readonly totalMinor: number;
  readonly taxes: readonly TaxShare[];
}

/**
 * The taxes in a refund by amount, of at most the total that is left: the tax in proportion, split over the rates by
 * what is left of them. The last refund takes the rest. One share per tax line, in its order.
 */
export function taxesOfAmount(amountMinor: number, { totalMinor, taxes }: Unrefunded): TaxShare[] {
  if (amountMinor === 0) return taxes.map(() => ({ taxableMinor: 0, amountMinor: 0 }));
  const left = taxes.map((tax) => tax.amountMinor);
  const shares = split(portion(sumOf(taxes), amountMinor, totalMinor), left);
  return taxes.map(({ taxableMinor }, index) => ({
    taxableMinor: portion(taxableMinor, amountMinor, totalMinor),
    amountMinor: shares[index] ?? 0,
  }));
}

/** The terms of a refund of a sale. */
export interface RefundOfSale {
  /** The part of the sale's total; at most what is left of it. */
  readonly amountMinor: number;
  /** The rest of the sale. */
  readonly left: Unrefunded;
  /**
   * The units and charges that the refund is for, in the order in which the amount is used up; the rest of it is in
   * proportion.
   */
  readonly parts: readonly Unrefunded[];
}

/**
 * The taxes in a refund: of its parts first, never more than is left of a tax. The refund after which nothing is left
 * of the sale takes all that is left of the taxes. One share per tax line, in its order.
 */
export function taxesOfRefund({ amountMinor, left, parts }: RefundOfSale): TaxShare[] {
  if (amountMinor === left.totalMinor) return [...left.taxes];
  let openMinor = amountMinor;
  let rest = left;
  for (const given of parts) {
    const totalMinor = Math.min(openMinor, given.totalMinor);
    if (totalMinor === 0) continue;
    rest = without(rest, { totalMinor, taxes: taxesOfAmount(totalMinor, given) });
    openMinor -= totalMinor;
  }
  rest = without(rest, { totalMinor: openMinor, taxes: taxesOfAmount(openMinor, rest) });
  return [...without(left, rest).taxes];
}

/** The rest after a part was taken; no tax falls below zero. */
export function without(whole: Unrefunded, taken: Unrefunded): Unrefunded {
  return {
    totalMinor: Math.max(0, whole.totalMinor - taken.totalMinor),
    taxes: whole.taxes.map(({ taxableMinor, amountMinor }, index) => ({
      taxableMinor: Math.max(0, taxableMinor - (taken.taxes[index]?.taxableMinor ?? 0)),
      amountMinor: Math.max(0, amountMinor - (taken.taxes[index]?.amountMinor ?? 0)),
    })),
  };
}

function sumOf(taxes: readonly TaxShare[]): number {
  return taxes.reduce((total, { amountMinor }) => total + amountMinor, 0);
}
