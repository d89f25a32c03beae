// A second pricing of a sale, to hold the first against. It works with exact fractions, hands out single units where
// the first splits, and keeps every amount by discount and line.

import type { Candidate, NotAppliedReason, UnpricedSale } from "#pricing/calculation/sale.ts";

import { Fraction, least, shareOut, sumUp } from "./fractions.ts";
import { buyGet, homePrice, type Outcome, ratesFor, subtotalsOf, withSet } from "./second-set.ts";

/** Why a discount may not be tried, by its own terms. */
function refusalOf(sale: UnpricedSale, candidate: Candidate): NotAppliedReason | null {
  const { target, lines, minimumQuantity, minimumSubtotalMinor } = candidate;
  if (lines.length === 0) return "no_matching_items";
  const count = lines.reduce((sum, line) => sum + (sale.lines[line]?.quantity ?? 0), 0);
  const subtotals = subtotalsOf(sale);
  const worth = sumUp(lines.map((line) => subtotals[line] ?? 0n));
  const isCountMet = minimumQuantity === null || count >= minimumQuantity;
  const isWorthMet =
    minimumSubtotalMinor === null || target === "shipping" || worth >= BigInt(minimumSubtotalMinor);
  return isCountMet && isWorthMet ? null : "minimum_not_met";
}

/** Why a discount that was tried takes nothing in its own set. */
function whyNothing(sale: UnpricedSale, candidate: Candidate, goods: bigint): NotAppliedReason {
  const { target, terms, minimumSubtotalMinor } = candidate;
  const isShort = target === "shipping" && BigInt(minimumSubtotalMinor ?? 0) > goods;
  if (isShort) return "minimum_not_met";
  if (terms.kind !== "buy_get" || target !== "lines") return "no_effect";
  if (terms.buy.lines.length === 0 || terms.get.lines.length === 0) return "no_matching_items";
  return buyGet(sale, terms).groups === 0 ? "minimum_not_met" : "no_effect";
}

/** One tax of one class by the second opinion; the share of shipping stands last. */
export interface SecondTax {
  readonly taxClass: string;
  readonly name: string;
  readonly taxable: bigint[];
  readonly shares: bigint[];
}

function taxesOf(sale: UnpricedSale, left: readonly bigint[], charged: bigint): SecondTax[] {
  const { isIncluded, isExempt, ratesByClass, shippingTax } = sale.taxes;
  if (isExempt) return [];
  const found = sale.lines.map(({ taxClass }) => ratesFor(taxClass, ratesByClass).taxClass);
  const classes = [...new Set([...found, "standard"])].sort();
  const goodsOf = (taxClass: string) =>
    left.map((one, line) => (found[line] === taxClass ? one : 0n));
  const asGoods = shareOut(
    charged,
    classes.map((taxClass) => sumUp(goodsOf(taxClass))),
  );
  return classes.flatMap((taxClass, index) => {
    let shipping = taxClass === "standard" ? charged : 0n;
    if (shippingTax === "none") shipping = 0n;
    if (shippingTax === "as_goods" && sumUp(left) > 0n) shipping = asGoods[index] ?? 0n;
    const taxable = [...goodsOf(taxClass), shipping];
    if (sumUp(taxable) === 0n) return [];
    const { rates } = ratesFor(taxClass, ratesByClass);
    const all = rates.reduce((sum, { millionths }) => sum + millionths, 0);
    const rest = [...taxable];
    return rates.map(({ name, millionths }): SecondTax => {
      const rate = new Fraction(millionths, isIncluded ? 1_000_000 + all : 1_000_000);
      const whole = new Fraction(sumUp(taxable)).times(rate).halfUp();
      const shares = isIncluded
        ? shareOut(least(whole, sumUp(rest)), rest)
        : shareOut(whole, taxable);
      shares.forEach((share, line) => (rest[line] = (rest[line] ?? 0n) - share));
      return { taxClass, name, taxable, shares };
    });
  });
}

/** The sale priced a second time. */
export interface SecondOpinion extends Outcome {
  readonly units: bigint[];
  readonly charged: bigint;
  readonly reasons: Map<string, NotAppliedReason>;
  readonly taxes: SecondTax[];
}

export function secondOpinion(given: UnpricedSale): SecondOpinion {
  const units = given.lines.map(({ unitMinor, taxClass }) =>
    homePrice(BigInt(unitMinor), taxClass, given),
  );
  const lines = given.lines.map((line, index) => ({ ...line, unitMinor: Number(units[index]) }));
  const sale = { ...given, lines };
  const sorted = sale.candidates.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  const open = sorted.filter((candidate) => refusalOf(sale, candidate) === null);
  const sets = [
    open.filter(({ isStackable }) => isStackable),
    ...open.filter(({ isStackable }) => !isStackable).map((one) => [one]),
    [],
  ];
  const outcomes = sets.map((set) => withSet(sale, set));
  const cheapest = outcomes.map(({ cost }) => cost).reduce(least);
  const best = outcomes.find(({ cost }) => cost === cheapest);
  if (best === undefined) throw new Error("There is always the set of those that stack");
  const takes = (outcome: Outcome, { id }: Candidate) =>
    outcome.off.has(id) || outcome.offShipping?.id === id;
  const other = open.some((candidate) => takes(best, candidate)) ? "not_combinable" : "no_effect";
  const reasonOf = (candidate: Candidate): NotAppliedReason | null => {
    const refusal = refusalOf(sale, candidate);
    const own = outcomes[sets.findIndex((set) => set.includes(candidate))];
    if (refusal !== null || own === undefined) return refusal;
    if (!takes(own, candidate)) return whyNothing(sale, candidate, own.goods);
    return own === best ? null : other;
  };
  const reasons = new Map<string, NotAppliedReason>();
  for (const candidate of sorted) {
    const reason = reasonOf(candidate);
    if (reason !== null) reasons.set(candidate.id, reason);
  }
  const charged = (best.asked ?? 0n) - (best.offShipping?.amount ?? 0n);
  return { ...best, units, charged, reasons, taxes: taxesOf(sale, best.left, charged) };
}
