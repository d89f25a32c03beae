// Money never rounds away: each operation, by cases and at random.

import { describe, expect, test } from "bun:test";

import fc from "fast-check";

import { isCurrency } from "#kernel/currency.ts";
import {
  add,
  allocate,
  compare,
  isZero,
  MAX_AMOUNT_MINOR,
  type Money,
  money,
  percent,
  subtract,
  sum,
  times,
} from "#kernel/money.ts";

const RUNS = { numRuns: 2_000 };
const currencies = Intl.supportedValuesOf("currency").filter(isCurrency);
const anyCurrency = fc.constantFrom(...currencies);
const anyAmount = fc.oneof(
  fc.integer({ min: -100_000, max: 100_000 }),
  fc.integer({ min: -MAX_AMOUNT_MINOR, max: MAX_AMOUNT_MINOR }),
);
const anySafe = fc.oneof(anyAmount, fc.maxSafeInteger());
const anyWeights = fc.array(fc.oneof(fc.nat(3), fc.nat(10_000), fc.nat(Number.MAX_SAFE_INTEGER)), {
  minLength: 1,
  maxLength: 100,
});

function usd(amountMinor: number): Money {
  return money(amountMinor, "USD");
}

function minorOf(amounts: readonly Money[]): number[] {
  return amounts.map((amount) => amount.amountMinor);
}

function total(units: readonly (bigint | number)[]): bigint {
  return units.reduce<bigint>((left, right) => left + BigInt(right), 0n);
}

function magnitude(units: bigint): bigint {
  return units < 0n ? -units : units;
}

describe("an amount", () => {
  test.each([0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, -(2 ** 53)])(
    "of %d minor units is a bug",
    (amountMinor) => {
      expect(() => usd(amountMinor)).toThrow("Not a whole and safe amount");
    },
  );

  test("of nothing has no sign", () => {
    expect(Object.is(usd(-0).amountMinor, 0)).toBe(true);
    expect(Object.is(times(usd(0), -3).amountMinor, 0)).toBe(true);
    expect(Object.is(subtract(usd(5), usd(5)).amountMinor, 0)).toBe(true);
  });

  test("is not a bare number and not a look-alike", () => {
    // @ts-expect-error a bare object does not type as money
    const lookAlike: Money = { amountMinor: 5, currency: "USD" };
    // @ts-expect-error a number does not type as money
    const bare: Money = 5;

    expect(bare).not.toEqual(lookAlike);
  });

  test("is stored as an amount and a currency and nothing else", () => {
    expect(JSON.stringify(usd(5))).toBe('{"amountMinor":5,"currency":"USD"}');
  });
});

