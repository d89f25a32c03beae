// The one spelling of a JSON value (RFC 8785), so that a retry is recognized although an SDK wrote
// its keys in another order. Invariant: equal values give equal text, different values different.

import { type JsonValue, LossyNumber } from "./strict-json.ts";

/** RFC 8785 text of a value; the empty text stands for "no body". Recurses as deep as the value. */
export function canonicalJson(value: JsonValue | undefined): string {
  if (value === undefined) return "";
  if (value instanceof LossyNumber) return value.literal;
  if (Array.isArray(value)) return `[${value.map((element) => canonicalJson(element)).join(",")}]`;
  if (typeof value === "number") return canonicalNumber(value);
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  // The default sort compares UTF-16 code units, which is the order RFC 8785 asks for.
  const members = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key])}`);
  return `{${members.join(",")}}`;
}

function canonicalNumber(value: number): string {
  // JSON.stringify would print null, and two different bodies would look alike.
  if (!Number.isFinite(value)) throw new RangeError("JSON has no such number");
  return JSON.stringify(value);
}
