// Random JSON values for property tests: what any caller may send and get back unchanged. And bodies as texts.

import fc from "fast-check";

import { type JsonValue, parseStrictJson, type StrictJson } from "#platform/http/strict-json.ts";

const forbiddenKeys = new Set(["__proto__", "constructor", "prototype"]);

const key = fc
  .oneof(fc.string({ unit: "grapheme", maxLength: 8 }), fc.constantFrom("toString", "valueOf", "1"))
  .filter((text) => !forbiddenKeys.has(text));

const exactDouble = fc
  .double({
    min: -Number.MAX_SAFE_INTEGER,
    max: Number.MAX_SAFE_INTEGER,
    noNaN: true,
  })
  .map((number) => (number === 0 ? 0 : number));

const scalar: fc.Arbitrary<JsonValue> = fc.oneof(
  fc.constantFrom(null, true, false, 0, ""),
  fc.integer(),
  fc.maxSafeInteger(),
  exactDouble,
  fc.string({ unit: "grapheme" }),
  fc.constantFrom('"', "\\", "\t\n\r", "\u007f", "\u2028", "😀", "/"),
);

/** Any value without what strict intake refuses. */
export const jsonValues: fc.Arbitrary<JsonValue> = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 6, depthSize: "small" },
    scalar,
    fc.array(tie("value"), { maxLength: 5 }),
    fc.dictionary(key, tie("value"), { maxKeys: 5, noNullPrototype: true }),
  ),
})).value;

/** What comes of a body that is this text. */
export function parseText(text: string): StrictJson {
  return parseStrictJson(new TextEncoder().encode(text));
}
