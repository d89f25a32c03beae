// Buy some, get others cheaper: cases a shop knows, and every way to hand out the units of a small sale.

import { describe, expect, test } from "bun:test";

import fc from "fast-check";

import { MILLION, portion } from "#kernel/money.ts";
import { buyGetAmounts } from "#pricing/calculation/buy-get.ts";
import { priceSale } from "#pricing/calculation/price-sale.ts";
import type { BuyGetTerms, NotAppliedReason, SaleLine } from "#pricing/calculation/sale.ts";

import { runs } from "../../support/runs.ts";
import { anyBuyGet, anyLine, discount, line, sale } from "./baskets.ts";

function terms(
  [bought, buyLines]: readonly [number, readonly number[]],
  [given, getLines]: readonly [number, readonly number[]],
  { percent = 100, times = null }: { percent?: number; times?: number | null } = {},
): BuyGetTerms {
  return {
    kind: "buy_get",
    buy: { quantity: bought, lines: buyLines },
    get: { quantity: given, lines: getLines, millionths: percent * 10_000 },
    times,
  };
}

describe("buy and get", () => {
  const both = [0, 1];
  test.each<[string, SaleLine[], BuyGetTerms, number[]]>([
    ["three for two", [line(1000, 3)], terms([2, [0]], [1, [0]]), [1000]],
    ["two are too few for three for two", [line(1000, 2)], terms([2, [0]], [1, [0]]), [0]],
    ["seven are twice three for two", [line(1000, 7)], terms([2, [0]], [1, [0]]), [2000]],
    ["at most once", [line(1000, 7)], terms([2, [0]], [1, [0]], { times: 1 }), [1000]],
    ["the cheapest is given", [line(1000, 2), line(300)], terms([2, both], [1, both]), [0, 300]],
    [
      "of equal prices the earlier",
      [line(300, 2), line(300)],
      terms([2, both], [1, both]),
      [300, 0],
    ],
    ["each unit is rounded", [line(333, 4)], terms([1, [0]], [1, [0]], { percent: 50 }), [334]],
    ["a cup with a pot", [line(2000), line(500, 3)], terms([1, [0]], [1, [1]]), [0, 500]],
    ["a pot is wanted, too", [line(500), line(2000)], terms([1, both], [1, [1]]), [0, 2000]],
    [
      "the cheaper is bought if it must be",
      [line(100), line(900)],
      terms([1, [0]], [1, both]),
      [0, 900],
    ],
  ])("%s", (_, ...[lines, given, amounts]) => {
    expect(buyGetAmounts(lines, given)).toEqual(amounts);
  });
});

test.each<[NotAppliedReason, SaleLine[], BuyGetTerms]>([
  ["minimum_not_met", [line(1000, 2)], terms([2, [0]], [1, [0]])],
  ["no_matching_items", [line(1000, 2)], terms([1, [0]], [1, []])],
  ["no_effect", [line(0, 3)], terms([2, [0]], [1, [0]])],
])("buy-and-get that takes nothing is %s", (reason, lines, given) => {
  const candidate = discount("bogo", [0], { target: "lines", terms: given });

  expect(priceSale(sale(lines, { candidates: [candidate] })).notApplied).toEqual([
    { id: "bogo", reason },
  ]);
});

interface Way {
  readonly bought: number;
  readonly given: number;
  readonly offMinor: number;
}

/** Every way to buy, give or leave each unit. */
function waysOf(lines: readonly SaleLine[], { buy, get }: BuyGetTerms): Way[] {
  let ways: Way[] = [{ bought: 0, given: 0, offMinor: 0 }];
  lines.forEach((one, index) => {
    const offMinor = portion(one.unitMinor, get.millionths, MILLION);
    for (let unit = 0; unit < one.quantity; unit += 1) {
      ways = ways.flatMap((way) => [
        way,
        ...(buy.lines.includes(index) ? [{ ...way, bought: way.bought + 1 }] : []),
        ...(get.lines.includes(index)
          ? [{ ...way, given: way.given + 1, offMinor: way.offMinor + offMinor }]
          : []),
      ]);
    }
  });
  return ways;
}

test("of all ways to hand out units, the most groups and then the cheapest units are given", () => {
  const small = fc
    .array(
      fc.tuple(anyLine, fc.integer({ min: 1, max: 2 })).map(([one, quantity]) => {
        return { ...one, quantity };
      }),
      { minLength: 1, maxLength: 3 },
    )
    .chain((lines) => fc.tuple(fc.constant(lines), anyBuyGet(lines.length)));
  fc.assert(
    fc.property(small, ([lines, given]) => {
      const { buy, get, times } = given;
      const ways = waysOf(lines, given);
      const offWith = (groups: number) =>
        ways
          .filter((way) => way.bought === groups * buy.quantity)
          .filter((way) => way.given === groups * get.quantity)
          .map((way) => way.offMinor);
      const possible = [0, 1, 2, 3, 4, 5, 6].filter(
        (groups) => groups <= (times ?? groups) && offWith(groups).length > 0,
      );

      const amounts = buyGetAmounts(lines, given);

      const total = amounts.reduce((off, one) => off + one, 0);
      expect(total).toBe(Math.min(...offWith(Math.max(...possible))));
    }),
    { numRuns: runs(300) },
  );
});