describe("adding up", () => {
  test("a price and its shipping come to the total", () => {
    expect(add(usd(24_950), usd(500))).toEqual(usd(25_450));
  });

  test("a discount beyond the price leaves less than nothing", () => {
    expect(subtract(usd(100), usd(250))).toEqual(usd(-150));
  });

  test("a sum of nothing is zero of the currency", () => {
    expect(sum([], "UGX")).toEqual(money(0, "UGX"));
  });

  test("a sum is right although it passed 2^53 on the way", () => {
    const largest = usd(Number.MAX_SAFE_INTEGER);

    expect(sum([largest, largest, usd(-Number.MAX_SAFE_INTEGER)], "USD")).toEqual(largest);
  });

  test("a hundred lines, their taxes and the shipping at the limit still add up", () => {
    const lines = Array.from({ length: 201 }, () => usd(MAX_AMOUNT_MINOR));

    expect(sum(lines, "USD")).toEqual(usd(201 * MAX_AMOUNT_MINOR));
  });

  test.each<[string, () => unknown]>([
    ["add", () => add(usd(Number.MAX_SAFE_INTEGER), usd(1))],
    ["subtract", () => subtract(usd(-Number.MAX_SAFE_INTEGER), usd(1))],
    ["times", () => times(usd(MAX_AMOUNT_MINOR), 1_000_000)],
    ["sum", () => sum([usd(Number.MAX_SAFE_INTEGER), usd(1)], "USD")],
    ["percent", () => percent(usd(Number.MAX_SAFE_INTEGER), 20_000, "half_up")],
  ])("%s beyond 2^53 is a bug and not a wrong amount", (_name, act) => {
    expect(act).toThrow("Not a whole and safe amount");
  });

  test.each<[string, () => unknown]>([
    ["add", () => add(usd(1), money(1, "KES"))],
    ["subtract", () => subtract(usd(1), money(1, "KES"))],
    ["compare", () => compare(usd(1), money(1, "KES"))],
    ["sum", () => sum([usd(1), money(1, "KES")], "USD")],
    ["sum of one", () => sum([money(1, "KES")], "USD")],
  ])("%s of two currencies is a bug", (_name, act) => {
    expect(act).toThrow("Money of two currencies: ");
  });

  test("half a mug has no price", () => {
    expect(() => times(usd(100), 0.5)).toThrow("Not a whole and safe quantity: 0.5");
  });

  test("so many times a price is that price added so many times", () => {
    fc.assert(
      fc.property(anyAmount, fc.nat(100), anyCurrency, (amountMinor, quantity, currency) => {
        const price = money(amountMinor, currency);

        const added = sum(
          Array.from({ length: quantity }, () => price),
          currency,
        );

        expect(times(price, quantity)).toEqual(added);
      }),
      RUNS,
    );
  });

  test("what was added can be taken away again", () => {
    fc.assert(
      fc.property(anyAmount, anyAmount, (left, right) => {
        expect(subtract(add(usd(left), usd(right)), usd(right))).toEqual(usd(left));
      }),
      RUNS,
    );
  });

  test("amounts sort from owed to due", () => {
    const sorted = [usd(3), usd(-2), usd(0), usd(3)].toSorted(compare);

    expect(minorOf(sorted)).toEqual([-2, 0, 3, 3]);
  });

  test("only an amount of nothing is zero", () => {
    expect([usd(0), usd(1), usd(-1)].map(isZero)).toEqual([true, false, false]);
  });
});

describe("a percentage", () => {
  test.each<[number, number, number[]]>([
    [250, 1, [0, 0]],
    [5, 1_000, [0, 1]],
    [15, 1_000, [2, 2]],
    [25, 1_000, [2, 3]],
    [24, 1_000, [2, 2]],
    [26, 1_000, [3, 3]],
    [-5, 1_000, [0, -1]],
    [-15, 1_000, [-2, -2]],
    [-25, 1_000, [-2, -3]],
    [-26, 1_000, [-3, -3]],
    [24_950, 1_900, [4_740, 4_741]],
    [24_950, 10_000, [24_950, 24_950]],
    [24_950, 0, [0, 0]],
    [25, -1_000, [-2, -3]],
  ])("of %d by %d basis points is %j, half-even and half-up", (whole, points, rounded) => {
    const shares = [
      percent(usd(whole), points, "half_even"),
      percent(usd(whole), points, "half_up"),
    ];

    expect(minorOf(shares)).toEqual(rounded);
  });

  test("is within half a minor unit of the exact one, at any size", () => {
    fc.assert(
      fc.property(
        anySafe,
        fc.integer({ min: -10_000, max: 10_000 }),
        fc.constantFrom("half_even" as const, "half_up" as const),
        (whole, points, rounding) => {
          const share = percent(usd(whole), points, rounding);

          const exact = BigInt(whole) * BigInt(points);
          expect(2n * magnitude(BigInt(share.amountMinor) * 10_000n - exact)).toBeLessThanOrEqual(
            10_000n,
          );
        },
      ),
      RUNS,
    );
  });

  test("of a refund mirrors that of the sale", () => {
    fc.assert(
      fc.property(
        anySafe,
        fc.nat(10_000),
        fc.constantFrom("half_even" as const, "half_up" as const),
        (whole, points, rounding) => {
          const sale = percent(usd(whole), points, rounding);
          const refund = percent(usd(-whole), points, rounding);

          expect(refund).toEqual(times(sale, -1));
        },
      ),
      RUNS,
    );
  });

  test("in fractions of a basis point is a bug", () => {
    expect(() => percent(usd(100), 0.5, "half_up")).toThrow("Not a whole and safe basis points");
  });
});

