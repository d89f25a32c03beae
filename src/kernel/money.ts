// Amounts of money: whole minor units in a plain number named `…Minor`, with the currency beside it.
// Invariant: every amount is a safe integer; nothing here loses or makes a unit. Only this file divides.

import { type CurrencyCode, type CurrencyExponent, exponentOf } from "./currency.ts";
import type { Place } from "./refusal.ts";

/**
 * The largest amount a caller may send, and the largest total of a cart or an order, in minor units. A hundred order
 * lines, their hundred taxes and the shipping at this amount still add up to less than 2^53, and so do 200 payments of
 * one order. It equals 400 billion dollars.
 */
export const MAX_AMOUNT_MINOR = 40_000_000_000_000;

/** A sum of a report, of any number of sales: the largest amount of which JSON readers keep the digits, beyond 2^53. */
export function inBounds(amountMinor: number): number {
  return Math.min(Math.max(amountMinor, -Number.MAX_SAFE_INTEGER), Number.MAX_SAFE_INTEGER);
}

/** Why a decimal cannot be read: malformed, more digits than the currency has, or beyond 2^53. */
export type DecimalFault = "invalid" | "precision" | "too_large";

/** Why an amount of a request cannot be read. */
export type AmountFault = `amount_${DecimalFault}`;

/** Sign, fifteen whole digits, point and fifteen digits of fraction. Longer text is refused. */
const TEXT_LENGTH_MAX = 32;
const DECIMAL_FORM = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;
const ZERO = 48;

/**
 * Reads an amount of the wire, in major units: a JSON number, or text such as `249.50`. Never rounds: a nonzero digit
 * beyond the currency's digits is `amount_precision`. Keeps the sign; schemas refuse it where it is not allowed.
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

/** The sentence for a fault of an amount, the same wherever an amount is read. */
export function amountSentence(fault: AmountFault, currency: CurrencyCode): string {
  if (fault === "amount_precision") return `The amount has more decimal digits than ${currency}.`;
  if (fault === "amount_too_large") return "The amount is too large.";
  return "The amount is not a decimal number.";
}

/** An amount of a body in minor units; null where a fault was noted at the pointer instead. */
export function readAmount(
  given: number | string,
  currency: CurrencyCode,
  { faults, pointer }: Place,
): number | null {
  const parsed = parseAmount(given, currency);
  if (!("fault" in parsed)) return parsed.amountMinor;
  faults.add(pointer, parsed.fault, amountSentence(parsed.fault, currency));
  return null;
}

/** The same for an amount that must be above zero. */
export function readPositiveAmount(
  given: number | string,
  currency: CurrencyCode,
  { faults, pointer }: Place,
): number | null {
  const amountMinor = readAmount(given, currency, { faults, pointer });
  if (amountMinor !== 0) return amountMinor;
  faults.add(pointer, "amount_too_small", "The amount must be greater than zero.");
  return null;
}

/** Minor units in the form of the wire: major units with exactly the currency's digits. */
export function formatAmount(amountMinor: number, currency: CurrencyCode): string {
  mustBeWhole(amountMinor, "amount");
  return textOfUnits(amountMinor, exponentOf(currency));
}

/**
 * Splits an amount by whole weights of zero or more. The shares add up to the amount, and each is within one minor unit
 * of its exact part. Remaining units go to the largest remainders, and to the earlier share where remainders are equal.
 * A weight of zero gets nothing, also where all weights are zero: nothing is split then.
 */
export function split(amountMinor: number, weights: readonly number[]): number[] {
  mustBeWhole(amountMinor, "amount");
  let whole = 0;
  for (const weight of weights) {
    mustBeWeight(weight);
    whole += weight;
  }
  if (whole === 0) return weights.map(() => 0);
  // Whole numbers below 2^53 are exact, and cost a tenth.
  const isSmall = Number.isSafeInteger(Math.abs(amountMinor) * whole);
  return isSmall ? splitSmall(amountMinor, weights, whole) : splitLarge(amountMinor, weights);
}

