// Buy some, get others cheaper. A unit is either bought or given, never both, and what is given is the cheapest:
// the customer pays for the dearest.

import { MILLION, portion } from "#kernel/money.ts";

import type { BuyGetTerms, SaleLine } from "./sale.ts";

/**
 * How often the terms apply: the most groups for which every bought and every given unit is a unit of its own.
 * With a, b and c units that can be only bought, only given, and both, g groups fit where `gx <= a + c`,
 * `gy <= b + c` and `g(x + y) <= a + b + c`.
 */
export function groupsOf(lines: readonly SaleLine[], { buy, get, times }: BuyGetTerms): number {
  const bought = unitsOf(lines, buy.lines);
  const given = unitsOf(lines, get.lines);
  const either = bought + given - unitsOf(lines, sharedLines({ buy, get }));
  return Math.min(
    Math.floor(bought / buy.quantity),
    Math.floor(given / get.quantity),
    Math.floor(either / (buy.quantity + get.quantity)),
    times ?? Infinity,
  );
}

/** The amount by which each line is reduced, in minor units. Every given unit is rounded on its own. */
export function buyGetAmounts(lines: readonly SaleLine[], terms: BuyGetTerms): number[] {
  const { buy, get } = terms;
  const groups = groupsOf(lines, terms);
  const shared = new Set(sharedLines(terms));
  const boughtOnly = unitsOf(lines, buy.lines) - unitsOf(lines, [...shared]);
  const amounts = lines.map(() => 0);
  let toGive = groups * get.quantity;
  let sharedLeft = unitsOf(lines, [...shared]) - Math.max(0, groups * buy.quantity - boughtOnly);
  for (const { line, index } of cheapestFirst(lines, get.lines)) {
    const isShared = shared.has(index);
    const units = Math.min(line.quantity, toGive, isShared ? sharedLeft : Infinity);
    toGive -= units;
    if (isShared) sharedLeft -= units;
    amounts[index] = portion(line.unitMinor, get.millionths, MILLION) * units;
  }
  return amounts;
}

/** The lines whose units can be bought and can be given. */
function sharedLines({ buy, get }: Pick<BuyGetTerms, "buy" | "get">): number[] {
  const ofBuy = new Set(buy.lines);
  return get.lines.filter((index) => ofBuy.has(index));
}

/** The earlier line comes first among equal prices. */
function cheapestFirst(
  lines: readonly SaleLine[],
  indexes: readonly number[],
): { readonly line: SaleLine; readonly index: number }[] {
  return indexes
    .flatMap((index) => {
      const line = lines[index];
      return line === undefined ? [] : [{ line, index }];
    })
    .sort((one, other) => one.line.unitMinor - other.line.unitMinor || one.index - other.index);
}

/** The units of some lines. */
export function unitsOf(lines: readonly SaleLine[], indexes: readonly number[]): number {
  return indexes.reduce((units, index) => units + (lines[index]?.quantity ?? 0), 0);
}
