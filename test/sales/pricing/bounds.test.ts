// Carts and orders at the bounds of what a request may say: the largest amounts, every line and discount at once,
// currencies with no or three decimals, and codes of any script.

import { beforeAll, describe, expect, test } from "bun:test";

import { openTestShop, sharedShop, type TestShop } from "../../support/shop.ts";
import { basket, change } from "../carts/basket.ts";
import { place } from "../orders/counter.ts";
import { discount, must, of, reasonsOf, sold, tax, totalsOf, usd } from "./priced-shop.ts";

const shop = sharedShop();
beforeAll(() => discount(shop, { codes: ["SUMMER"] }));

/** The largest amount of a request: 400 billion. */
const LARGEST = "400000000000";
const LARGEST_MINOR = 40_000_000_000_000;

const lines = (line: object) => Array.from({ length: 100 }, () => line);

describe("the largest order", () => {
  test("is paid twice, and listed with what it was paid", async () => {
    await using shop = await openTestShop();
    const gold = await sold(shop, LARGEST);
    const order = await place(shop, [of(gold)], { payment_method: "bank_transfer" });

    const due = { order_id: order.id };
    const promised = must(await shop.post("/v2/payments/initialize", due), 201);
    const card = { ...due, method: "card", card_token: "pm_card_visa" };
    must(await shop.post("/v2/payments/initialize", card), 201);
    // By hand, because what a gateway still waits for is called off once the order is paid.
    must(await shop.post(`/v2/payments/${promised.id}/confirm`, { amount: LARGEST }), 200);

    const listed = await shop.get("/v2/orders");
    expect(listed.at("/data/0/paid_total_minor")).toBe(2 * LARGEST_MINOR);
  });

  test.each([
    ["of its lines", {}, 2],
    ["with its shipping", { shipping: { label: "Armored", amount: "0.01" } }, 1],
  ])("comes to no more %s", async (_, terms, count) => {
    const line_items = lines(of(await sold(shop, LARGEST))).slice(0, count);

    const cart = await shop.post("/v2/carts", { line_items, ...terms });
    const order = await shop.post("/v2/orders", { line_items, ...terms });

    for (const refused of [cart, order]) {
      expect([refused.status, refused.faults]).toEqual([422, ["#/line_items amount_too_large"]]);
    }
  });

  test("is a cart to which no shipping can be added", async () => {
    const cart = await basket(shop, [of(await sold(shop, LARGEST))]);

    const refused = await change(shop, cart, { shipping: { label: "Armored", amount: "0.01" } });

    expect([refused.status, refused.faults]).toEqual([422, ["#/shipping amount_too_large"]]);
  });

  test("has ten discounts at once, of which none is lost", async () => {
    await using shop = await openTestShop();
    const terms = { target: "order", percent: "0.0001", stackable: true };
    for (let count = 0; count < 10; count += 1) await discount(shop, terms);

    const order = await place(shop, [of(await sold(shop, LARGEST))]);

    expect(order.list("/discounts")).toHaveLength(10);
    expect(totalsOf(order).discount).toBe(10 * 40_000_000);
  });

  test("is free with a discount of a hundred percent, and is paid", async () => {
    await using shop = await openTestShop();
    await tax(shop, "GH", { rates: [{ name: "VAT", rate: 100 }] });
    await discount(shop, { percent: "100.0000" });

    const order = await place(shop, lines(of(await sold(shop, LARGEST))));

    expect(totalsOf(order)).toMatchObject({ tax: 0, total: 0 });
    expect(order.at("/payment_status")).toBe("paid");
  });

  test.each([
    ["a quadrillion", 1e15, "amount_too_large"],
    ["a cent above the largest amount", "400000000000.01", "amount_too_large"],
    ["less than nothing", -0.01, "too_small"],
  ])("is not expected to come to %s", async (_, expected_total, fault) => {
    const refused = await shop.post("/v2/orders", {
      line_items: [of(await sold(shop, 1))],
      expected_total,
    });

    expect([refused.status, refused.faults]).toEqual([422, [`#/expected_total ${fault}`]]);
  });
});

describe("a discount", () => {
  test.each([
    ["negative zero", "-0", "percent_invalid"],
    ["negative zero as text", '"-0"', "percent_invalid"],
    ["text with a space", '"5 5"', "percent_invalid"],
    ["text with an exponent", '"1e2"', "percent_invalid"],
    ["text with a comma", '"5,5"', "percent_invalid"],
    ["text in hexadecimal", '"0x10"', "percent_invalid"],
    ["digits of another script", '"\u0665"', "percent_invalid"],
    ["a millionth of a percent", "1e-6", "rate_precision"],
    ["a little above all", '"100.0001"', "percent_invalid"],
  ])("has no percentage of %s", async (_, percent, fault) => {
    const refused = await shop.send("POST", "/v2/discounts", {
      text: `{"title":"Sale","target":"order","percent":${percent}}`,
    });

    expect([refused.status, refused.faults]).toEqual([422, [`#/percent ${fault}`]]);
  });

  test.each<[string, number | string, number | string]>([
    ["JPY", 100, "100.5"],
    ["UGX", "1000.00", 0.5],
    ["KWD", 1.234, "1.2345"],
  ])("takes amounts of %s with its digits and nothing finer", async (currency, amount, finer) => {
    const terms = { title: "Sale", target: "order" };

    const made = await shop.post("/v2/discounts", { ...terms, amounts: [{ currency, amount }] });
    const refused = await shop.post("/v2/discounts", {
      ...terms,
      amounts: [{ currency, amount: finer }],
    });

    expect([made.status, made.at("/amounts/0/amount")]).toEqual([201, Number(amount)]);
    expect(refused.faults).toEqual(["#/amounts/0/amount amount_precision"]);
  });
});

