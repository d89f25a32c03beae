// Money at the wire: exactly the currency's digits out, nothing rounded in.

import { describe, expect, test } from "bun:test";

import { readAmount } from "#kernel/money.ts";
import { Faults } from "#kernel/refusal.ts";
import { thaw } from "#platform/event-log/event-log.ts";
import { printAmount } from "#platform/http/contract/wire.ts";

describe("an amount is printed with its currency's digits", () => {
  test.each([
    [24_950, "GHS", "249.50"],
    [49_500, "UGX", "49500"],
    [12_345, "KWD", "12.345"],
    [5, "USD", "0.05"],
    [0, "USD", "0.00"],
    [-150, "USD", "-1.50"],
    [Number.MAX_SAFE_INTEGER, "USD", "90071992547409.91"],
  ] as const)("%d %s is %s", (minor, currency, text) => {
    expect(JSON.stringify({ amount: printAmount(minor, currency) })).toBe(`{"amount":${text}}`);
  });
});

describe("an amount is read as it was written", () => {
  test.each([
    [249.5, "GHS", 24_950],
    ["249.50", "GHS", 24_950],
    [0.07, "USD", 7],
    [1.1, "USD", 110],
    [8.2, "KWD", 8_200],
    [49_500, "UGX", 49_500],
    ["0", "USD", 0],
  ] as const)("%p %s is %d", (given, currency, minor) => {
    const faults = new Faults();

    expect(readAmount(given, currency, { faults, pointer: "/amount" })).toBe(minor);
    expect(faults.list).toEqual([]);
  });
});

test("an amount with too many digits is noted in its place, not rounded", () => {
  const faults = new Faults();

  readAmount(249.505, "GHS", { faults, pointer: "/prices/0/amount" });

  expect(faults.list).toEqual([
    {
      pointer: "/prices/0/amount",
      code: "amount_precision",
      detail: "The amount has more decimal digits than GHS.",
    },
  ]);
});

describe("frozen JSON is printed again to the byte", () => {
  test.each([
    '{"total":249.50,"rate":1.10,"n":[0.00,-1.50,1e2]}',
    '{"text":"249.50","nothing":null,"yes":true}',
    "[]",
    "12.345000000000000001",
  ])("%s", (text) => {
    expect(JSON.stringify(thaw(text))).toBe(text);
  });
});
