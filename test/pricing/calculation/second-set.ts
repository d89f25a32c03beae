// One set of discounts of the second pricing: what it takes from every line and from shipping.

import type {
  Candidate,
  Manual,
  RatesByClass,
  ShippingOption,
  UnpricedSale,
} from "#pricing/calculation/sale.ts";

import { Fraction, least, percent, shareOut, sumUp } from "./fractions.ts";

interface Unit {
  readonly line: number;
  readonly price: bigint;
}

/** The amounts of buy-and-get by line: groups are tried from many to few, and units are given one by one. */
export function buyGet(
  sale: UnpricedSale,
  terms: Extract<Candidate["terms"], { kind: "buy_get" }>,
) {
  const { buy, get, times } = terms;
  const units = sale.lines.flatMap(({ unitMinor, quantity }, line): Unit[] =>
    Array.from({ length: quantity }, () => ({ line, price: BigInt(unitMinor) })),
  );
  const isBought = (unit: Unit) => buy.lines.includes(unit.line);
  const isGiven = (unit: Unit) => get.lines.includes(unit.line);
  const onlyBought = units.filter((unit) => isBought(unit) && !isGiven(unit)).length;
  const onlyGiven = units.filter((unit) => isGiven(unit) && !isBought(unit)).length;
  const both = units.filter((unit) => isBought(unit) && isGiven(unit)).length;
  const needed = (groups: number) =>
    Math.max(0, groups * buy.quantity - onlyBought) +
    Math.max(0, groups * get.quantity - onlyGiven);
  let groups = Math.min(units.length, times ?? units.length);
  while (needed(groups) > both) groups -= 1;
  let spare = both - Math.max(0, groups * buy.quantity - onlyBought);
  let left = groups * get.quantity;
  const off = sale.lines.map(() => 0n);
  const cheapest = units
    .filter(isGiven)
    .sort((one, other) => Number(one.price - other.price) || one.line - other.line);
  for (const unit of cheapest) {
    if (left === 0 || (isBought(unit) && spare === 0)) continue;
    left -= 1;
    if (isBought(unit)) spare -= 1;
    off[unit.line] = (off[unit.line] ?? 0n) + percent(unit.price, get.millionths);
  }
  return { off, groups };
}

/** What one discount of lines takes from a line if it is alone. */
function offLine(sale: UnpricedSale, { terms, lines }: Candidate, line: number): bigint {
  if (terms.kind === "buy_get") return buyGet(sale, terms).off[line] ?? 0n;
  if (!lines.includes(line)) return 0n;
  const subtotals = subtotalsOf(sale);
  if (terms.kind === "percent") return percent(subtotals[line] ?? 0n, terms.millionths);
  const { unitMinor, quantity } = sale.lines[line] ?? { unitMinor: 0, quantity: 0 };
  if (terms.per === "unit") return BigInt(Math.min(terms.amountMinor, unitMinor) * quantity);
  const weights = subtotals.map((one, index) => (lines.includes(index) ? one : 0n));
  const whole = least(BigInt(terms.amountMinor), sumUp(weights));
  return shareOut(whole, weights)[line] ?? 0n;
}

export function subtotalsOf({ lines }: UnpricedSale): bigint[] {
  return lines.map(({ unitMinor, quantity }) => BigInt(unitMinor) * BigInt(quantity));
}

type Off = Map<string | null, bigint[]>;

/** Takes the largest discount off each line; the first of equal ones. Returns what is left. */
function reduceLines(sale: UnpricedSale, set: readonly Candidate[], off: Off): bigint[] {
  const ofLines = set.filter(({ target }) => target === "lines");
  return subtotalsOf(sale).map((subtotal, line) => {
    let largest = 0n;
    let of: string | null = null;
    for (const candidate of ofLines) {
      const amount = offLine(sale, candidate, line);
      if (amount > largest) [largest, of] = [amount, candidate.id];
    }
    if (of !== null) {
      const byLine = off.get(of) ?? sale.lines.map(() => 0n);
      byLine[line] = largest;
      off.set(of, byLine);
    }
    return subtotal - largest;
  });
}

