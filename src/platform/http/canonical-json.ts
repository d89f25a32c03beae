// Canonical JSON (RFC 8785), so that a retry is recognized even if its keys are ordered
// differently. Invariant: two values have the same text exactly if they are equal.

import { type JsonObject, type JsonValue, LossyNumber } from "./strict-json.ts";

// A text as JSON has it.

/** No quote, no backslash, no control character, and no half of a pair: JSON has it as it is. */
const PLAIN = /^[ !#-[\]-\ud7ff\ue000-\uffff]*$/;

/** Answers as `JSON.stringify` does, without its price for what most texts are. */
export function quoted(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : JSON.stringify(text);
}

/** The canonical text of a value; the empty text for no body. Recurses as deep as the value. */
export function canonicalJson(value: JsonValue | undefined): string {
  if (value === undefined) return "";
  if (typeof value === "string") return quoted(value);
  if (typeof value === "number") return canonicalNumber(value);
  if (value === null || typeof value === "boolean") return String(value);
  if (value instanceof LossyNumber) return value.literal;
  return Array.isArray(value) ? canonicalArray(value) : canonicalObject(value);
}

function canonicalArray(values: readonly JsonValue[]): string {
  let text = "";
  for (const one of values) text += `${text === "" ? "" : ","}${canonicalJson(one)}`;
  return `[${text}]`;
}

/** RFC 8785 orders keys by UTF-16 code units, as the default sort does. */
function canonicalObject(object: JsonObject): string {
  let text = "";
  for (const key of Object.keys(object).sort()) {
    text += `${text === "" ? "" : ","}${quoted(key)}:${canonicalJson(object[key])}`;
  }
  return `{${text}}`;
}

function canonicalNumber(value: number): string {
  // JSON.stringify would print null, so that different bodies would have the same text.
  if (!Number.isFinite(value)) throw new RangeError("JSON has no such number");
  return JSON.stringify(value);
}
