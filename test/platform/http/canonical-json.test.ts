// One spelling per value: what makes a retry with reordered keys the same request.

import { describe, expect, test } from "bun:test";

import fc from "fast-check";

import { canonicalJson } from "#platform/http/canonical-json.ts";
import { type JsonValue, LossyNumber } from "#platform/http/strict-json.ts";

import { jsonValues, parseText } from "./json-values.ts";

/** The canonical text of a body as it was sent. */
function canonical(text: string): string {
  const read = parseText(text);
  if (!read.ok) throw new Error(read.fault.detail);
  return canonicalJson(read.value);
}

describe("the canonical text", () => {
  const spellings: [sent: string, text: string][] = [
    ["null", "null"],
    [" true ", "true"],
    ["1.0", "1"],
    ["1e2", "100"],
    ["-0", "0"],
    ["249.50", "249.5"],
    ["0.000001", "0.000001"],
    ["1e-7", "1e-7"],
    ["9007199254740991", "9007199254740991"],
    ["1e400", "1e400"],
    ["12.345000000000000001", "12.345000000000000001"],
    ['"\\u0041\\/\\u000a\\u2028"', '"A/\\n\u2028"'],
    ['"\\u20ac$\\r"', '"€$\\r"'],
    ["[ 3, 1, 2 ]", "[3,1,2]"],
    ['{"b":1,"a":{"d":[],"c":{}}}', '{"a":{"c":{},"d":[]},"b":1}'],
    ['{"10":1,"9":2,"1":3}', '{"1":3,"10":1,"9":2}'],
    // RFC 8785, section 3.2.3: the order of UTF-16 code units, in which 😀 precedes U+FB33.
    [
      '{"\\u20ac":1,"\\r":2,"\\ufb33":3,"1":4,"\\ud83d\\ude00":5,"\\u0080":6,"\\u00f6":7}',
      '{"\\r":2,"1":4,"\u0080":6,"ö":7,"€":1,"😀":5,"\ufb33":3}',
    ],
  ];

  test.each(spellings)("of %s is %s", (sent, text) => {
    expect(canonical(sent)).toBe(text);
  });

  test("of no body is empty", () => {
    expect(canonicalJson(undefined)).toBe("");
  });

  test("of a number that JSON has not is a bug", () => {
    expect(() => canonicalJson([Number.NaN])).toThrow(RangeError);
  });
});

/** The same value, its keys in reverse order everywhere. */
function reversed(value: JsonValue): JsonValue {
  if (value instanceof LossyNumber) return value;
  if (Array.isArray(value)) return value.map(reversed);
  if (value === null || typeof value !== "object") return value;
  const members = Object.entries(value).toReversed();
  return Object.fromEntries(members.map(([key, member]) => [key, reversed(member)]));
}

test("the order of keys and the white space between them do not matter", () => {
  fc.assert(
    fc.property(jsonValues, fc.constantFrom(1, "\t", "\n\r"), (value, indent) => {
      const rewritten = JSON.stringify(reversed(value), null, indent);

      expect(canonical(rewritten)).toBe(canonical(JSON.stringify(value)));
    }),
  );
});

test("the canonical text means the value it was made of", () => {
  fc.assert(
    fc.property(jsonValues, (value) => {
      expect(parseText(canonicalJson(value))).toEqual({ ok: true, value });
    }),
  );
});

test("different values have different texts", () => {
  fc.assert(
    fc.property(jsonValues, jsonValues, (one, other) => {
      expect(canonicalJson(one) === canonicalJson(other)).toBe(Bun.deepEquals(one, other, true));
    }),
    { numRuns: 1_000 },
  );
});
