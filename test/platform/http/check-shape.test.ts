// A value that does not fit its schema is told everything that is wrong with it, and where.

import { describe, expect, test } from "bun:test";

import Type from "typebox";

import type { Fault } from "#kernel/fault.ts";
import { shapeCheck } from "#platform/http/contract/check-shape.ts";
import {
  amountGiven,
  choice,
  email,
  idOf,
  instant,
  line,
  metadata,
  nullable,
  object,
  optional,
  phone,
  webAddress,
  whole,
} from "#platform/http/contract/words.ts";

import { parseText } from "./json-values.ts";

const parcel = object({
  label: line(10),
  quantity: optional(whole(1, 5)),
  kind: optional(choice(["box", "bag"])),
  amount: optional(amountGiven),
  tip: optional(nullable(amountGiven)),
  size: optional(nullable(choice(["s", "m"]))),
  email: optional(email),
  phone: optional(phone),
  sent_at: optional(instant),
  site: optional(webAddress),
  owner: optional(idOf("customer")),
  "a/b~c": optional(line(3)),
  note: optional(nullable(object({ text: line(5) }))),
  address: optional(object({ city: optional(line(5)) })),
  free: optional(Type.Record(Type.String(), Type.String())),
  lines: optional(Type.Array(object({ units: whole(1, 5) }), { maxItems: 3 })),
  metadata: optional(metadata),
});
const check = shapeCheck(parcel);

function faultsOf(text: string): string[] {
  const parsed = parseText(text);
  if (!parsed.ok) throw new Error(parsed.fault.detail);
  return told(check(parsed.value));
}

function told(faults: readonly Fault[]): string[] {
  return faults.map(({ pointer, code }) => `${pointer} ${code}`);
}

describe("the faults of a value say", () => {
  test.each([
    ["that a field is missing", "{}", ["/label required"]],
    ["that a text is empty", '{"label":""}', ["/label too_short"]],
    ["that a text is too long", '{"label":"12345678901"}', ["/label too_long"]],
    ["that a number is no text", '{"label":1}', ["/label wrong_type"]],
    ["that null is no text", '{"label":null}', ["/label wrong_type"]],
    ["that a text is no number", '{"label":"a","quantity":"1"}', ["/quantity wrong_type"]],
    ["that a unit is whole", '{"label":"a","quantity":1.5}', ["/quantity wrong_type"]],
    ["that there are too few", '{"label":"a","quantity":0}', ["/quantity too_small"]],
    ["that there are too many", '{"label":"a","quantity":6}', ["/quantity too_large"]],
    ["that a choice is none", '{"label":"a","kind":"jar"}', ["/kind invalid_choice"]],
    ["that an email is none", '{"label":"a","email":"ada"}', ["/email invalid_format"]],
    ["that a phone is none", '{"label":"a","phone":"020"}', ["/phone invalid_format"]],
    ["that an id is of another kind", '{"label":"a","owner":"ord_1"}', ["/owner invalid_format"]],
    ["that a branch does not fit", '{"label":"a","note":{"text":""}}', ["/note/text too_short"]],
    ["that no branch fits", '{"label":"a","note":7}', ["/note wrong_type"]],
    ["that an amount is below nothing", '{"label":"a","amount":-1}', ["/amount too_small"]],
    ["that an amount is no decimal", '{"label":"a","amount":"1,5"}', ["/amount invalid_format"]],
    ["that an object is expected", "[]", [" wrong_type"]],
    ["that nothing is expected to be null", "null", [" wrong_type"]],
  ])("%s", (_, text, faults) => {
    expect(faultsOf(text)).toEqual(faults);
  });
});

describe("the fault of a wrong type names what is expected:", () => {
  test.each([
    ["a field", { label: 7 }, "This must be a text."],
    ["a field that may be empty", { label: "a", note: 7 }, "This must be an object or null."],
    ["an amount", { label: "a", amount: true }, "This must be a number or a text."],
    ["a choice that may be empty", { label: "a", size: 7 }, "This must be a text or null."],
    [
      "an amount that may be empty",
      { label: "a", tip: true },
      "This must be a number or a text or null.",
    ],
  ])("%s", (_, value, detail) => {
    expect(check(value).map((fault) => fault.detail)).toEqual([detail]);
  });
});

test.each([
  [1, "This must have at least 1 entry."],
  [2, "This must have at least 2 entries."],
])("a list of at least %d says so in words", (minItems, detail) => {
  const list = shapeCheck(Type.Array(line(3), { minItems }));

  expect(list([]).map((fault) => fault.detail)).toEqual([detail]);
});

test("a value that fits has no faults", () => {
  expect(
    faultsOf('{"label":"a","quantity":5,"note":null,"amount":"1.50","metadata":{"a":[1]}}'),
  ).toEqual([]);
});

test.each(["12,50", "12.50 GHS", " 12.50", ".5"])(
  "an amount of %j is told how it is written",
  (amount) => {
    expect(check({ label: "a", amount })).toEqual([
      {
        pointer: "/amount",
        code: "invalid_format",
        detail: "This is not a number such as 12.50: digits, with a point before decimals.",
      },
    ]);
  },
);

test("a text that is no instant has one fault", () => {
  expect(faultsOf('{"label":"a","sent_at":"tomorrow"}')).toEqual(["/sent_at invalid_format"]);
});

