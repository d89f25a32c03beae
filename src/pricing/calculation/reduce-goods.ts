// Reduces goods by one set of discounts, in two steps:
// 1. Each line takes the largest of the discounts of lines. An amount is split over its eligible lines before that.
// 2. Discounts of the order, by id, then the merchant's own, each of what step 1 left: a percentage is capped by what
//    is left of each line, while an amount is promised as a whole and moves on to other lines.

import { MILLION, portion, split } from "#kernel/money.ts";

import { buyGetAmounts } from "./buy-get.ts";
import type { AppliedDiscount, Candidate, Manual, SaleLine } from "./sale.ts";

/** Goods after discounts. */
export interface ReducedGoods {
  /** The rest of each line after discounts. */
  readonly leftMinor: readonly number[];
  /** Those with an amount above zero. */
  readonly discounts: readonly AppliedDiscount[];
}

/** Reduces the lines by a set of discounts, sorted by id, and by the merchant's own. */
export function reduceGoods(
  lines: readonly SaleLine[],
  set: readonly Candidate[],
  manual: Manual | null,
): ReducedGoods {
  const subtotals = lines.map((line) => line.unitMinor * line.quantity);
  const ofLines = reduceLines(lines, subtotals, set);
  const baseMinor = ofLines.reduce<readonly number[]>(without, subtotals);
  const discounts = [...ofLines];
  let leftMinor = baseMinor;
  for (const { id, terms, eligible } of orderTerms(lines, set, manual)) {
    const byLine = offOrder(terms, only(eligible, baseMinor), only(eligible, leftMinor));
    const amountMinor = sum(byLine);
    if (amountMinor === 0) continue;
    const discount = { id, target: "order", amountMinor, byLine } as const;
    discounts.push(discount);
    leftMinor = without(leftMinor, discount);
  }
  return { leftMinor, discounts };
}

function reduceLines(
  lines: readonly SaleLine[],
  subtotals: readonly number[],
  set: readonly Candidate[],
): AppliedDiscount[] {
  const offers = set
    .filter(({ target }) => target === "lines")
    .map((candidate) => ({ id: candidate.id, amounts: offLines(lines, subtotals, candidate) }));
  if (offers.length === 0) return [];
  const largest = lines.map((_, index) => {
    const minor = Math.max(0, ...offers.map(({ amounts }) => amounts[index] ?? 0));
    return { minor, id: offers.find(({ amounts }) => amounts[index] === minor)?.id };
  });
  return offers
    .map(({ id }): AppliedDiscount => {
      const byLine = largest.map((one) => (one.id === id ? one.minor : 0));
      return { id, target: "lines", amountMinor: sum(byLine), byLine };
    })
    .filter(({ amountMinor }) => amountMinor > 0);
}

/** The amount that a discount of lines, alone, would take from each line. */
function offLines(
  lines: readonly SaleLine[],
  subtotals: readonly number[],
  { terms, lines: eligible }: Candidate,
): readonly number[] {
  if (terms.kind === "buy_get") return buyGetAmounts(lines, terms);
  const base = only(eligible, subtotals);
  if (terms.kind === "percent") {
    return base.map((minor) => portion(minor, terms.millionths, MILLION));
  }
  if (terms.per === "basket") return split(Math.min(terms.amountMinor, sum(base)), base);
  return only(
    eligible,
    lines.map((line) => Math.min(terms.amountMinor, line.unitMinor) * line.quantity),
  );
}

interface OrderTerms {
  readonly id: string | null;
  readonly terms: Manual;
  readonly eligible: readonly number[];
}

function orderTerms(
  lines: readonly SaleLine[],
  set: readonly Candidate[],
  manual: Manual | null,
): OrderTerms[] {
  const found: OrderTerms[] = [];
  for (const { id, target, terms, lines: eligible } of set) {
    if (target === "order" && terms.kind !== "buy_get") found.push({ id, terms, eligible });
  }
  if (manual !== null) found.push({ id: null, terms: manual, eligible: [...lines.keys()] });
  return found;
}

function offOrder(terms: Manual, base: readonly number[], left: readonly number[]): number[] {
  if (terms.kind === "amount") return split(Math.min(terms.amountMinor, sum(left)), left);
  return split(portion(sum(base), terms.millionths, MILLION), base).map((minor, index) =>
    Math.min(minor, left[index] ?? 0),
  );
}

/** The amounts of the eligible lines, and 0 for the others. */
function only(eligible: readonly number[], amounts: readonly number[]): readonly number[] {
  if (eligible.length === amounts.length) return amounts;
  const among = new Set(eligible);
  return amounts.map((minor, index) => (among.has(index) ? minor : 0));
}

function without(left: readonly number[], { byLine }: AppliedDiscount): readonly number[] {
  return left.map((minor, index) => minor - (byLine[index] ?? 0));
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, minor) => total + minor, 0);
}