describe("a sale in a currency", () => {
  /** Goods for 101 yen or 1.005 dinars, with 10 % of tax. */
  async function abroad(shop: TestShop) {
    await tax(shop, "JP", { currency: "JPY", rates: [{ name: "Tax", rate: 10 }] });
    const prices = [
      { currency: "JPY", amount: 101 },
      { currency: "KWD", amount: "1.005" },
    ];
    const made = must(
      await shop.post("/v2/products", { name: "Cup", variants: [{ prices, stock: 9 }] }),
      201,
    );
    return { variant_id: made.string("/variants/0/id"), quantity: 3 };
  }

  test("without decimals is rounded to whole units", async () => {
    await using shop = await openTestShop();
    const line = await abroad(shop);
    await discount(shop, { percent: "33.3333" });

    const order = await place(shop, [line]);

    expect(totalsOf(order)).toMatchObject({ subtotal: 303, discount: 101, tax: 20, total: 222 });
    expect(order.at("/total")).toBe(222);
  });

  test("with three decimals is rounded to thousandths", async () => {
    await using shop = await openTestShop();
    const line = await abroad(shop);
    await discount(shop, { percent: "33.3333" });

    const order = await place(shop, [line], { currency: "KWD" });

    expect(totalsOf(order)).toMatchObject({ subtotal: 3015, discount: 1005, tax: 201 });
    expect(order.at("/total")).toBe(2.211);
  });

  test("has no discount of amounts in another one", async () => {
    await using shop = await openTestShop();
    const line = await abroad(shop);
    await discount(shop, { codes: ["FIVE"], amounts: usd(5) });

    const cart = await basket(shop, [line], { discount_codes: ["FIVE"] });
    const refused = await shop.post("/v2/orders", { line_items: [line], discount_codes: ["FIVE"] });

    expect(reasonsOf(cart)).toEqual(["FIVE currency"]);
    expect(reasonsOf(refused, "/codes")).toEqual(["FIVE currency"]);
  });
});

describe("a typed code", () => {
  test.each([
    ["a space within", "SUM MER"],
    ["a wildcard", "SUMME%"],
  ])("with %s is not the code that looks like it", async (_, code) => {
    const line_items = [of(await sold(shop, 100))];

    const cart = await basket(shop, line_items, { discount_codes: [code] });
    const refused = await shop.post("/v2/orders", { line_items, discount_codes: [code] });

    expect(reasonsOf(cart)).toEqual([`${code} unknown`]);
    expect([refused.status, reasonsOf(refused, "/codes")]).toEqual([409, [`${code} unknown`]]);
  });

  test.each([
    ["the dotless i", "\u0131nk"],
    ["the dotted capital I", "\u0130NK"],
    ["wide letters", "\uff29\uff2e\uff2b"],
    ["a space of no width", "\u200bink"],
  ])("with %s is the code that it looks like", async (_, typed) => {
    const known = await shop.get("/v2/discounts?code=INK");
    if (known.list("/data").length === 0) await discount(shop, { codes: ["INK"] });

    const cart = await basket(shop, [of(await sold(shop, 100))], { discount_codes: [typed] });

    expect([cart.at("/discount_codes"), reasonsOf(cart)]).toEqual([["INK"], []]);
    expect(totalsOf(cart).discount).toBe(1000);
  });

  test.each([
    ["sharp s", "Stra\u00dfe", "STRASSE"],
    ["Greek, with its sigma at the end", "\u03c3\u03b1\u03c2", "\u03a3\u0391\u03a3"],
    ["Arabic", "\u062e\u0635\u0645", "\u062e\u0635\u0645"],
    ["two letters", "K2", "k2"],
    ["a point and a blank", "Black Friday 12.50", "BLACK FRIDAY 12.50"],
  ])("may have %s, and is found in capital and small letters", async (_, code, typed) => {
    await discount(shop, { codes: [code] });

    const cart = await basket(shop, [of(await sold(shop, 100))], { discount_codes: [typed] });

    expect(reasonsOf(cart)).toEqual([]);
    expect(totalsOf(cart).discount).toBe(1000);
  });

  test("is that of a message, whose marks of direction are dropped", async () => {
    const line_items = [of(await sold(shop, 100))];
    const discount_codes = ["\u2068summer\u2069\u200e"];

    const cart = await basket(shop, line_items, { discount_codes });
    const order = await place(shop, line_items, { discount_codes });

    expect(cart.at("/discount_codes")).toEqual(["SUMMER"]);
    expect([totalsOf(cart).discount, totalsOf(order).discount]).toEqual([1000, 1000]);
  });

  test("of spaces alone is refused, with its place", async () => {
    const given = { line_items: [of(await sold(shop, 100))], discount_codes: ["ABC", " \t\u00a0"] };

    const cart = await shop.post("/v2/carts", given);
    const order = await shop.post("/v2/orders", given);

    expect([cart.status, cart.faults]).toEqual([422, ["#/discount_codes/1 too_short"]]);
    expect([order.status, order.faults]).toEqual([422, ["#/discount_codes/1 too_short"]]);
  });

  test("with half a character is no JSON", async () => {
    const half = await shop.send("POST", "/v2/carts", {
      text: String.raw`{"discount_codes":["\ud800SUMMER"]}`,
    });

    expect([half.status, half.code]).toEqual([400, "json_malformed"]);
  });
});
