// Amounts as people type them: in the writing of any country, and never guessed.

import { describe, expect, test } from "bun:test";

import fc from "fast-check";

import { digitsOf } from "#dashboard/kit/amounts.ts";
import { textOfMoney } from "#dashboard/kit/parts/money.ts";
import { readTypedAmount, writeTypedAmount, type Writing } from "#dashboard/kit/typed-amount.ts";
import { currencyCodes, isCurrency } from "#kernel/currency.ts";
import { MAX_AMOUNT_MINOR, parseAmount } from "#kernel/money.ts";
import { print } from "#pay-page/sums.ts";

import { runs } from "../support/runs.ts";

const LETTERS = [..."abcdefghijklmnopqrstuvwxyz"];
const PAIRS = LETTERS.flatMap((one) => LETTERS.map((other) => `${one}${other}`));
const LANGUAGES = Intl.NumberFormat.supportedLocalesOf(PAIRS);

const anyLocale = fc
  .tuple(fc.constantFrom(...LANGUAGES), fc.constantFrom("", ...PAIRS))
  .map(([language, country]) =>
    country === "" ? language : `${language}-${country.toUpperCase()}`,
  );
const anyWriting: fc.Arbitrary<Writing> = fc.record({
  currency: fc.constantFrom(...currencyCodes.filter(isCurrency)),
  locale: fc.option(anyLocale),
});
const anyAmount = fc.oneof(
  fc.integer({ min: 0, max: 2_000_000 }),
  fc.integer({ min: -MAX_AMOUNT_MINOR, max: MAX_AMOUNT_MINOR }),
);

function minorOf(text: string, writing: Writing) {
  return readTypedAmount(text, writing).map((one) => parseAmount(one, writing.currency));
}

describe("what the shop prints for an amount", () => {
  test("is read back as that amount, in every currency and the writing of any country", () => {
    fc.assert(
      fc.property(anyAmount, anyWriting, (amountMinor, writing) => {
        const { currency, locale } = writing;
        const printed = [
          print(amountMinor, currency, locale),
          writeTypedAmount(amountMinor, writing),
        ];
        for (const text of printed) {
          expect([text, ...minorOf(text, writing)]).toEqual([text, { amountMinor }]);
        }
      }),
      { numRuns: runs(1_000) },
    );
  });

  test("at the dashboard is read back there", () => {
    fc.assert(
      fc.property(anyAmount, anyWriting, (amountMinor, { currency }) => {
        const writing = { currency, locale: null };
        for (const text of [digitsOf(amountMinor, currency), textOfMoney(amountMinor, currency)]) {
          expect([text, ...minorOf(text, writing)]).toEqual([text, { amountMinor }]);
        }
      }),
    );
  });
});

describe("an amount that is typed", () => {
  test.each([
    ["1.25", ["1.25"]],
    ["1,25", ["1.25"]],
    ["1,250.00", ["1250.00"]],
    ["1.250,00", ["1250.00"]],
    ["1 250,00", ["1250.00"]],
    ["1’250.50", ["1250.50"]],
    ["1,250,000", ["1250000"]],
    ["12,50,000.00", ["1250000.00"]],
    [".99", ["0.99"]],
    ["12.", ["12"]],
    ["0.250", ["0.250"]],
    ["1250.000", ["1250.000"]],
    ["\u202aGHS\u00a01.25\u202c", ["1.25"]],
    ["1.25 ghs", ["1.25"]],
    ["GH₵1.25", ["1.25"]],
    ["١٫٢٥", ["1.25"]],
    ["−1.25", ["-1.25"]],
  ])("%j is read", (text, readings) => {
    expect(readTypedAmount(text, { currency: "GHS", locale: "en-GH" })).toEqual(readings);
  });

  test.each([
    "",
    "-",
    ".",
    "1..2",
    "1,250,00",
    "1 25",
    "1e3",
    "$5",
    "a lot",
    "--1",
    "1".repeat(65),
  ])("%j is none", (text) => {
    expect(readTypedAmount(text, { currency: "GHS", locale: null })).toEqual([]);
  });

  test.each([
    ["1.250", { currency: "GHS", locale: null }, ["1.250", "1250"]],
    ["1,250", { currency: "GHS", locale: "de" }, ["1.250", "1250"]],
    ["12.500", { currency: "CLF", locale: null }, ["12.500", "12500"]],
    ["1.250", { currency: "JPY", locale: null }, ["1250"]],
    ["1,250", { currency: "XOF", locale: "fr" }, ["1250"]],
    ["1.250", { currency: "KWD", locale: "en" }, ["1.250"]],
    ["1,250", { currency: "KWD", locale: "en" }, ["1.250", "1250"]],
    ["1,250", { currency: "TND", locale: "fr-TN" }, ["1.250"]],
    ["1.250", { currency: "TND", locale: "fr-TN" }, ["1.250", "1250"]],
  ] as const)(
    "with one separator before three digits, %s written as %p is decided by currency and locale",
    (text, writing, readings) => {
      expect(readTypedAmount(text, writing)).toEqual([...readings]);
    },
  );

  test("has at most two meanings, and never one that the interface takes and people do not see", () => {
    const anyText = fc.string({ unit: fc.constantFrom(..."0123456789.,' -\u066b") });
    fc.assert(
      fc.property(anyText, anyWriting, (text, writing) => {
        const readings = readTypedAmount(text, writing);

        expect(readings.length).toBeLessThanOrEqual(2);
        for (const one of readings) {
          expect(one).toMatch(/^-?(0|[1-9]\d*)(\.\d+)?$/);
          expect(one.replaceAll(/\D/g, "").replace(/^0+/, "")).toBe(
            text.replaceAll(/\D/g, "").replace(/^0+/, ""),
          );
        }
      }),
    );
  });
});
