// Lines of one variant, which a customer tells apart by an engraving, are priced as the one line that they would be without
// it: telling them apart neither costs nor saves anything. What that comes to is then split over them.

import { split } from "#kernel/money.ts";

import type { AppliedDiscount, Candidate, SaleLine, TaxLine, UnpricedSale } from "./sale.ts";

/** The positions of the lines that are priced as one, in the order of the first of each. */
export type Twins = readonly (readonly number[])[];

/** Finds the lines that are alike for every discount and tax; null where each line is like no other. */
export function twinsOf({ lines, candidates }: UnpricedSale): Twins | null {
  const named = lines.flatMap(({ variantId }) => variantId ?? []);
  if (new Set(named).size === named.length) return null;
  const scopes = candidates.flatMap(scopesOf).map((scope) => new Set(scope));
  const keyOf = (line: SaleLine, index: number) =>
    typeof line.variantId === "string"
      ? [
          line.variantId,
          line.unitMinor,
          line.taxClass,
          line.isNet === true,
          ...scopes.map((scope) => scope.has(index)),
        ].join()
      : `${index}`;
  const groups = Map.groupBy(lines.keys(), (index) => {
    const line = lines[index];
    return line === undefined ? "" : keyOf(line, index);
  });
  return [...groups.values()];
}

/** The sale with one line in place of each group. */
export function joined(sale: UnpricedSale, twins: Twins): UnpricedSale {
  const groupOf = new Map(twins.flatMap((group, at) => group.map((index) => [index, at])));
  const among = (indexes: readonly number[]) => [
    ...new Set(indexes.flatMap((index) => groupOf.get(index) ?? [])),
  ];
  return {
    ...sale,
    lines: twins.flatMap((group) => {
      const members = group.flatMap((index) => sale.lines[index] ?? []);
      const quantity = members.reduce((units, one) => units + one.quantity, 0);
      return members.slice(0, 1).map((line) => ({ ...line, quantity }));
    }),
    candidates: sale.candidates.map((one) => ({
      ...one,
      lines: among(one.lines),
      terms:
        one.terms.kind === "buy_get"
          ? {
              ...one.terms,
              buy: { ...one.terms.buy, lines: among(one.terms.buy.lines) },
              get: { ...one.terms.get, lines: among(one.terms.get.lines) },
            }
          : one.terms,
    })),
  };
}

interface Joined {
  readonly discounts: readonly AppliedDiscount[];
  readonly taxLines: readonly TaxLine[];
}

/** The same discounts and taxes with their shares of every line, and the rest of the lines after discounts. */
export function spread(
  { discounts, taxLines }: Joined,
  subtotals: readonly number[],
  twins: Twins,
): Joined & { readonly leftMinor: readonly number[] } {
  let leftMinor = subtotals;
  const ofLines = discounts.map((discount): AppliedDiscount => {
    const byLine = spreadShares(discount.byLine, leftMinor, twins);
    leftMinor = without(leftMinor, byLine);
    return { ...discount, byLine };
  });
  let untaxed = leftMinor;
  let taxClass: string | null = null;
  const taxes = taxLines.map((tax): TaxLine => {
    if (tax.taxClass !== taxClass) untaxed = leftMinor;
    ({ taxClass } = tax);
    const taxable = spreadShares(
      tax.byLine.map((share) => share.taxableMinor),
      leftMinor,
      twins,
    );
    const weights = taxable.map((minor, index) => (minor === 0 ? 0 : (untaxed[index] ?? 0)));
    const amounts = spreadShares(
      tax.byLine.map((share) => share.amountMinor),
      weights,
      twins,
    );
    // A unit that one rate took is not there for the next, where prices contain them.
    if (tax.isIncluded) untaxed = without(untaxed, amounts);
    const byLine = taxable.map((minor, index) => ({
      taxableMinor: minor,
      amountMinor: amounts[index] ?? 0,
    }));
    return { ...tax, byLine };
  });
  return { discounts: ofLines, taxLines: taxes, leftMinor };
}

/** Splits the share of each group over its lines. */
function spreadShares(
  shares: readonly number[],
  weights: readonly number[],
  twins: Twins,
): number[] {
  const spreaded = weights.map(() => 0);
  twins.forEach((group, at) => {
    const parts = split(
      shares[at] ?? 0,
      group.map((index) => weights[index] ?? 0),
    );
    group.forEach((index, member) => (spreaded[index] = parts[member] ?? 0));
  });
  return spreaded;
}

function without(amounts: readonly number[], taken: readonly number[]): number[] {
  return amounts.map((minor, index) => minor - (taken[index] ?? 0));
}

function scopesOf({ lines, terms }: Candidate): (readonly number[])[] {
  return terms.kind === "buy_get" ? [lines, terms.buy.lines, terms.get.lines] : [lines];
}
