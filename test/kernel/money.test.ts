// Amounts of money: exact on the wire, in every currency, and shared out without a unit lost.

import { describe, expect, test } from "bun:test";

import fc from "fast-check";

import { type CurrencyCode, exponentOf, isCurrency } from "#kernel/currency.ts";
import {
  average,
  formatAmount,
  inBounds,
  MAX_AMOUNT_MINOR,
  parseAmount,
  percentOf,
  percentUp,
  portion,
  readPercent,
  split,
} from "#kernel/money.ts";
import { Faults } from "#kernel/refusal.ts";

const RUNS = { numRuns: 2_000 };
const anyCurrency = fc.constantFrom(...Intl.supportedValuesOf("currency").filter(isCurrency));
const anyAmount = fc.oneof(
  fc.integer({ min: -100_000, max: 100_000 }),
  fc.integer({ min: -MAX_AMOUNT_MINOR, max: MAX_AMOUNT_MINOR }),
);
const anySafe = fc.oneof(anyAmount, fc.maxSafeInteger());
const anyWeights = fc.array(fc.oneof(fc.nat(3), fc.nat(10_000), fc.nat(Number.MAX_SAFE_INTEGER)), {
  minLength: 1,
  maxLength: 100,
});

function total(units: readonly (bigint | number)[]): bigint {
  return units.reduce<bigint>((left, right) => left + BigInt(right), 0n);
}

function magnitude(units: bigint): bigint {
  return units < 0n ? -units : units;
}

/** The decimal text of minor units, made by another way than the one under test. */
function longhand(amountMinor: number, digits: number): string {
  const scale = 10n ** BigInt(digits);
  const units = BigInt(Math.abs(amountMinor));
  const fraction = (units % scale).toString().padStart(digits, "0").slice(0, digits);
  const sign = amountMinor < 0 ? "-" : "";
  return `${sign}${units / scale}${digits === 0 ? "" : `.${fraction}`}`;
}

