// The forms of VAT numbers, by the examples that the Commission publishes for each member state.

import { describe, expect, test } from "bun:test";

import fc from "fast-check";

import { prefixOfVatNumber, vatPrefixOf } from "#shop/taxes/vat-numbers.ts";

/**
 * As published: 9 is a digit, L a letter, X a letter or a digit, S one of these or + or *, W a letter up to W and I one up to
 * I; what is quoted stands for itself.
 */
const published: Readonly<Record<string, readonly string[]>> = {
  AT: ["'U'99999999"],
  BE: ["'0'999999999", "'1'999999999"],
  BG: ["999999999", "9999999999"],
  CY: ["99999999L"],
  CZ: ["99999999", "999999999", "9999999999"],
  DE: ["999999999"],
  DK: ["99 99 99 99"],
  EE: ["999999999"],
  EL: ["999999999"],
  ES: ["L9999999X", "X9999999L"],
  FI: ["99999999"],
  FR: ["XX 999999999"],
  HR: ["99999999999"],
  HU: ["99999999"],
  IE: ["9S99999L", "9999999WI"],
  IT: ["99999999999"],
  LT: ["999999999", "999999999999"],
  LU: ["99999999"],
  LV: ["99999999999"],
  MT: ["99999999"],
  NL: ["SSSSSSSSS'B'99"],
  PL: ["9999999999"],
  PT: ["999999999"],
  // Two to ten digits.
  RO: Array.from({ length: 9 }, (_, more) => "9".repeat(2 + more)),
  SE: ["999999999999"],
  SI: ["99999999"],
  SK: ["9999999999"],
  XI: ["999 9999 99", "999 9999 99 999", "'GD'999", "'HA'999"],
};

const DIGITS = [..."0123456789"];
const LETTERS = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
const signs: Readonly<Record<string, readonly string[]>> = {
  9: DIGITS,
  L: LETTERS,
  X: [...LETTERS, ...DIGITS],
  S: [...LETTERS, ...DIGITS, "+", "*"],
  W: LETTERS.slice(0, LETTERS.indexOf("W") + 1),
  I: LETTERS.slice(0, LETTERS.indexOf("I") + 1),
};

/** The signs that may stand at each place of a published form. */
function placesOf(form: string): (readonly string[])[] {
  const parts = form.replaceAll(" ", "").match(/'[A-Z0-9]+'|./g) ?? [];
  return parts.flatMap((part) =>
    part.startsWith("'") ? Array.from(part.slice(1, -1), (sign) => [sign]) : [signs[part] ?? []],
  );
}

/** Numbers of a published form. */
function numbersOf(form: string): fc.Arbitrary<string> {
  const places = placesOf(form).map((of) => fc.constantFrom(...of));
  return fc.tuple(...places).map((all) => all.join(""));
}

function fits(number: string, form: string): boolean {
  const places = placesOf(form);
  return number.length === places.length && places.every((of, at) => of.includes(number[at] ?? ""));
}

const forms = Object.entries(published).flatMap(([prefix, all]) =>
  all.map((form) => [prefix, form] as const),
);

describe("a VAT number", () => {
  test.each(forms)("of %s with the form %s is known, however it is written", (prefix, form) => {
    fc.assert(
      fc.property(numbersOf(form), fc.constantFrom("", " ", ".", "-"), (number, separator) => {
        const written = `${prefix.toLowerCase()}${separator}${[...number].join(separator)}`;
        expect(prefixOfVatNumber(written)).toBe(prefix);
      }),
      { numRuns: 50 },
    );
  });

  test.each(forms)(
    "of %s like the form %s is known only if it has a published one",
    (prefix, form) => {
      const edits = fc.record({
        at: fc.nat(placesOf(form).length),
        removed: fc.nat(1),
        added: fc.constantFrom("", ...LETTERS, ...DIGITS, "+", "?"),
      });
      fc.assert(
        fc.property(numbersOf(form), fc.array(edits, { maxLength: 3 }), (number, changes) => {
          const other = changes.reduce(
            (text, { at, removed, added }) => text.slice(0, at) + added + text.slice(at + removed),
            number,
          );
          const isKnown = (published[prefix] ?? []).some((one) => fits(other, one));
          expect(prefixOfVatNumber(`${prefix}${other}`)).toBe(isKnown ? prefix : null);
        }),
        { numRuns: 200 },
      );
    },
  );

  test("is not known by its length alone, nor without a prefix of the Union", () => {
    const others = [
      null,
      "",
      "DE",
      "123456789",
      "DE12345678",
      "DE12345678X",
      "ATX12345678",
      "BE2123456789",
      "CY12345678",
      "ES123456789",
      "FR1234567890",
      "GR123456789",
      "GB123456789",
      "CHE123456789",
      "NL123456789A01",
      "RO1",
      "RO12345678901",
      "XI1234567890",
      "XIGD99",
      "DE123456789 FR12345678901",
      "__proto__",
      "constructor",
    ];

    expect(others.map(prefixOfVatNumber)).toEqual(others.map(() => null));
  });
});

describe("the numbers of a place", () => {
  test("are those of its country; Greece has EL, and Northern Ireland XI", () => {
    const places = [
      ["DE", null],
      ["GR", null],
      ["GB", "BT1 5GS"],
      ["GB", "bt15gs"],
      ["GB", "SW1A 1AA"],
      ["GB", null],
      ["CH", "8001"],
      [null, null],
    ] as const;

    const prefixes = places.map(([country, postalCode]) => vatPrefixOf({ country, postalCode }));

    expect(prefixes).toEqual(["DE", "EL", "XI", "XI", null, null, null, null]);
  });
});
