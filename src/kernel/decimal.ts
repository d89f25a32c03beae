// Decimal text to and from whole numbers of the smallest unit. Decided on digits alone: no step
// multiplies or divides a fraction, so nothing is ever rounded. Knows no currency.

import type { CurrencyExponent } from "./currency.ts";

/** Why a decimal is none: not of the form, more digits than there is room for, or beyond 2^53. */
export type DecimalFault = "invalid" | "precision" | "too_large";

/** Sign, fifteen whole digits, point and fifteen of fraction: longer text is no amount of a shop. */
const TEXT_LENGTH_MAX = 32;
const DECIMAL_FORM = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;
const ZERO = 48;

/** The whole number of units a text such as `-249.50` stands for; zeros past `digits` are free. */
export function unitsOfText(text: string, digits: CurrencyExponent): number | DecimalFault {
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
 * The same for a number. Its digits are those JavaScript prints, the shortest that mean this
 * number and no other; whoever reads JSON must have refused literals with more of them. NaN and
 * the infinities print as words, which are no decimals.
 */
export function unitsOfNumber(value: number, digits: CurrencyExponent): number | DecimalFault {
  if (Number.isInteger(value)) return unitsOfWhole(value, digits);
  // Below a millionth JavaScript prints an exponent, and no currency has six digits.
  if (Math.abs(value) < 1e-6) return "precision";
  return unitsOfText(String(value), digits);
}

/** Exactly `digits` digits after the point: 5 at two digits is `0.05`, at none `5`. */
export function textOfUnits(units: number, digits: CurrencyExponent): string {
  if (digits === 0) return String(units);
  const text = String(Math.abs(units)).padStart(digits + 1, "0");
  const point = text.length - digits;
  return `${units < 0 ? "-" : ""}${text.slice(0, point)}.${text.slice(point)}`;
}

/** A product of whole numbers is exact up to 2^53, and is not taken for safe beyond it. */
function unitsOfWhole(whole: number, digits: CurrencyExponent): number | DecimalFault {
  const units = whole * 10 ** digits;
  if (!Number.isSafeInteger(units)) return "too_large";
  return units === 0 ? 0 : units;
}
