// Taxes of carts and orders: which rate holds, for whom, and from when.

import { describe, expect, test } from "bun:test";

import { openTestShop, sharedShop, type TestShop } from "../../support/shop.ts";
import { basket, change } from "../carts/basket.ts";
import { place } from "../orders/counter.ts";
import {
  accra,
  berlin,
  discount,
  levies,
  must,
  of,
  paris,
  shipTo,
  sold,
  tax,
  taxesOf,
  totalsOf,
  usd,
} from "./priced-shop.ts";

const shop = sharedShop();

describe("a rate", () => {
  test("changes at midnight of the shop's clock", async () => {
    await using shop = await openTestShop();
    await tax(shop, "KE", { timezone: "Africa/Nairobi", rates: [{ name: "VAT", rate: 14 }] });
    const before = (await shop.get("/v2/tax-rates")).string("/data/0/id");
    must(await shop.put(`/v2/tax-rates/${before}`, { valid_until: "2026-01-06" }), 200);
    const next = { country: "KE", name: "VAT", rate: 16, valid_from: "2026-01-06" };
    must(await shop.post("/v2/tax-rates", next), 201);
    const cup = await sold(shop, 100);
    const cart = await basket(shop, [of(cup)]);
    // Midnight in Nairobi is 21:00 UTC.
    const midnight = Date.UTC(2026, 0, 5, 21);

    shop.clock.advance(midnight - 1 - shop.clock.now());
    const today = [await shop.get(`/v2/carts/${cart.id}`), await place(shop, [of(cup)])];
    shop.clock.advance(1);
    const tomorrow = [await shop.get(`/v2/carts/${cart.id}`), await place(shop, [of(cup)])];

    expect(today.map(taxesOf)).toEqual([["VAT 10000 1400"], ["VAT 10000 1400"]]);
    expect(tomorrow.map(taxesOf)).toEqual([["VAT 10000 1600"], ["VAT 10000 1600"]]);
  });

  test("of a region replaces those of its country there", async () => {
    await using shop = await openTestShop();
    const region = { region: "Quebec", country: "CA" };
    await tax(shop, "CA", {
      rates: [
        { name: "GST", rate: 5 },
        { ...region, name: "GST", rate: 5 },
        { ...region, name: "QST", rate: 9.975 },
      ],
    });
    const lines = [of(await sold(shop, 100))];
    const address = { line1: "1 Rue", city: "Montréal", country: "CA" };

    const quebec = await place(shop, lines, { shipping_address: { ...address, region: "Québec" } });
    const other = await place(shop, lines, { shipping_address: { ...address, region: "Ontario" } });

    expect(taxesOf(quebec)).toEqual(["GST 10000 500", "QST 10000 998"]);
    expect(quebec.body).toMatchObject({ tax_country: "CA", tax_region: "Québec" });
    expect(taxesOf(other)).toEqual(["GST 10000 500"]);
  });

  test("of a postal prefix replaces those of its country where the goods go", async () => {
    await using shop = await openTestShop();
    const city = { country: "US", name: "City", rate: 8.875, postal_prefix: "100" };
    await tax(shop, "US", { rates: [{ name: "State", rate: 4 }, city] });
    const lines = [of(await sold(shop, 100))];
    const address = { line1: "1 Main St", city: "New York", country: "US" };

    const there = await place(shop, lines, {
      shipping_address: { ...address, postal_code: "10001-2345" },
      billing_address: { ...address, postal_code: "12207" },
    });
    const other = await place(shop, lines, {
      shipping_address: { ...address, postal_code: "12207" },
    });

    expect([there, other].map(taxesOf)).toEqual([["City 10000 888"], ["State 10000 400"]]);
  });

  test("is the standard one for a class that has none, and none for exempt goods", async () => {
    await using shop = await openTestShop();
    const food = { country: "DE", name: "USt", rate: 7, tax_class: "food" };
    await tax(shop, "DE", { rates: [{ name: "USt", rate: 19 }, food] });
    must(await shop.post("/v2/tax-rates", { country: "FR", name: "TVA", rate: 20 }), 201);
    const bread = await sold(shop, 10, { tax_class: "food" });
    const stamp = await sold(shop, 1, { tax_class: "exempt" });

    const home = await place(shop, [of(bread), of(stamp)], { shipping_address: berlin });
    const abroad = await place(shop, [of(bread), of(stamp)], { shipping_address: paris });

    expect(taxesOf(home)).toEqual(["USt 1000 70"]);
    expect(taxesOf(abroad)).toEqual(["TVA 1000 200"]);
    expect(totalsOf(abroad)).toMatchObject({ subtotal: 1100, tax: 200, total: 1300 });
  });

  test("of zero is told, and a country without rates has none", async () => {
    await using shop = await openTestShop();
    await tax(shop, "GH", { rates: [{ name: "VAT", rate: 0 }] });
    const lines = [of(await sold(shop, 100))];

    const zero = await place(shop, lines, { shipping_address: accra });
    const none = await place(shop, lines, { shipping_address: paris });

    expect(taxesOf(zero)).toEqual(["VAT 10000 0"]);
    expect(taxesOf(none)).toEqual([]);
    expect(none.at("/tax_country")).toBe("FR");
  });
});