describe("an amount from the wire", () => {
  test.each<[number | string, CurrencyCode, number]>([
    [249.5, "USD", 24_950],
    ["249.50", "USD", 24_950],
    ["249.5", "USD", 24_950],
    ["249", "USD", 24_900],
    [49_500, "UGX", 49_500],
    ["49500.0", "UGX", 49_500],
    ["12.500", "USD", 1_250],
    ["12.50000000000000000000", "USD", 1_250],
    [12.345, "KWD", 12_345],
    ["0.0001", "CLF", 1],
    [0.0001, "CLF", 1],
    [0.05, "USD", 5],
    [1.1, "USD", 110],
    [0.07, "USD", 7],
    [4.35, "USD", 435],
    [1.005, "KWD", 1_005],
    [8.2, "USD", 820],
    [-0.05, "USD", -5],
    ["-249.50", "USD", -24_950],
    [-0, "USD", 0],
    ["-0", "USD", 0],
    ["-0.00", "USD", 0],
    ["0.000", "JPY", 0],
    [400_000_000_000, "USD", MAX_AMOUNT_MINOR],
    ["-400000000000.00", "USD", -MAX_AMOUNT_MINOR],
  ])("%j of %s is %d minor units", (input, currency, amountMinor) => {
    expect(parseAmount(input, currency)).toEqual({ amountMinor });
  });

  test("of nothing has no sign", () => {
    const parsed = [-0, "-0", "-0.00"].map((input) => parseAmount(input, "USD"));

    expect(JSON.stringify(parsed)).not.toContain("-");
    expect(parsed.every((each) => "amountMinor" in each && Object.is(each.amountMinor, 0))).toBe(
      true,
    );
  });

  test.each<[number | string, CurrencyCode]>([
    [12.345, "USD"],
    ["12.345", "USD"],
    ["12.001", "USD"],
    [0.1, "JPY"],
    ["0.1", "JPY"],
    [1.0001, "KWD"],
    ["0.00001", "CLF"],
    [1e-7, "CLF"],
    [-1.5e-7, "USD"],
    [Number.MIN_VALUE, "USD"],
    [0.1 + 0.2, "USD"],
    ["0.00000000000000000000000000001", "USD"],
  ])("%j has more digits than %s", (input, currency) => {
    expect(parseAmount(input, currency)).toEqual({ fault: "amount_precision" });
  });

  test.each<[number | string, CurrencyCode]>([
    ["400000000000.01", "USD"],
    [400_000_000_000.01, "USD"],
    [-400_000_000_001, "USD"],
    [MAX_AMOUNT_MINOR + 1, "UGX"],
    [Number.MAX_SAFE_INTEGER, "USD"],
    [1e21, "UGX"],
    [-1e300, "USD"],
    ["99999999999999999999999999999999", "UGX"],
    ["9999999999999999999999999999.99", "USD"],
    // No double tells this one from its neighbor.
    ["90071992547409.93", "USD"],
    [90_071_992_547_410, "USD"],
  ])("%j of %s is more than a shop takes", (input, currency) => {
    expect(parseAmount(input, currency)).toEqual({ fault: "amount_too_large" });
  });

  test.each([
    ..."|-|.|.5|5.|+5|00|01|-01|00.5|1e3|1E3|1,50|1_000|0x10|NaN|Infinity|true".split("|"),
    ..." 1|1 |1\n|--1|1.2.3|1.-2|1.5e1|$5|5 USD|١٢|１".split("|"),
    "0".repeat(33),
    `1.${"0".repeat(31)}`,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
  ])("%p is no amount", (input) => {
    expect(parseAmount(input, "USD")).toEqual({ fault: "amount_invalid" });
  });

  test("is what was printed, in every currency", () => {
    fc.assert(
      fc.property(anyAmount, anyCurrency, (amountMinor, currency) => {
        expect(parseAmount(formatAmount(amountMinor, currency), currency)).toEqual({ amountMinor });
      }),
      RUNS,
    );
  });

  test("is the same as a number and as text, in every currency", () => {
    fc.assert(
      fc.property(anyAmount, anyCurrency, (amountMinor, currency) => {
        const text = longhand(amountMinor, exponentOf(currency));

        expect(parseAmount(Number(text), currency)).toEqual(parseAmount(text, currency));
        expect(parseAmount(text, currency)).toEqual({ amountMinor });
      }),
      RUNS,
    );
  });

  test("may have any zeros behind it, in every currency", () => {
    fc.assert(
      fc.property(anyAmount, anyCurrency, fc.nat(10), (amountMinor, currency, zeros) => {
        const text = longhand(amountMinor, exponentOf(currency));
        const point = text.includes(".") ? "" : ".0";

        expect(parseAmount(`${text}${point}${"0".repeat(zeros)}`, currency)).toEqual({
          amountMinor,
        });
      }),
      RUNS,
    );
  });

  test("is refused with one digit too many, in every currency", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -(10 ** 10), max: 10 ** 10 }),
        fc.integer({ min: 1, max: 9 }),
        anyCurrency,
        (amountMinor, digit, currency) => {
          const text = longhand(amountMinor, exponentOf(currency));
          const tooFine = `${text}${text.includes(".") ? "" : "."}${digit}`;

          expect(parseAmount(tooFine, currency)).toEqual({ fault: "amount_precision" });
          expect(parseAmount(Number(tooFine), currency)).toEqual({ fault: "amount_precision" });
        },
      ),
      RUNS,
    );
  });

  test("is decided alike as any number and as the digits it prints", () => {
    fc.assert(
      fc.property(
        fc.double({ min: -1e15, max: 1e15, noNaN: true }),
        anyCurrency,
        (value, currency) => {
          fc.pre(!String(value).includes("e"));

          expect(parseAmount(value, currency)).toEqual(parseAmount(String(value), currency));
        },
      ),
      RUNS,
    );
  });
});