/** Takes discounts of the order off what the lines have left, the merchant's own last. */
function reduceOrder(
  base: readonly bigint[],
  discounts: readonly {
    id: string | null;
    terms: Candidate["terms"] | Manual;
    lines: readonly number[];
  }[],
  off: Off,
): bigint[] {
  const left = [...base];
  for (const { id, terms, lines } of discounts) {
    const eligible = (amounts: readonly bigint[]) =>
      amounts.map((amount, line) => (lines.includes(line) ? amount : 0n));
    if (terms.kind === "buy_get") continue;
    const wanted =
      terms.kind === "percent"
        ? shareOut(percent(sumUp(eligible(base)), terms.millionths), eligible(base))
        : shareOut(least(BigInt(terms.amountMinor), sumUp(eligible(left))), eligible(left));
    const taken = wanted.map((amount, line) => least(amount, left[line] ?? 0n));
    taken.forEach((amount, line) => (left[line] = (left[line] ?? 0n) - amount));
    if (sumUp(taken) > 0n) off.set(id, taken);
  }
  return left;
}

/** The largest discount of shipping whose minimum the goods reach. */
function offShippingOf(set: readonly Candidate[], goods: bigint, asked: bigint) {
  let largest: { readonly id: string; readonly amount: bigint } | null = null;
  for (const { id, target, terms, minimumSubtotalMinor } of set) {
    if (target !== "shipping" || terms.kind === "buy_get") continue;
    if (BigInt(minimumSubtotalMinor ?? 0) > goods) continue;
    const amount =
      terms.kind === "percent"
        ? percent(asked, terms.millionths)
        : least(BigInt(terms.amountMinor), asked);
    if (amount > (largest?.amount ?? 0n)) largest = { id, amount };
  }
  return largest;
}

/** A sale with one set of discounts. */
export interface Outcome {
  readonly left: bigint[];
  /** What each discount takes from each line, those of shipping apart. */
  readonly off: Off;
  /** Null where the option is not offered. */
  readonly asked: bigint | null;
  readonly offShipping: { readonly id: string; readonly amount: bigint } | null;
  readonly goods: bigint;
  readonly cost: bigint;
}

/** The sale, whose lines have their prices without tax already, with one set of discounts. */
export function withSet(sale: UnpricedSale, set: readonly Candidate[]): Outcome {
  const off: Off = new Map();
  const ofOrder = set.filter(({ target }) => target === "order");
  const own = {
    id: null,
    terms: sale.manual ?? { kind: "amount", amountMinor: 0 },
    lines: [...sale.lines.keys()],
  } as const;
  const left = reduceOrder(reduceLines(sale, set, off), [...ofOrder, own], off);
  const goods = sumUp(left);
  const asked = askedFor(sale, goods);
  const offShipping = offShippingOf(set, goods, asked ?? 0n);
  const cost = goods + (asked ?? 0n) - (offShipping?.amount ?? 0n);
  return { left, off, asked, offShipping, goods, cost };
}

function optionPrice({ kind, tiers, freeOverMinor }: ShippingOption, goods: bigint, grams: bigint) {
  const reached = kind === "by_weight" ? grams : goods;
  const price = tiers
    .toSorted((one, other) => other.from - one.from)
    .find(({ from }) => BigInt(from) <= reached);
  if (price === undefined) return null;
  return freeOverMinor !== null && BigInt(freeOverMinor) <= goods ? 0n : BigInt(price.amountMinor);
}

function askedFor(sale: UnpricedSale, goods: bigint): bigint | null {
  const { shipping } = sale;
  if (shipping === null) return 0n;
  if (!("kind" in shipping)) return homePrice(BigInt(shipping.amountMinor), "standard", sale);
  const grams = sale.lines
    .filter((line) => line.requiresShipping)
    .map((line) => (line.weightGrams ?? sale.defaultWeightGrams ?? 0) * line.quantity);
  const price = optionPrice(shipping, goods, sumUp(grams.map(BigInt)));
  return price === null ? null : homePrice(price, "standard", sale);
}

/** The rates of a class, and the class that they were found under. */
export function ratesFor(taxClass: string, rates: RatesByClass) {
  const own = rates.get(taxClass) ?? [];
  const found = own.length > 0 ? taxClass : "standard";
  if (taxClass === "exempt") return { taxClass: "exempt", rates: [] };
  return { taxClass: found, rates: rates.get(found) ?? [] };
}

/** A price without the tax of the shop's own country, where the sale is free of it. */
export function homePrice(amount: bigint, taxClass: string, { taxes }: UnpricedSale): bigint {
  if (!taxes.isExempt || !taxes.isIncluded) return amount;
  let divisor = new Fraction(1);
  for (const rate of ratesFor(taxClass, taxes.homeRatesByClass).rates) {
    divisor = divisor.plus(new Fraction(rate.millionths, 1_000_000));
  }
  return new Fraction(amount).over(divisor).halfUp();
}
