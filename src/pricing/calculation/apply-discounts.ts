// Which discounts a sale gets. All that stack apply together, any other applies alone, and whichever leaves the
// customer least to pay for goods and shipping wins, be it no discount. Every discount is in one set, so each is
// calculated once.

import { groupsOf, unitsOf } from "./buy-get.ts";
import { type ReducedGoods, reduceGoods } from "./reduce-goods.ts";
import type {
  AppliedDiscount,
  Candidate,
  Manual,
  NotApplied,
  NotAppliedReason,
  SaleLine,
} from "./sale.ts";
import { reachesMinimum, shippingDiscountOf } from "./ship.ts";

/** Goods before discounts, the discounts that may reduce them, and the price of shipping. */
export interface Reducible {
  readonly lines: readonly SaleLine[];
  readonly candidates: readonly Candidate[];
  readonly manual: Manual | null;
  /** The price for goods after discounts; null where shipping is not offered for these. */
  readonly askedShipping: (goodsMinor: number) => number | null;
}

/** Goods and shipping after discounts. */
export interface Reduction extends ReducedGoods {
  readonly goodsMinor: number;
  /** The price of shipping for these goods; null where it is not offered. */
  readonly askedMinor: number | null;
  readonly shippingDiscount: { readonly id: string; readonly amountMinor: number } | null;
}

interface Trial extends Reduction {
  readonly set: readonly Candidate[];
}

/** Applies the set of discounts that saves most; a tie keeps those that stack, then the lowest id, and then none. */
export function applyDiscounts(
  sale: Reducible,
): Reduction & { readonly notApplied: readonly NotApplied[] } {
  const refused: NotApplied[] = [];
  const stackable: Candidate[] = [];
  const sets = [stackable];
  for (const candidate of sale.candidates.toSorted(byId)) {
    const reason = refusalOf(candidate, sale.lines);
    if (reason !== null) refused.push({ id: candidate.id, reason });
    else if (candidate.isStackable) stackable.push(candidate);
    else sets.push([candidate]);
  }
  // Goods that become too few for free shipping can cost more with discounts than without any.
  if (stackable.length > 0) sets.push([]);
  const trials = sets.map((set) => tryOut(set, sale));
  const best = trials.reduce((one, other) => (costOf(other) < costOf(one) ? other : one));
  const missed = trials.flatMap((trial) => missedBy(trial, best, sale.lines));
  return { ...best, notApplied: [...refused, ...missed].sort(byId) };
}

/** Why a discount cannot apply to these lines, whatever else does. One of shipping is checked again after the others. */
function refusalOf(
  { target, lines, minimumSubtotalMinor, minimumQuantity }: Candidate,
  all: readonly SaleLine[],
): NotAppliedReason | null {
  if (lines.length === 0) return "no_matching_items";
  if (minimumQuantity !== null && unitsOf(all, lines) < minimumQuantity) return "minimum_not_met";
  if (minimumSubtotalMinor === null || target === "shipping") return null;
  return subtotalOf(all, lines) < minimumSubtotalMinor ? "minimum_not_met" : null;
}

function subtotalOf(all: readonly SaleLine[], eligible: readonly number[]): number {
  const among = new Set(eligible);
  return all.reduce(
    (total, { unitMinor, quantity }, index) =>
      among.has(index) ? total + unitMinor * quantity : total,
    0,
  );
}

function tryOut(set: readonly Candidate[], { lines, manual, askedShipping }: Reducible): Trial {
  const { leftMinor, discounts } = reduceGoods(lines, set, manual);
  const goodsMinor = leftMinor.reduce((total, minor) => total + minor, 0);
  const askedMinor = askedShipping(goodsMinor);
  const off = shippingDiscountOf(askedMinor ?? 0, goodsMinor, set);
  const ofShipping: AppliedDiscount[] =
    off === null ? [] : [{ ...off, target: "shipping", byLine: lines.map(() => 0) }];
  return {
    set,
    leftMinor,
    goodsMinor,
    discounts: [...discounts, ...ofShipping],
    askedMinor,
    shippingDiscount: off,
  };
}

/** The price of goods and shipping for the customer; the least is the largest saving. */
function costOf({ goodsMinor, askedMinor, shippingDiscount }: Trial): number {
  return goodsMinor + (askedMinor ?? 0) - (shippingDiscount?.amountMinor ?? 0);
}

/** The discounts of a trial that take nothing from the sale, with the reason. */
function missedBy(trial: Trial, best: Trial, lines: readonly SaleLine[]): NotApplied[] {
  const isAnotherApplied = best.discounts.some(({ id }) => id !== null);
  return trial.set.flatMap((candidate): NotApplied[] => {
    const { id } = candidate;
    if (!trial.discounts.some((discount) => discount.id === id)) {
      return [{ id, reason: whyNothing(candidate, trial.goodsMinor, lines) }];
    }
    if (trial === best) return [];
    return [{ id, reason: isAnotherApplied ? "not_combinable" : "no_effect" }];
  });
}

/** Why a discount takes nothing in its own set. */
function whyNothing(
  candidate: Candidate,
  goodsMinor: number,
  lines: readonly SaleLine[],
): NotAppliedReason {
  const { target, terms } = candidate;
  if (target === "shipping" && !reachesMinimum(candidate, goodsMinor)) return "minimum_not_met";
  if (target !== "lines" || terms.kind !== "buy_get") return "no_effect";
  const isMatched = unitsOf(lines, terms.buy.lines) > 0 && unitsOf(lines, terms.get.lines) > 0;
  if (!isMatched) return "no_matching_items";
  return groupsOf(lines, terms) === 0 ? "minimum_not_met" : "no_effect";
}

/** Code units, as the database compares ids. */
function byId(one: { readonly id: string }, other: { readonly id: string }): number {
  if (one.id === other.id) return 0;
  return one.id < other.id ? -1 : 1;
}
