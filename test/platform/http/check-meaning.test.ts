// What a schema cannot say of money and of metadata.

import { describe, expect, test } from "bun:test";

import Type from "typebox";

import { shapeCheck } from "#platform/http/contract/check-shape.ts";
import {
  amountGiven,
  currency,
  line,
  metadata,
  object,
  optional,
} from "#platform/http/contract/words.ts";

const price = object(
  { amount: amountGiven, currency: optional(currency) },
  { "x-money": { amount: "currency" } },
);
const checkPrice = shapeCheck(price);
const checkPrices = shapeCheck(object({ prices: Type.Array(price) }));
const checkMetadata = shapeCheck(object({ metadata }));

function metadataFaults(value: Record<string, unknown>): string[] {
  return checkMetadata({ metadata: value }).map(({ pointer, code }) => `${pointer} ${code}`);
}

describe("an amount has at most the digits of its currency", () => {
  test.each([
    [249.5, "GHS"],
    ["249.50", "GHS"],
    [49_500, "UGX"],
    [12.345, "KWD"],
    ["0.10", "USD"],
  ])("%p %s does", (amount, code) => {
    expect(checkPrice({ amount, currency: code })).toEqual([]);
  });

  test.each([
    [249.505, "GHS"],
    ["249.501", "GHS"],
    [49_500.5, "UGX"],
    ["12.3456", "KWD"],
  ])("%p %s does not", (amount, code) => {
    expect(checkPrice({ amount, currency: code })).toMatchObject([
      { pointer: "/amount", code: "amount_precision" },
    ]);
  });
});

test("an amount beyond what can be counted is refused", () => {
  expect(checkPrice({ amount: "99999999999999999999", currency: "GHS" })).toMatchObject([
    { pointer: "/amount", code: "amount_too_large" },
  ]);
});

test("an amount without a currency is left to the story that knows it", () => {
  expect(checkPrice({ amount: "1.23456" })).toEqual([]);
});

test("each amount of a list is judged in its place", () => {
  const prices = [
    { amount: 1, currency: "UGX" },
    { amount: 1.5, currency: "UGX" },
  ];

  expect(checkPrices({ prices })).toMatchObject([
    { pointer: "/prices/1/amount", code: "amount_precision" },
  ]);
});

test("of many amounts at most 100 faults are reported", () => {
  const prices = Array.from({ length: 101 }, () => ({ amount: 1.5, currency: "UGX" }));

  expect(checkPrices({ prices })).toHaveLength(100);
});

test("metadata that is too large is not searched for card numbers", () => {
  const large = Object.fromEntries(
    Array.from({ length: 9 }, (_, index) => [`text_${index}`, "x".repeat(500)]),
  );

  expect(metadataFaults({ ...large, card: "4242 4242 4242 4242" })).toEqual([
    "/metadata too_large",
  ]);
});

test("metadata of 50 keys, 40 characters and 500 characters is kept", () => {
  const many = Array.from({ length: 49 }, (_, index) => [`key_${index}`, index]);

  expect(
    metadataFaults({ ...Object.fromEntries(many), ["é".repeat(40)]: "😀".repeat(500) }),
  ).toEqual([]);
});

test("a 51st key is one too many, and nothing else is said of so many", () => {
  const many = Array.from({ length: 20_000 }, (_, index) => [`${"k".repeat(41)}${index}`, index]);

  expect(metadataFaults(Object.fromEntries(many))).toEqual(["/metadata too_many"]);
});

test("a key of 41 characters and a text of 501 are too long", () => {
  const long = "k".repeat(41);

  expect(metadataFaults({ [long]: 1, "a/b": "x".repeat(501) })).toEqual([
    `/metadata/${long} too_long`,
    "/metadata/a~1b too_long",
  ]);
});

test("more than 4 KB in all are too much", () => {
  expect(metadataFaults({ nested: { text: "x".repeat(4_100) } })).toEqual(["/metadata too_large"]);
});

test("metadata is an object", () => {
  expect(checkMetadata({ metadata: [1] })).toMatchObject([
    { pointer: "/metadata", code: "wrong_type" },
  ]);
});

test("a shape without money and metadata is left alone", () => {
  expect(shapeCheck(object({ name: line(3) }))({ name: "abc" })).toEqual([]);
});

test.each([
  ["a text", { source: "4242 4242 4242 4242" }, "/metadata/source"],
  ["a number", { source: 4242424242424242 }, "/metadata/source"],
  ["a name", { "4242-4242-4242-4242": 1 }, "/metadata/4242-4242-4242-4242"],
  ["an inner value", { a: { b: ["x", "5555555555554444"] } }, "/metadata/a"],
  ["an inner name", { a: [{ "5555 5555 5555 4444": 1 }] }, "/metadata/a"],
  ["the lines of a text", { a: "4242\n4242\n4242\t4242" }, "/metadata/a"],
])("a card number in %s of metadata is refused, and not repeated", (_, given, pointer) => {
  expect(metadataFaults(given)).toEqual([`${pointer} looks_like_a_card`]);
});

test("numbers of a shop stay in metadata", () => {
  const numbers = { ean: "4006381333931", phone: "+233241234567", order: 1_767_600_000_000_000 };

  expect(metadataFaults(numbers)).toEqual([]);
});