describe("the place", () => {
  test("is the billing address without a shipping address, and else the shop's country", async () => {
    await using shop = await openTestShop();
    await tax(shop, "GH", { rates: levies });
    must(await shop.post("/v2/tax-rates", { country: "DE", name: "USt", rate: 19 }), 201);
    const cart = await basket(shop, [of(await sold(shop, 100))]);

    const billed = await change(shop, cart, { billing_address: berlin });
    const shipped = await change(shop, cart, { shipping_address: accra });

    expect(totalsOf(cart).tax).toBe(2000);
    expect(totalsOf(billed).tax).toBe(1900);
    expect(totalsOf(shipped).tax).toBe(2000);
  });
});

describe("a customer without tax", () => {
  async function business(shop: TestShop): Promise<string> {
    const exempt = { tax_exemption: "reverse_charge", tax_id: "FR12345678901" };
    return must(await shop.post("/v2/customers", { email: "ada@example.com", ...exempt }), 201).id;
  }

  test("pays 100.00 for goods of 119.00 in a shop whose prices contain 19 %", async () => {
    await using shop = await openTestShop();
    await tax(shop, "DE", { rates: [{ name: "USt", rate: 19 }], prices_include_tax: true });
    must(await shop.post("/v2/tax-rates", { country: "FR", name: "TVA", rate: 20 }), 201);
    const lines = [of(await sold(shop, 119), 3)];
    const terms = { customer_id: await business(shop), shipping_address: paris };

    const cart = await basket(shop, lines, terms);
    const order = await place(shop, lines, terms);
    const usual = await place(shop, lines, { shipping_address: paris });

    const without = { subtotal: 30_000, tax: 0, included: 0, total: 30_000 };
    expect([totalsOf(cart), totalsOf(order)]).toMatchObject([without, without]);
    expect(cart.at("/line_items/0/unit_price")).toBe(100);
    expect(order.at("/line_items/0/unit_price_minor")).toBe(10_000);
    expect(order.body).toMatchObject({ tax_exemption: "reverse_charge", tax_lines: [] });
    expect(totalsOf(usual)).toMatchObject({ subtotal: 35_700, included: 5950, total: 35_700 });
  });

  test("pays the price in a shop that adds tax", async () => {
    await using shop = await openTestShop();
    await tax(shop, "DE", { rates: [{ name: "USt", rate: 19 }] });
    const terms = { customer_id: await business(shop), shipping_address: paris };

    const order = await place(shop, [of(await sold(shop, 100))], terms);

    expect(totalsOf(order)).toMatchObject({ subtotal: 10_000, tax: 0, total: 10_000 });
  });

  test("pays it again where the order says so", async () => {
    await using shop = await openTestShop();
    await tax(shop, "DE", { rates: [{ name: "USt", rate: 19 }] });
    const terms = { customer_id: await business(shop), tax_exemption: "none" };

    const order = await place(shop, [of(await sold(shop, 100))], terms);

    expect(totalsOf(order)).toMatchObject({ tax: 1900, total: 11_900 });
  });
});

