// Card numbers are recognized however they are written, and the other numbers of a shop are not.

import { describe, expect, test } from "bun:test";

import fc from "fast-check";

import { holdsCardNumber, maskCardNumbers, tokenHoldsCardNumber } from "#kernel/card-number.ts";
import { newId } from "#kernel/id.ts";

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
  "2200000000000004",
  "6062825624254001",
];

/** What people write between the digits of a number: nothing, or blanks, dots and dashes. */
const separator = fc.constantFrom("", " ", "-", ".", "\u00a0", "\u2013", "  ", " - ", "\u200b");
/** A number in groups of any lengths. */
const grouped = fc
  .tuple(fc.constantFrom(...cards), fc.array(separator, { minLength: 18, maxLength: 18 }))
  .map(([card, between]) =>
    [...card].map((digit, at) => (at === 0 ? "" : (between[at - 1] ?? "")) + digit).join(""),
  );

describe("a card number is recognized", () => {
  test.each(cards)("%s", (card) => {
    expect(holdsCardNumber(card)).toBe(true);
    expect(holdsCardNumber(`Card: ${card}, exp 12/27 cvc 123`)).toBe(true);
    expect(holdsCardNumber(`${card} 12/27`)).toBe(true);
    expect(holdsCardNumber(`1001 ${card}`)).toBe(true);
  });

  test("in any groups, whatever stands around it", () => {
    const around = fc.constantFrom("", "pay with ", "12/27 ", "7 ", "#", "card:");
    fc.assert(
      fc.property(grouped, around, (number, before) => {
        expect(holdsCardNumber(`${before}${number}`)).toBe(true);
        expect(holdsCardNumber(`${number} 12/27`)).toBe(true);
      }),
    );
  });

  test("between other numbers", () => {
    expect(holdsCardNumber("order 12 4242 4242 4242 4242 12 27")).toBe(true);
  });
});

describe("a token that is a card number in disguise", () => {
  test.each([
    ["after a letter", "c4242-4242-4242-4242", true],
    ["after a word", "pm_4242.4242.4242.4242", true],
    ["is told from a token", "pm_1MqLiJLkdIwHu7ixUEgbFdYl", false],
    ["is told from a test token", "pm_card_visa", false],
    ["is told from a hash", "flw-f9b3bf384cd30d6fca42b6df9d27bd2f-m03k", false],
  ])("%s", (_, token, isCard) => {
    expect(tokenHoldsCardNumber(token)).toBe(isCard);
  });
});

describe("of a text that is shown", () => {
  test("each card number is masked, and nothing else", () => {
    expect(maskCardNumbers("4242 4242 4242 4242 for +233551234987, then 5555555555554444.")).toBe(
      "[masked] for +233551234987, then [masked].",
    );
  });

  test("no digit of a number is left, however it is grouped", () => {
    fc.assert(
      fc.property(grouped, (number) => {
        expect(maskCardNumbers(`lost_card ${number}!`)).toBe("lost_card [masked]!");
      }),
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
    expect(maskCardNumbers(text)).toBe(text);
  });

  test("any phone in E.164", () => {
    const digit = fc.integer({ min: 0, max: 9 });
    const phone = fc
      .tuple(fc.integer({ min: 1, max: 9 }), fc.array(digit, { minLength: 6, maxLength: 14 }))
      .map(([first, others]) => `+${first}${others.join("")}`);
    fc.assert(
      fc.property(phone, (text) => {
        expect(holdsCardNumber(`call ${text}`)).toBe(false);
      }),
      { examples: [["+378282246310005"], ["+30569309025904"]] },
    );
  });

  test("any id of the shop", () => {
    fc.assert(
      fc.property(fc.nat({ max: 4_102_444_800_000 }), (at) => {
        expect(holdsCardNumber(newId("payment", at))).toBe(false);
      }),
    );
  });
});