/** Each tax and discount of a sale is split, and a loop does it in a third of the time that closures take. */
function splitSmall(amountMinor: number, weights: readonly number[], whole: number): number[] {
  const sign = amountMinor < 0 ? -1 : 1;
  const [shares, remainders]: [number[], number[]] = [[], []];
  const amount = Math.abs(amountMinor);
  let leftOver = amount;
  for (const weight of weights) {
    const exact = amount * weight;
    const remainder = exact % whole;
    const units = (exact - remainder) / whole;
    shares.push(units === 0 ? 0 : sign * units);
    remainders.push(remainder);
    leftOver -= units;
  }
  // Fewer units are left over than there are weights, mostly one or two: no need to sort.
  for (; leftOver > 0; leftOver -= 1) {
    const next = indexOfLargest(remainders);
    shares[next] = (shares[next] ?? 0) + sign;
    remainders[next] = 0;
  }
  return shares;
}

/** The first one of equal ones. */
function indexOfLargest(values: readonly number[]): number {
  let found = 0;
  for (const index of values.keys()) {
    if ((values[index] ?? 0) > (values[found] ?? 0)) found = index;
  }
  return found;
}

function splitLarge(amountMinor: number, weights: readonly number[]): number[] {
  const parts = weights.map(BigInt);
  const total = parts.reduce((left, right) => left + right, 0n);
  const sign = amountMinor < 0 ? -1 : 1;
  const amount = BigInt(Math.abs(amountMinor));
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
  return shares.map((share) => (share.units === 0n ? 0 : sign * Number(share.units)));
}

/** `amount x numerator / denominator`, rounded half up. None is below zero, and the denominator is above it. */
export function portion(amountMinor: number, numerator: number, denominator: number): number {
  mustBeWhole(amountMinor, "amount");
  mustBeWhole(numerator, "numerator");
  mustBeWhole(denominator, "denominator");
  const raised = 2 * amountMinor * numerator + denominator;
  const divisor = 2 * denominator;
  // Whole numbers below 2^53 are exact, and cost a tenth.
  if (Number.isSafeInteger(raised)) return (raised - (raised % divisor)) / divisor;
  const twice = 2n * BigInt(amountMinor) * BigInt(numerator);
  return Number((twice + BigInt(denominator)) / BigInt(divisor));
}

/** Percentages are kept in parts per million: 7.5 % is 75,000. */
export const MILLION = 1_000_000;
/** 9.975 % has three decimals; the fourth is room. */
const PERCENT_DIGITS = 4;

/**
 * Reads a percentage of the wire, 0 to 100 with at most four decimals, exactly from its digits, as parts per
 * million. Returns null where a fault was noted at the pointer instead: `percent_invalid`, `rate_precision`.
 */
export function readPercent(given: number | string, { faults, pointer }: Place): number | null {
  const millionths =
    typeof given === "number"
      ? unitsOfNumber(given, PERCENT_DIGITS)
      : unitsOfText(given, PERCENT_DIGITS);
  if (millionths === "precision") {
    faults.add(pointer, "rate_precision", "A percentage has at most four decimals.");
    return null;
  }
  if (typeof millionths === "number" && millionths >= 0 && millionths <= MILLION) return millionths;
  faults.add(pointer, "percent_invalid", "A percentage is a decimal number from 0 to 100.");
  return null;
}

/** A percentage as the wire has it: 75,000 parts per million are 7.5. */
export function percentOf(millionths: number): number {
  mustBeWhole(millionths, "percentage");
  return millionths / 10 ** PERCENT_DIGITS;
}

/** The average of `count` amounts, rounded half to even. `count` averages need not add up to the total. */
export function average(totalMinor: number, count: number): number {
  mustBeWhole(totalMinor, "amount");
  mustBeWhole(count, "count");
  if (count <= 0) throw new Error(`Cannot average ${count} amounts`);
  return Number(divideHalfEven(BigInt(totalMinor), BigInt(count)));
}