describe("the merchant's own discount", () => {
  test("comes last, takes what is left at most, and lowers the tax", async () => {
    await using shop = await openTestShop();
    await tax(shop, "GH", { rates: [{ name: "VAT", rate: 20 }] });
    await discount(shop);
    const lines = [of(await sold(shop, 100))];

    const percent = await place(shop, lines, { discount: { title: "Regular", percent: 50 } });
    const amount = await place(shop, lines, { discount: { title: "Regular", amount: "1000" } });

    expect(totalsOf(percent)).toMatchObject({ discount: 6000, tax: 800, total: 4800 });
    expect(percent.at("/discounts/1")).toMatchObject({
      discount_id: null,
      code: null,
      title: "Regular",
      amount_minor: 5000,
    });
    expect(totalsOf(amount)).toMatchObject({ discount: 10_000, tax: 0, total: 0 });
    expect(amount.at("/payment_status")).toBe("paid");
  });

  test("and an exemption need a key that may change orders", async () => {
    await using shop = await openTestShop();
    const key = await shop.createKey({ scopes: ["orders:create", "orders:read"] });
    const lines = [of(await sold(shop, 100))];

    const answers = await Promise.all(
      [{ discount: { title: "Mine", percent: 5 } }, { tax_exemption: "exempt" }].map((terms) =>
        shop.post("/v2/orders", { line_items: lines, ...terms }, { key }),
      ),
    );

    expect(answers.map(({ status, code }) => [status, code])).toEqual([
      [403, "scope_missing"],
      [403, "scope_missing"],
    ]);
  });

  test.each<[string, object, string[]]>([
    ["both", { title: "A", percent: 5, amount: 5 }, ["#/discount/percent conflicting_fields"]],
    ["neither", { title: "A" }, ["#/discount/amount required"]],
    ["no title", { percent: 5 }, ["#/discount/title required"]],
    [
      "a percentage above all",
      { title: "A", percent: 101 },
      ["#/discount/percent percent_invalid"],
    ],
    [
      "a percentage too fine",
      { title: "A", percent: 1.00001 },
      ["#/discount/percent rate_precision"],
    ],
    ["less than nothing", { title: "A", amount: -1 }, ["#/discount/amount too_small"]],
    [
      "a fraction of a cent",
      { title: "A", amount: "1.001" },
      ["#/discount/amount amount_precision"],
    ],
  ])("is refused with %s", async (_, given, faults) => {
    const line_items = [of(await sold(shop, 100))];
    const before = await shop.get("/v2/orders");

    const refused = await shop.post("/v2/orders", { line_items, discount: given });

    expect([refused.status, refused.faults]).toEqual([422, faults]);
    expect((await shop.get("/v2/orders")).body).toEqual(before.body);
  });
});

test("all faults of an order's price are told at once", async () => {
  const line_items = [of(await sold(shop, 100))];

  const refused = await shop.post("/v2/orders", {
    line_items,
    shipping: { amount: "4.001" },
    discount: { title: "A", amount: "1.001" },
    expected_total: "1.001",
  });

  expect([refused.status, refused.faults]).toEqual([
    422,
    [
      "#/shipping/amount amount_precision",
      "#/discount/amount amount_precision",
      "#/expected_total amount_precision",
    ],
  ]);
});

test("an order is not placed at another total than the customer was shown", async () => {
  await using shop = await openTestShop();
  await tax(shop, "GH", { rates: [{ name: "VAT", rate: 20 }] });
  const rider = await shipTo(shop, ["GH"], { tiers: [{ from: 0, amounts: usd(10) }] });
  const terms = {
    line_items: [of(await sold(shop, 100))],
    shipping_address: accra,
    shipping: { rate_id: rider },
  };

  const refused = await shop.post("/v2/orders", { ...terms, expected_total: 110 });
  const order = await shop.post("/v2/orders", { ...terms, expected_total: "132.00" });

  expect([refused.status, refused.code]).toEqual([409, "total_changed"]);
  expect(refused.body).toMatchObject({ total: 132, total_minor: 13_200, expected_minor: 11_000 });
  expect([order.status, order.at("/total_minor")]).toEqual([201, 13_200]);
});
