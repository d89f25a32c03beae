// Parameters of a query are known, given once, and of the type their schema says.

import { describe, expect, test } from "bun:test";

import Type from "typebox";

import type { Fault } from "#kernel/fault.ts";
import { Refusal } from "#kernel/refusal.ts";
import { queryReader } from "#platform/http/calls/read-query.ts";
import { family } from "#platform/http/contract/filters.ts";
import {
  choice,
  identifying,
  instant,
  line,
  object,
  optional,
  sought,
  whole,
} from "#platform/http/contract/words.ts";

/** The caller of a secret key. */
const secret = { isPublic: false };

const read = queryReader(
  object({
    q: optional(line(20)),
    sku: optional(line(4, { ...identifying, ...sought })),
    limit: optional(whole(1, 100)),
    low: optional(Type.Boolean()),
    status: optional(Type.Array(choice(["open", "completed"]))),
    "created_at[gte]": optional(instant),
    option: optional(family(line(5), { members: 2, values: 2, description: "Options." })),
  }),
);

/** The faults a query is refused with; none where it is read. */
function faultsOf(search: string, reader = read): readonly Fault[] {
  try {
    reader(search, secret);
    return [];
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    expect(error.definition.code).toBe("query_invalid");
    return error.details.faults ?? [];
  }
}

describe("a query is read", () => {
  test.each([
    ["", {}],
    ["?", {}],
    ["?q=blue%20mug", { q: "blue mug" }],
    ["?q=blue+mug", { q: "blue mug" }],
    ["?q=1", { q: "1" }],
    ["?q=%41%C3%A9%F0%9F%A5%AD", { q: "Aé🥭" }],
    ["?q=100%25&&limit=20", { q: "100%", limit: 20 }],
    ["?limit=20", { limit: 20 }],
    ["?low=true", { low: true }],
    ["?low=false", { low: false }],
    ["?status=open,completed", { status: ["open", "completed"] }],
    ["?created_at[gte]=2026-01-01T00:00:00Z", { "created_at[gte]": "2026-01-01T00:00:00Z" }],
    ["?option[Size]=M,L&option[a,b]=x", { option: { Size: ["M", "L"], "a,b": ["x"] } }],
    ["?option%5BFarbe+%5B1%5D%5D=rot", { option: { "Farbe [1]": ["rot"] } }],
    ["?option[Size%E2%80%8B]=%20M%20,L%07", { option: { Size: ["M", "L"] } }],
    ["?option[a]=1&option[a%20]=2", { option: { a: ["1", "2"] } }],
    ["?option[%E2%80%8Babcde]=%E2%80%8Bmmmmm%E2%80%8B", { option: { abcde: ["mmmmm"] } }],
    ["?sku=KT%E2%80%931%20", { sku: "KT\u20131 " }],
    ["?option[]=M", { option: { "": ["M"] } }],
    ["?created_at%5Bgte%5D=2026-01-01T00:00:00Z", { "created_at[gte]": "2026-01-01T00:00:00Z" }],
  ])("%s", (search, values) => {
    expect(read(search, secret)).toEqual(values);
  });
});