describe("sharing out", () => {
  test.each<[number, number[], number[]]>([
    [100, [1, 1, 1], [34, 33, 33]],
    [101, [1, 1, 1], [34, 34, 33]],
    [-100, [1, 1, 1], [-34, -33, -33]],
    [5, [3, 7], [2, 3]],
    [1, [1, 1], [1, 0]],
    [1, [1, 2], [0, 1]],
    [0, [1, 2], [0, 0]],
    [10, [0, 1, 0], [0, 10, 0]],
    [10, [0, 0, 0], [4, 3, 3]],
    [7, [9], [7]],
    [Number.MAX_SAFE_INTEGER, [1, 1], [2 ** 52, 2 ** 52 - 1]],
  ])("%d by weights %j is %j", (whole, weights, shares) => {
    expect(minorOf(allocate(usd(whole), weights))).toEqual(shares);
  });

  test("never loses a unit", () => {
    fc.assert(
      fc.property(anySafe, anyWeights, (whole, weights) => {
        const shares = minorOf(allocate(usd(whole), weights));

        expect(shares).toHaveLength(weights.length);
        expect(total(shares)).toBe(BigInt(whole));
      }),
      RUNS,
    );
  });

  test("gives everybody the exact part, rounded down or up to the next unit", () => {
    fc.assert(
      fc.property(anySafe, fc.array(fc.nat(1_000), { minLength: 1 }), (whole, parts) => {
        const weights = [...parts, 1];
        const whollyParted = total(weights);

        const shares = minorOf(allocate(usd(whole), weights));

        const errors = shares.map((share, index) =>
          magnitude(BigInt(share) * whollyParted - BigInt(whole) * BigInt(weights[index] ?? 0)),
        );
        expect(errors.every((error) => error < whollyParted)).toBe(true);
      }),
      RUNS,
    );
  });

  test("gives nothing to a weight of zero, and the others what they get without it", () => {
    fc.assert(
      fc.property(anySafe, anyWeights, (whole, parts) => {
        const weights = [...parts, 1];
        const heavy = weights.filter((weight) => weight > 0);

        const shares = minorOf(allocate(usd(whole), weights));

        expect(shares.filter((_share, index) => weights[index] !== 0)).toEqual(
          minorOf(allocate(usd(whole), heavy)),
        );
        expect(shares.filter((share, index) => weights[index] === 0 && share !== 0)).toEqual([]);
      }),
      RUNS,
    );
  });

  test("gives the earlier of two equals at most one unit more, never less", () => {
    fc.assert(
      fc.property(anyAmount, fc.integer({ min: 1, max: 100 }), (whole, count) => {
        const shares = minorOf(
          allocate(
            usd(Math.abs(whole)),
            Array.from({ length: count }, () => 7),
          ),
        );

        expect(shares).toEqual(shares.toSorted((left, right) => right - left));
        expect((shares[0] ?? 0) - (shares.at(-1) ?? 0)).toBeLessThanOrEqual(1);
      }),
      RUNS,
    );
  });

  test("a refund is shared out like the sale", () => {
    fc.assert(
      fc.property(anySafe, anyWeights, (whole, weights) => {
        const sale = allocate(usd(whole), weights);
        const refund = allocate(usd(-whole), weights);

        expect(refund).toEqual(sale.map((share) => times(share, -1)));
      }),
      RUNS,
    );
  });

  test.each<[string, number[]]>([
    ["Nobody to share the money between", []],
    ["A weight below zero: -1", [1, -1]],
    ["Not a whole and safe weight: 0.5", [0.5]],
    ["Not a whole and safe weight: NaN", [Number.NaN]],
  ])("refuses as a bug: %s", (message, weights) => {
    expect(() => allocate(usd(1), weights)).toThrow(message);
  });
});
