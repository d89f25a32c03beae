// A day that was typed, as the instant that the interface takes.

import { dayStartMs, toIso } from "#kernel/time.ts";
import type { JsonValue } from "#platform/http/json/strict-json.ts";

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
