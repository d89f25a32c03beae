// Rules: a number as people type it with the keyboard of their language.

import { dayStartMs, toIso } from "#kernel/time.ts";
import { asciiDigits } from "#platform/html/read-form.ts";
import type { JsonValue } from "#platform/http/strict-json.ts";

/** A comma before three digits may part thousands, so that the number stays as it is and is refused. */
const DECIMAL_COMMA = /^(-?\d+),(\d{1,2}|\d{4,})$/;
/** That of Arabic is of decimals alone. */
const ARABIC_COMMA = /^(-?\d+)\u066b(\d+)$/;

/** The number as the interface takes it, with digits of ASCII and a point before the fraction; another text as it is. */
export function typedNumber(text: string): string {
  const said = asciiDigits(text.trim());
  return said.replace(DECIMAL_COMMA, "$1.$2").replace(ARABIC_COMMA, "$1.$2");
}

// A day that was typed, as the instant that the interface takes.

/**
 * The beginning of the day in the zone, or of the day so many days after it. What is no day stays as it was typed, and
 * the interface says so.
 */
export function instantOfDay(day: JsonValue, zone: string, daysAfter: number): JsonValue {
  if (typeof day !== "string" || !/^\d{4}-\d{2}-\d{2}$/.test(day)) return day;
  try {
    return toIso(dayStartMs(day, zone, daysAfter));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return day;
  }
}
