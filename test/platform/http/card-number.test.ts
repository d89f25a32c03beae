// Card numbers are recognized however they are written, and the other numbers of a shop are not.

import { describe, expect, test } from "bun:test";

import fc from "fast-check";

import { holdsCardNumber } from "#platform/http/intake/card-number.ts";

/** Published test numbers of the networks. */
const cards = [
  "4242424242424242",
  "4000056655665556",
  "5555555555554444",
  "2223003122003222",
  "378282246310005",
  "30569309025904",
  "6011111111111117",
  "3566002020360505",
  "6205500000000000004",
  "5060666666666666666",
];

describe("a card number is recognized", () => {
  test.each(cards)("%s", (card) => {
    expect(holdsCardNumber(card)).toBe(true);
    expect(holdsCardNumber(`Card: ${card}, exp 12/27 cvc 123`)).toBe(true);
    expect(holdsCardNumber(`${card} 12/27`)).toBe(true);
    expect(holdsCardNumber(`1001 ${card}`)).toBe(true);
  });

  test("in any groups", () => {
    const separator = fc.constantFrom(" ", "-", ".", "\u00a0", "\u2013");
    fc.assert(
      fc.property(
        fc.constantFrom(...cards),
        fc.array(fc.option(separator, { nil: "" }), { minLength: 18, maxLength: 18 }),
        (card, separators) => {
          const grouped = [...card].map((digit, at) => digit + (separators[at] ?? "")).join("");
          expect(holdsCardNumber(`pay with ${grouped.replace(/\D$/, "")}`)).toBe(true);
        },
      ),
    );
  });
});

describe("no card number is", () => {
  test.each([
    ["a wrong digit", "4242424242424241"],
    ["a phone", "+233 24 123 4567"],
    ["two phones", "0241234567 0501234567"],
    ["a barcode of 13 digits", "4006381333931"],
    ["a barcode that Luhn accepts", "4000000000006"],
    ["a time in microseconds", "1767600000000000"],
    ["a date and time", "2026-11-22 17.40.15"],
    ["an id", "ord_01h455vb4pex5vsknk084sn02q"],
    ["digits within a hash", "a4242424242424242f"],
    ["a longer number", "42424242424242424242424"],
    ["an account number", "DE89 4242 4242 4242 4242 00"],
    ["an IMEI", "490154203237518"],
    ["a card of a SIM", "8923301000000000008"],
    ["an order number", "2026-000123-0001"],
    ["nothing", ""],
  ])("%s", (_, text) => {
    expect(holdsCardNumber(text)).toBe(false);
  });
});