describe("an amount on the wire", () => {
  test.each<[number, CurrencyCode, string]>([
    [24_950, "USD", "249.50"],
    [49_500, "UGX", "49500"],
    [12_345, "KWD", "12.345"],
    [5, "USD", "0.05"],
    [-5, "USD", "-0.05"],
    [-24_950, "USD", "-249.50"],
    [-7, "JPY", "-7"],
    [0, "USD", "0.00"],
    [-0, "USD", "0.00"],
    [0, "JPY", "0"],
    [-0, "JPY", "0"],
    [1, "CLF", "0.0001"],
    [Number.MAX_SAFE_INTEGER, "USD", "90071992547409.91"],
    [-Number.MAX_SAFE_INTEGER, "KWD", "-9007199254740.991"],
  ])("%d minor units of %s print as %s", (amountMinor, currency, text) => {
    expect(formatAmount(amountMinor, currency)).toBe(text);
  });

  test("has exactly the digits of its currency", () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), anyCurrency, (amountMinor, currency) => {
        expect(formatAmount(amountMinor, currency)).toBe(
          longhand(amountMinor, exponentOf(currency)),
        );
      }),
      RUNS,
    );
  });

  test("is never printed of half a unit", () => {
    expect(() => formatAmount(0.5, "USD")).toThrow("The amount is not a safe integer: 0.5");
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
    [10, [0, 0, 0], [0, 0, 0]],
    [10, [], []],
    [7, [9], [7]],
    [Number.MAX_SAFE_INTEGER, [1, 1], [2 ** 52, 2 ** 52 - 1]],
  ])("%d by weights %j is %j", (whole, weights, shares) => {
    expect(split(whole, weights)).toEqual(shares);
  });

  test("never loses a unit", () => {
    fc.assert(
      fc.property(anySafe, anyWeights, (whole, parts) => {
        const weights = [...parts, 1];

        const shares = split(whole, weights);

        expect(shares).toHaveLength(weights.length);
        expect(total(shares)).toBe(BigInt(whole));
      }),
      RUNS,
    );
  });

  test("gives each weight its exact part, rounded down or up to the next unit", () => {
    fc.assert(
      fc.property(anySafe, fc.array(fc.nat(1_000), { minLength: 1 }), (whole, parts) => {
        const weights = [...parts, 1];
        const whollyParted = total(weights);

        const shares = split(whole, weights);

        const errors = shares.map((share, index) =>
          magnitude(BigInt(share) * whollyParted - BigInt(whole) * BigInt(weights[index] ?? 0)),
        );
        expect(errors.every((error) => error < whollyParted)).toBe(true);
      }),
      RUNS,
    );
  });

  test("gives by weights of any size what it gives by small ones of the same proportions", () => {
    const small = fc.array(fc.nat(10_000), { minLength: 1 });
    fc.assert(
      fc.property(fc.nat(1_000_000), small, (whole, weights) => {
        const large = weights.map((weight) => weight * 2 ** 39);

        const shares = split(whole, weights);

        expect(split(whole, large)).toEqual(shares);
      }),
      RUNS,
    );
  });

  test("gives nothing to a weight of zero, and the others what they get without it", () => {
    fc.assert(
      fc.property(anySafe, anyWeights, (whole, parts) => {
        const weights = [...parts, 1];
        const heavy = weights.filter((weight) => weight > 0);

        const shares = split(whole, weights);

        expect(shares.filter((_share, index) => weights[index] !== 0)).toEqual(split(whole, heavy));
        expect(shares.filter((share, index) => weights[index] === 0 && share !== 0)).toEqual([]);
      }),
      RUNS,
    );
  });

  test("gives the earlier of two equals at most one unit more, never less", () => {
    fc.assert(
      fc.property(anyAmount, fc.integer({ min: 1, max: 100 }), (whole, count) => {
        const shares = split(
          Math.abs(whole),
          Array.from({ length: count }, () => 7),
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
        const sale = split(whole, weights);
        const refund = split(-whole, weights);

        expect(refund).toEqual(sale.map((share) => (share === 0 ? 0 : -share)));
      }),
      RUNS,
    );
  });

  test.each<[string, number[]]>([
    ["Negative weight: -1", [1, -1]],
    ["The weight is not a safe integer: 0.5", [0.5]],
    ["The weight is not a safe integer: NaN", [Number.NaN]],
  ])("refuses as a bug: %s", (message, weights) => {
    expect(() => split(1, weights)).toThrow(message);
  });
});