describe("an instant is", () => {
  test.each(["2026-01-01T00:00:00Z", "2026-01-01T23:59:59.123+02:00", "2024-02-29t12:00:00z"])(
    "%s",
    (text) => {
      expect(check({ label: "a", sent_at: text })).toEqual([]);
      expect(Date.parse(text)).not.toBeNaN();
    },
  );

  test.each([
    "2026-02-30T00:00:00Z",
    "2016-12-31T23:59:60Z",
    "2026-01-01T25:00:00Z",
    "2026-01-01T00:00:00",
    "2026-01-01",
    "2026-01-01T00:00:00+99:00",
  ])("not %s", (text) => {
    expect(told(check({ label: "a", sent_at: text }))).toEqual(["/sent_at invalid_format"]);
  });
});

describe("a web address is", () => {
  test.each(["https://shop.example/hooks?x=1", "http://127.0.0.1:4000/"])("%s", (text) => {
    expect(check({ label: "a", site: text })).toEqual([]);
  });

  test.each([
    "javascript:alert(1)",
    "ftp://shop.example",
    "https://a b",
    "/hooks",
    "https://",
    "https://shop.example:65536/",
  ])("not %s", (text) => {
    expect(told(check({ label: "a", site: text }))).toEqual(["/site invalid_format"]);
  });
});

test("all faults are reported at once", () => {
  const faults = faultsOf('{"quantity":9,"kind":"jar","lines":[{"units":1},{"units":0}],"x":1}');

  expect(faults.toSorted()).toEqual([
    "/kind invalid_choice",
    "/label required",
    "/lines/1/units too_small",
    "/quantity too_large",
    "/x unknown_field",
  ]);
});

test("the fault of an unknown field names the field that was probably meant", () => {
  expect(check({ label: "a", quantitty: 1 })).toEqual([
    {
      pointer: "/quantitty",
      code: "unknown_field",
      detail: "There is no such field; is it quantity?",
    },
  ]);
});

test("an unknown field inside another is compared with the names that belong there", () => {
  expect(check({ label: "a", address: { citty: "Accra", label: "b" } })).toMatchObject([
    { pointer: "/address/citty", detail: "There is no such field; is it city?" },
    { pointer: "/address/label", detail: "There is no such field." },
  ]);
});

test("a name with a slash and a tilde has a pointer that leads to it", () => {
  expect(told(check({ label: "a", "a/b~c": "abcd", "x/y~z": 1 }))).toEqual([
    "/x~1y~0z unknown_field",
    "/a~1b~0c too_long",
  ]);
});

// The report of the schema library ends after 100 errors, and its list of unknown fields comes
// after each of them: 100 unknown fields were once no fault at all.
test.each([99, 100, 101, 40_000])("%d unknown fields are refused, 100 of them by name", (count) => {
  const unknown = Array.from({ length: count }, (_, index) => [`field_${index}`, 1]);

  const faults = check({ label: "a", ...Object.fromEntries(unknown) });

  expect(faults).toHaveLength(Math.min(count, 100));
  expect(new Set(faults.map((fault) => fault.code))).toEqual(new Set(["unknown_field"]));
});

test("at most 100 faults are reported", () => {
  const lines = Array.from({ length: 5_000 }, () => ({ units: 0 }));

  expect(check({ label: "a", lines })).toHaveLength(100);
});

describe("a number that cannot be kept as it was written is refused", () => {
  test.each([
    ["as a quantity", '{"label":"a","quantity":1e400}', ["/quantity number_precision"]],
    ["as an amount", '{"label":"a","amount":0.1234567890123456789}', ["/amount number_precision"]],
    ["in a list", '{"label":"a","lines":[{"units":1e400}]}', ["/lines/0/units number_precision"]],
    ["as a list", '{"label":"a","lines":1e400}', ["/lines number_precision"]],
    ["as an object", '{"label":"a","address":1e400}', ["/address number_precision"]],
    ["as a branch", '{"label":"a","note":1e400}', ["/note number_precision"]],
    ["as an open object", '{"label":"a","free":1e400}', ["/free number_precision"]],
    ["as metadata", '{"label":"a","metadata":1e400}', ["/metadata number_precision"]],
    [
      "in metadata",
      '{"label":"a","metadata":{"a/b":{"c":[9007199254740993]}}}',
      ["/metadata/a~1b/c/0 number_precision"],
    ],
    ["as the whole body", "1e400", [" number_precision"]],
  ])("%s", (_, text, faults) => {
    expect(faultsOf(text)).toEqual(faults);
  });
});

test("a list that is too long is not searched for duplicates", () => {
  const tags = shapeCheck(Type.Array(line(5), { maxItems: 3, uniqueItems: true }));

  expect(told(tags(["a", "a", "a"]))).toEqual([" duplicate"]);
  expect(told(tags(["a", "a", "a", "a"]))).toEqual([" too_many"]);
});

test("a text that is too long has no other fault", () => {
  expect(told(check({ label: "x", site: `gopher:${"x".repeat(3_000)}` }))).toEqual([
    "/site too_long",
  ]);
});

test("a format that is not known is refused when the check is made", () => {
  expect(() => shapeCheck(Type.String({ format: "unknown" }))).toThrow("unknown");
});

test("what was sent is not repeated", () => {
  const canary = "canary-7f3a";

  const faults = check({ label: canary.repeat(2), kind: canary, email: canary, quantity: canary });

  expect(faults).toHaveLength(4);
  expect(JSON.stringify(faults)).not.toContain(canary);
});

test("the fault of a value outside a nullable list names the allowed values", () => {
  const ofColors = shapeCheck(object({ color: nullable(choice(["red", "blue"])) }));

  expect(ofColors({ color: "blu" })).toEqual([
    { pointer: "/color", code: "invalid_choice", detail: "This must be one of: red, blue." },
  ]);
  expect(ofColors({ color: 5 }).map((fault) => fault.code)).toEqual(["wrong_type"]);
  expect(ofColors({ color: null })).toEqual([]);
});
