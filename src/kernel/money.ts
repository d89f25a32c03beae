// Money: whole minor units of one currency. Invariant: an amount is a safe integer and no operation
// loses or makes a unit. Mixed currencies and overflow are bugs and throw a plain Error. Money is
// divided and rounded nowhere else.

import { type CurrencyCode, exponentOf } from "./currency.ts";
import { type DecimalFault, textOfUnits, unitsOfNumber, unitsOfText } from "./decimal.ts";

/**
 * The largest amount a caller may send, in minor units: a hundred order lines, their hundred taxes
 * and the shipping at this amount still add up to less than 2^53, and it buys 400 billion dollars.
 */
export const MAX_AMOUNT_MINOR = 40_000_000_000_000;

const BASIS_POINTS_OF_WHOLE = 10_000n;

/** Carries the brand; only `money` makes one, so neither a number nor a look-alike types. */
class Money {
  declare protected readonly brand: "money";
  readonly amountMinor: number;
  readonly currency: CurrencyCode;

  constructor(amountMinor: number, currency: CurrencyCode) {
    this.amountMinor = amountMinor;
    this.currency = currency;
  }
}

export type { Money };

/** What half a unit becomes: the even neighbor, or the one further from zero. */
export type Rounding = "half_even" | "half_up";

/** Why an amount of a request is none. */
export type AmountFault = `amount_${DecimalFault}`;

/** An amount in minor units, which must be a safe integer. */
export function money(amountMinor: number, currency: CurrencyCode): Money {
  mustBeWhole(amountMinor, "amount");
  return new Money(amountMinor === 0 ? 0 : amountMinor, currency);
}

/** Both together; one currency only. */
export function add(left: Money, right: Money): Money {
  mustShareCurrency(left, right.currency);
  return money(left.amountMinor + right.amountMinor, left.currency);
}

/** The first less the second; one currency only, and the rest may be negative. */
export function subtract(left: Money, right: Money): Money {
  mustShareCurrency(left, right.currency);
  return money(left.amountMinor - right.amountMinor, left.currency);
}

/** The price of so many; the quantity is a whole number. */
export function times(price: Money, quantity: number): Money {
  mustBeWhole(quantity, "quantity");
  return money(price.amountMinor * quantity, price.currency);
}

/** All of them together; nothing at all is zero of the currency. */
export function sum(amounts: readonly Money[], currency: CurrencyCode): Money {
  let totalMinor = 0n;
  for (const amount of amounts) {
    mustShareCurrency(amount, currency);
    totalMinor += BigInt(amount.amountMinor);
  }
  return money(Number(totalMinor), currency);
}

/** A share in basis points (1,900 is 19 %), within half a minor unit of the exact one. */
export function percent(whole: Money, basisPoints: number, rounding: Rounding): Money {
  mustBeWhole(basisPoints, "basis points");
  const exact = BigInt(whole.amountMinor) * BigInt(basisPoints);
  return money(Number(divideRounded(exact, BASIS_POINTS_OF_WHOLE, rounding)), whole.currency);
}

/** One of so many equal parts, within half a minor unit; for averages, since parts do not add up. */
export function divide(whole: Money, parts: number, rounding: Rounding): Money {
  mustBeWhole(parts, "number of parts");
  if (parts <= 0) throw new Error(`Money between ${parts}`);
  const share = divideRounded(BigInt(whole.amountMinor), BigInt(parts), rounding);
  return money(Number(share), whole.currency);
}

/**
 * Splits by whole weights of zero or more: the shares add up to the whole, and each is within one
 * minor unit of its exact part. What is left over goes to the largest remainders, of equal ones to
 * the earlier. A weight of zero gets nothing; where all are zero, everybody gets the same.
 */
export function allocate(whole: Money, weights: readonly number[]): Money[] {
  const parts = partsOf(weights);
  const total = parts.reduce((left, right) => left + right, 0n);
  const sign = whole.amountMinor < 0 ? -1 : 1;
  const amount = BigInt(Math.abs(whole.amountMinor));
  const shares = parts.map((part, index) => ({
    index,
    units: (amount * part) / total,
    remainder: (amount * part) % total,
  }));
  let leftOver = shares.reduce((rest, share) => rest - share.units, amount);
  for (const share of shares.toSorted(byRemainder)) {
    if (leftOver === 0n) break;
    share.units += 1n;
    leftOver -= 1n;
  }
  return shares.map((share) => money(sign * Number(share.units), whole.currency));
}

/** Whether there is nothing to pay. */
export function isZero(amount: Money): boolean {
  return amount.amountMinor === 0;
}

/** Below zero when the first is less, above when it is more; sorts ascending. One currency only. */
export function compare(left: Money, right: Money): -1 | 0 | 1 {
  mustShareCurrency(left, right.currency);
  if (left.amountMinor === right.amountMinor) return 0;
  return left.amountMinor < right.amountMinor ? -1 : 1;
}

/**
 * An amount as the wire has it, in major units: a JSON number, or text such as `249.50`. Nothing is
 * rounded: a digit of value beyond the currency's is `amount_precision`. The sign is kept, so that
 * the caller's own schema refuses the negative.
 */
export function parseAmount(
  input: number | string,
  currency: CurrencyCode,
): { readonly amountMinor: number } | { readonly fault: AmountFault } {
  const digits = exponentOf(currency);
  const units =
    typeof input === "number" ? unitsOfNumber(input, digits) : unitsOfText(input, digits);
  if (typeof units !== "number") return { fault: `amount_${units}` };
  if (Math.abs(units) > MAX_AMOUNT_MINOR) return { fault: "amount_too_large" };
  return { amountMinor: units };
}

/** Minor units as the wire prints them, in major units with exactly the currency's digits. */
export function formatAmount(amountMinor: number, currency: CurrencyCode): string {
  mustBeWhole(amountMinor, "amount");
  return textOfUnits(amountMinor, exponentOf(currency));
}

function byRemainder(
  left: { readonly remainder: bigint; readonly index: number },
  right: { readonly remainder: bigint; readonly index: number },
): number {
  if (left.remainder === right.remainder) return left.index - right.index;
  return left.remainder > right.remainder ? -1 : 1;
}

function partsOf(weights: readonly number[]): bigint[] {
  if (weights.length === 0) throw new Error("Nobody to share the money between");
  for (const weight of weights) {
    mustBeWhole(weight, "weight");
    if (weight < 0) throw new Error(`A weight below zero: ${weight}`);
  }
  return weights.every((weight) => weight === 0) ? weights.map(() => 1n) : weights.map(BigInt);
}

/** BigInt division cuts towards zero; what it cut off decides whether one more is due. */
function divideRounded(numerator: bigint, denominator: bigint, rounding: Rounding): bigint {
  const quotient = numerator / denominator;
  const remainder = numerator % denominator;
  const twice = 2n * (remainder < 0n ? -remainder : remainder);
  const isHalfRaised = rounding === "half_up" || quotient % 2n !== 0n;
  const isRaised = twice > denominator || (twice === denominator && isHalfRaised);
  if (!isRaised) return quotient;
  return numerator < 0n ? quotient - 1n : quotient + 1n;
}

function mustShareCurrency(amount: Money, currency: CurrencyCode): void {
  if (amount.currency !== currency) {
    throw new Error(`Money of two currencies: ${amount.currency} and ${currency}`);
  }
}

function mustBeWhole(value: number, what: string): void {
  if (!Number.isSafeInteger(value)) throw new Error(`Not a whole and safe ${what}: ${value}`);
}