test("a sum of a report stands between the largest amounts that can be printed", () => {
  fc.assert(
    fc.property(fc.integer(), fc.maxSafeInteger(), (small, large) => {
      expect(inBounds(small)).toBe(small);
      expect(Number.isSafeInteger(inBounds(3 * large))).toBe(true);
    }),
    RUNS,
  );
  expect(inBounds(2 ** 60)).toBe(Number.MAX_SAFE_INTEGER);
});

describe("an average", () => {
  test.each([
    [10, 4, 2],
    [14, 4, 4],
    [-10, 4, -2],
    [0, 3, 0],
    [Number.MAX_SAFE_INTEGER, 1, Number.MAX_SAFE_INTEGER],
  ])("of %d by %d is %d: half a unit goes to the even neighbor", (whole, count, expected) => {
    expect(average(whole, count)).toBe(expected);
  });

  test("is within half a unit of the exact one", () => {
    fc.assert(
      fc.property(anySafe, fc.integer({ min: 1, max: 1_000_000 }), (whole, count) => {
        const exact = BigInt(whole);

        const error = magnitude(BigInt(average(whole, count)) * BigInt(count) - exact);

        expect(2n * error).toBeLessThanOrEqual(BigInt(count));
      }),
      RUNS,
    );
  });

  test("of nothing is a bug", () => {
    expect(() => average(1, 0)).toThrow("Cannot average 0 amounts");
  });
});

describe("a portion", () => {
  test.each<[number[], number]>([
    [[100, 75_000, 1_000_000], 8],
    [[1, 1, 2], 1],
    [[9_999, 25_000, 1_200_000], 208],
    [[0, 5, 7], 0],
  ])("of an amount, a numerator and a denominator %p is %d", (given, expected) => {
    const [amountMinor = 0, numerator = 0, denominator = 1] = given;
    expect(portion(amountMinor, numerator, denominator)).toBe(expected);
  });

  test("is within half a unit of the exact one, even beyond 2^53", () => {
    const anyPositive = fc.integer({ min: 1, max: MAX_AMOUNT_MINOR });
    fc.assert(
      fc.property(fc.nat(MAX_AMOUNT_MINOR), anyPositive, anyPositive, (amount, part, whole) => {
        const numerator = Math.min(part, whole);
        const exact = BigInt(amount) * BigInt(numerator);
        const off = BigInt(portion(amount, numerator, whole)) * BigInt(whole) - exact;
        expect(2n * off <= BigInt(whole) && 2n * off > -BigInt(whole)).toBeTrue();
      }),
      RUNS,
    );
  });
});

describe("a part in percent", () => {
  test("is the least whole amount that is not below it, however large the amount is", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }),
        fc.integer({ min: 0, max: 100 }),
        (amountMinor, percent) => {
          const found = BigInt(percentUp(amountMinor, percent));

          const hundredths = BigInt(amountMinor) * BigInt(percent);
          expect(found * 100n >= hundredths && (found - 1n) * 100n < hundredths).toBe(true);
        },
      ),
    );
  });

  test("of 0.05 is a whole unit where it would be less than one", () => {
    expect([percentUp(5, 10), percentUp(5, 0), percentUp(0, 10), percentUp(200, 30)]).toEqual([
      1, 0, 0, 60,
    ]);
  });
});

describe("a percentage of the wire", () => {
  test.each<[number | string, number]>([
    [7.5, 75_000],
    [9.975, 99_750],
    ["15.9", 159_000],
    [0.0001, 1],
    [100, 1_000_000],
    [0, 0],
  ])("%p is %d parts per million, and back", (given, millionths) => {
    const faults = new Faults();
    expect(readPercent(given, { faults, pointer: "/rate" })).toBe(millionths);
    expect(percentOf(millionths)).toBe(Number(given));
  });

  test.each<[number | string, string]>([
    [100.0001, "percent_invalid"],
    [-1, "percent_invalid"],
    ["ten", "percent_invalid"],
    [Number.NaN, "percent_invalid"],
    [7.50001, "rate_precision"],
  ])("%p is refused with %s", (given, code) => {
    const faults = new Faults();
    expect(readPercent(given, { faults, pointer: "/rate" })).toBeNull();
    expect(faults.list.map((fault) => [fault.code, fault.pointer])).toEqual([[code, "/rate"]]);
  });
});
