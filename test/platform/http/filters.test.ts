// A span of time in a list's query is a span of ids.

import { expect, test } from "bun:test";

import { firstIdAt } from "#kernel/id.ts";
import { idSpan } from "#platform/http/contract/filters.ts";

const iso = (ms: number) => new Date(ms).toISOString();

test("a span begins and ends with its borders in or out", () => {
  expect(idSpan("order", { "created_at[gte]": iso(5), "created_at[lte]": iso(9) })).toEqual({
    from: firstIdAt("order", 5),
    below: firstIdAt("order", 10),
  });
  expect(idSpan("order", { "created_at[gt]": iso(5), "created_at[lt]": iso(9) })).toEqual({
    from: firstIdAt("order", 6),
    below: firstIdAt("order", 9),
  });
});

test("a span is as narrow as its narrowest borders", () => {
  const query = {
    "created_at[gte]": iso(3),
    "created_at[gt]": iso(3),
    "created_at[lte]": iso(9),
    "created_at[lt]": iso(9),
  };

  expect(idSpan("order", query)).toEqual({
    from: firstIdAt("order", 4),
    below: firstIdAt("order", 9),
  });
});

test("a span is open where nothing is said", () => {
  expect(idSpan("order", {})).toEqual({ from: undefined, below: undefined });
});