/** The part of an amount in percent, rounded up to a whole minor unit. Neither is below zero. */
export function percentUp(amountMinor: number, percent: number): number {
  mustBeWhole(amountMinor, "amount");
  mustBeWhole(percent, "percent");
  const hundredths = amountMinor * percent;
  if (hundredths > Number.MAX_SAFE_INTEGER) {
    return Number((BigInt(amountMinor) * BigInt(percent) + 99n) / 100n);
  }
  // Whole numbers below 2^53 are exact, and cost a tenth.
  const over = hundredths % 100;
  return (hundredths - over) / 100 + (over > 0 ? 1 : 0);
}

/** The minor units of a text such as `-249.50`. Trailing zeros beyond `digits` are allowed. */
function unitsOfText(text: string, digits: CurrencyExponent): number | DecimalFault {
  if (text.length > TEXT_LENGTH_MAX || !DECIMAL_FORM.test(text)) return "invalid";
  const point = text.indexOf(".");
  if (point === -1) return unitsOfWhole(Number(text), digits);
  const end = point + 1 + digits;
  for (let index = end; index < text.length; index += 1) {
    if (text.charCodeAt(index) !== ZERO) return "precision";
  }
  return unitsOfWhole(
    Number(text.slice(0, point) + text.slice(point + 1, end).padEnd(digits, "0")),
    0,
  );
}

/**
 * The minor units of a number. Its digits are those JavaScript prints: the shortest decimal that means this number and
 * no other; the JSON reader refused literals with more digits. NaN and the infinities print as words: invalid.
 */
function unitsOfNumber(value: number, digits: CurrencyExponent): number | DecimalFault {
  if (Number.isInteger(value)) return unitsOfWhole(value, digits);
  // Below a millionth JavaScript prints an exponent; no currency has six digits.
  if (Math.abs(value) < 1e-6) return "precision";
  return unitsOfText(String(value), digits);
}

/** Nothing in a currency of so many digits: of the amounts of an order two thirds. */
const nothing: Readonly<Record<CurrencyExponent, string>> = {
  0: "0",
  2: "0.00",
  3: "0.000",
  4: "0.0000",
};

/** Exactly `digits` digits after the point: 5 at two digits is `0.05`, at none `5`. */
function textOfUnits(units: number, digits: CurrencyExponent): string {
  if (units === 0) return nothing[digits];
  if (digits === 0) return String(units);
  const scale = 10 ** digits;
  const magnitude = Math.abs(units);
  const rest = magnitude % scale;
  const fraction = String(scale + rest).slice(1);
  return `${units < 0 ? "-" : ""}${(magnitude - rest) / scale}.${fraction}`;
}

/** A product of whole numbers is exact up to 2^53 and counts as unsafe beyond it. */
function unitsOfWhole(whole: number, digits: CurrencyExponent): number | DecimalFault {
  const units = whole * 10 ** digits;
  if (!Number.isSafeInteger(units)) return "too_large";
  return units === 0 ? 0 : units;
}

function byRemainder(
  left: { readonly remainder: bigint; readonly index: number },
  right: { readonly remainder: bigint; readonly index: number },
): number {
  if (left.remainder === right.remainder) return left.index - right.index;
  return left.remainder > right.remainder ? -1 : 1;
}

function mustBeWeight(weight: number): void {
  mustBeWhole(weight, "weight");
  if (weight < 0) throw new Error(`Negative weight: ${weight}`);
}

/** BigInt division truncates; the remainder decides whether to add one. */
function divideHalfEven(numerator: bigint, denominator: bigint): bigint {
  const quotient = numerator / denominator;
  const remainder = numerator % denominator;
  const twice = 2n * (remainder < 0n ? -remainder : remainder);
  const isRaised = twice > denominator || (twice === denominator && quotient % 2n !== 0n);
  if (!isRaised) return quotient;
  return numerator < 0n ? quotient - 1n : quotient + 1n;
}

function mustBeWhole(value: number, what: string): void {
  if (!Number.isSafeInteger(value)) throw new Error(`The ${what} is not a safe integer: ${value}`);
}