describe("a query is refused", () => {
  test.each([
    ["?limit=0", "limit", "too_small"],
    ["?limit=101", "limit", "too_large"],
    ["?limit=", "limit", "wrong_type"],
    ["?limit=1.5", "limit", "wrong_type"],
    ["?limit=1e2", "limit", "wrong_type"],
    ["?limit=%2010", "limit", "wrong_type"],
    ["?limit=99999999999999999999", "limit", "wrong_type"],
    ["?low=yes", "low", "wrong_type"],
    ["?low=constructor", "low", "wrong_type"],
    ["?low=__proto__", "low", "wrong_type"],
    ["?q=", "q", "too_short"],
    ["?status=", "status", "invalid_choice"],
    ["?status=open,gone", "status", "invalid_choice"],
    ["?created_at[gte]=yesterday", "created_at[gte]", "invalid_format"],
    ["?q=a&q=a", "q", "duplicate"],
    ["?option=M", "option", "unknown_parameter"],
    ["?option[Size=M", "option[Size", "unknown_parameter"],
    ["?option[Size]=", "option[Size]", "too_short"],
    ["?option[a/b]=1,2,3", "option[a/b]", "too_many"],
    ["?option[__proto__]=enormous", "option[__proto__]", "too_long"],
    ["?option[a]=1&option[b]=1&option[c]=1", "option", "too_many"],
    ["?option[a]=1&option[a]=2", "option[a]", "duplicate"],
    ["?sku=KT%E2%80%93123", "sku", "too_long"],
    ["?option[a%00]=1", "option[a\0]", "invalid_format"],
    ["?limit[a]=1", "limit[a]", "unknown_parameter"],
    ["?__proto__=1", "__proto__", "unknown_parameter"],
    ["?constructor=1", "constructor", "unknown_parameter"],
  ])("%s", (search, parameter, code) => {
    expect(faultsOf(search)).toMatchObject([{ parameter, code }]);
  });
});

test("the fault of an unknown parameter names the parameter that was probably meant", () => {
  expect(faultsOf("?limt=5")).toMatchObject([
    { parameter: "limt", detail: "There is no such parameter; is it limit?" },
  ]);
});

test("the fault of a parameter that resembles none is a sentence", () => {
  expect(faultsOf("?zzzzzz=5")).toMatchObject([
    { parameter: "zzzzzz", detail: "There is no such parameter." },
  ]);
});

test("a text with U+0000 is refused, since not every store could look for it", () => {
  expect(faultsOf("?q=a%00b")).toEqual([
    {
      parameter: "q",
      code: "invalid_format",
      detail: "This has the character U+0000, which cannot be kept.",
    },
  ]);
});

test("all faults of a query are reported at once", () => {
  const faults = faultsOf("?limt=5&limit=0&low=maybe&q=a&q=b");

  expect(faults.map(({ parameter, code }) => `${parameter} ${code}`).toSorted()).toEqual([
    "limit too_small",
    "limt unknown_parameter",
    "low wrong_type",
    "q duplicate",
  ]);
});

test("at most 100 unknown parameters are reported", () => {
  const search = Array.from({ length: 5_000 }, (_, index) => `p${index}=1`).join("&");

  expect(faultsOf(`?${search}`)).toHaveLength(100);
});

describe("a parameter whose escapes are not those of UTF-8 is refused", () => {
  test.each(["%zz", "%", "100%", "a%4", "%ff", "%E0", "%C0%AF", "%ED%A0%80", "m%C3%A9+%C3"])(
    "?q=%s",
    (text) => {
      expect(faultsOf(`?limit=5&q=${text}`)).toEqual([
        {
          parameter: "q",
          code: "invalid_format",
          detail: "This must be UTF-8 in percent-encoding.",
        },
      ]);
    },
  );
});

test("each parameter with such an escape is named, under the name that is decoded", () => {
  expect(faultsOf("?created_at%5Bgte%5D=%zz&low=%ff")).toMatchObject([
    { parameter: "created_at[gte]", code: "invalid_format" },
    { parameter: "low", code: "invalid_format" },
  ]);
});

test("a name with such an escape is no parameter", () => {
  expect(faultsOf("?q%zz=a")).toMatchObject([{ code: "unknown_parameter" }]);
});

test("a parameter that is needed is missed, also where there is no query at all", () => {
  const needing = queryReader(object({ from: instant }));

  expect(faultsOf("", needing)).toMatchObject([{ parameter: "from", code: "required" }]);
});

test("a route without parameters takes none", () => {
  const nothing = queryReader(null);

  expect(nothing("", secret)).toEqual({});
  expect(faultsOf("?a=1", nothing)).toMatchObject([{ parameter: "a", code: "unknown_parameter" }]);
});

test("the values of a query are not repeated", () => {
  const canary = "canary-7f3a";

  const faults = faultsOf(`?limit=${canary}&status=${canary}&low=${canary}`);

  expect(faults).toHaveLength(3);
  expect(JSON.stringify(faults)).not.toContain(canary);
});
