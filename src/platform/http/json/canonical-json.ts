// Canonical JSON (RFC 8785), so that a retry is recognized even if its keys are ordered
// differently. Invariant: two values have the same text exactly if they are equal.

import { type JsonValue, LossyNumber } from "./strict-json.ts";

/** The canonical text of a value; the empty text for no body. Recurses as deep as the value. */
export function canonicalJson(value: JsonValue | undefined): string {
  if (value === undefined) return "";
  if (value instanceof LossyNumber) return value.literal;
  if (Array.isArray(value)) return `[${value.map((element) => canonicalJson(element)).join(",")}]`;
  if (typeof value === "number") return canonicalNumber(value);
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  // RFC 8785 orders keys by UTF-16 code units, as the default sort does.
  const members = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key])}`);
  return `{${members.join(",")}}`;
}

function canonicalNumber(value: number): string {
  // JSON.stringify would print null, so that different bodies would have the same text.
  if (!Number.isFinite(value)) throw new RangeError("JSON has no such number");
  return JSON.stringify(value);
}
