// Shipping of carts and orders: customers choose what the shop offers, and only the merchant names an amount.

import { beforeAll, describe, expect, test } from "bun:test";

import type { Goods } from "../../support/cast.ts";
import { openTestShop, sharedShop, type TestShop } from "../../support/shop.ts";
import { basket, change, complete } from "../carts/basket.ts";
import { place, standing } from "../orders/counter.ts";
import {
  accra,
  berlin,
  discount,
  must,
  of,
  reasonsOf,
  shipTo,
  sold,
  tax,
  taxesOf,
  totalsOf,
  usd,
} from "./priced-shop.ts";

/** A shop that ships to Ghana alone, for 5.00. */
const shop = sharedShop({ asks: "nothing" });
let toGhana: string;
beforeAll(async () => {
  toGhana = await shipTo(shop, ["GH"]);
});

const storefront = (shop: TestShop) => shop.createKey({ scopes: ["storefront"] });

/** A place in Berlin where goods are fetched. */
async function pickup(shop: TestShop, terms: object = {}): Promise<string> {
  const body = { name: "Store", address: berlin, instructions: "Ring", ...terms };
  return must(await shop.post("/v2/pickup-locations", body), 201).id;
}

/** A song for 3.00, which is not sent. */
async function song(shop: TestShop): Promise<Goods> {
  const variants = [{ prices: usd(3), requires_shipping: false, stock: 5 }];
  const made = must(await shop.post("/v2/products", { name: "Song", variants }), 201);
  return { productId: made.id, variantId: made.string("/variants/0/id") };
}

/** Goods for 10.00 of this weight. */
async function weighing(shop: TestShop, weight_grams: number | null): Promise<Goods> {
  const prices = [{ currency: "USD", amount: 10 }];
  const variants = [{ prices, weight_grams }];
  const made = must(await shop.post("/v2/products", { name: "Goods", variants }), 201);
  return { productId: made.id, variantId: made.string("/variants/0/id") };
}

describe("a publishable key", () => {
  test("chooses an option and names no amount", async () => {
    const key = await storefront(shop);
    const cup = await sold(shop, 100);
    const terms = { line_items: [of(cup)], shipping_address: accra };
    const charge = { label: "Mine", amount: 0 };

    const cart = await shop.post("/v2/carts", { ...terms, shipping: charge }, { key });
    const order = await shop.post("/v2/orders", { ...terms, shipping: charge }, { key });
    const chosen = await shop.post(
      "/v2/orders",
      { ...terms, shipping: { rate_id: toGhana } },
      { key },
    );

    const faults = [
      "#/shipping/label not_allowed_for_public_key",
      "#/shipping/amount not_allowed_for_public_key",
    ];
    expect([cart.status, cart.faults.toSorted()]).toEqual([422, faults.toSorted()]);
    expect([order.status, order.faults.toSorted()]).toEqual([422, faults.toSorted()]);
    expect([chosen.status, chosen.at("/shipping_total_minor")]).toEqual([201, 500]);
    expect(chosen.at("/shipping")).toMatchObject({ label: "Rider", rate_id: toGhana });
  });

  test("cannot name an amount where the shop has no options either", async () => {
    await using shop = await openTestShop({ asks: "nothing" });
    const key = await storefront(shop);

    const order = await shop.post(
      "/v2/orders",
      { line_items: [of(await sold(shop, 100))], shipping: { amount: 0 } },
      { key },
    );

    expect([order.status, order.faults]).toEqual([
      422,
      ["#/shipping/amount not_allowed_for_public_key"],
    ]);
  });

  test("names no discount, no exemption and no customer", async () => {
    await using shop = await openTestShop({ asks: "nothing" });
    const key = await storefront(shop);
    const buyer = must(await shop.post("/v2/customers", { email: "ada@example.com" }), 201);

    const order = await shop.post(
      "/v2/orders",
      {
        line_items: [of(await sold(shop, 100))],
        discount: { title: "Mine", percent: 100 },
        tax_exemption: "exempt",
        customer_id: buyer.id,
      },
      { key },
    );

    expect([order.status, order.faults.toSorted()]).toEqual([
      422,
      [
        "#/customer_id not_allowed_for_public_key",
        "#/discount not_allowed_for_public_key",
        "#/tax_exemption not_allowed_for_public_key",
      ],
    ]);
  });

  test("orders nothing that ships without an option", async () => {
    const key = await storefront(shop);
    const lines = [of(await sold(shop, 100))];
    const before = await standing(shop);

    const order = await shop.post(
      "/v2/orders",
      { line_items: lines, shipping_address: accra },
      { key },
    );

    expect([order.status, order.code]).toEqual([409, "shipping_required"]);
    expect(order.at("/options")).toEqual([
      { id: toGhana, label: "Rider", amount: 5, amount_minor: 500 },
    ]);
    expect(await standing(shop)).toEqual(before);
  });

  test("orders what does not ship without an option", async () => {
    const key = await storefront(shop);
    const line_items = [of(await song(shop))];

    const order = await shop.post("/v2/orders", { line_items }, { key });

    expect([order.status, order.at("/total_minor")]).toEqual([201, 300]);
  });
});

describe("the merchant", () => {
  test("ships without a charge, or with any", async () => {
    const cup = await sold(shop, 100);

    const without = await place(shop, [of(cup)], { shipping_address: accra });
    const named = await place(shop, [of(cup)], { shipping: { label: "Bus", amount: "7.50" } });

    expect([without.at("/shipping"), totalsOf(without).total]).toEqual([null, 10_000]);
    expect(named.at("/shipping")).toMatchObject({ label: "Bus", amount: 7.5, rate_id: null });
  });
});

describe("a cart", () => {
  test("tells its options once its country is known, and that one has to be chosen", async () => {
    const cart = await basket(shop, [of(await sold(shop, 100))]);

    const known = await change(shop, cart, { shipping_address: accra });

    expect([cart.list("/shipping_options"), cart.at("/problems")]).toEqual([
      [],
      ["shipping_unavailable"],
    ]);
    expect(known.at("/shipping_options/0")).toMatchObject({ kind: "rate", label: "Rider" });
    expect(known.at("/problems")).toEqual(["shipping_required"]);
  });

  test("cannot be completed without an option", async () => {
    const lines = [of(await sold(shop, 100))];
    const cart = await basket(shop, lines, { shipping_address: accra });

    const refused = await complete(shop, cart);

    expect([refused.status, refused.code]).toEqual([409, "shipping_required"]);
    expect(refused.at("/options/0/id")).toBe(toGhana);
    expect((await shop.get(`/v2/carts/${cart.id}`)).body).toEqual(cart.body);
  });

  test("tells that its option was withdrawn, and is not completed with it", async () => {
    await using shop = await openTestShop({ asks: "nothing" });
    const rider = await shipTo(shop, ["GH"]);
    const store = await pickup(shop);
    const cart = await basket(shop, [of(await sold(shop, 100))], {
      shipping_address: accra,
      shipping: { rate_id: rider },
    });
    must(await shop.put(`/v2/shipping-rates/${rider}`, { active: false }), 200);

    const now = await shop.get(`/v2/carts/${cart.id}`);
    const refused = await complete(shop, cart);
    const other = await change(shop, cart, { shipping: { pickup_location_id: store } });

    expect(now.at("/problems")).toEqual(["shipping_unavailable"]);
    expect([refused.status, refused.code]).toEqual([409, "shipping_unavailable"]);
    expect(refused.at("/options/0")).toMatchObject({ id: store, label: "Store", amount: 0 });
    expect((await complete(shop, other)).status).toBe(201);
  });

  test("loses an option that has no price in its new currency", async () => {
    const prices = [
      { currency: "USD", amount: 100 },
      { currency: "EUR", amount: 90 },
    ];
    const made = must(
      await shop.post("/v2/products", { name: "Mug", variants: [{ prices }] }),
      201,
    );
    const cart = await basket(shop, [{ variant_id: made.string("/variants/0/id"), quantity: 1 }], {
      shipping_address: accra,
      shipping: { rate_id: toGhana },
    });

    const euro = await change(shop, cart, { currency: "EUR" });

    expect(euro.at("/problems")).toEqual(["shipping_unavailable"]);
    expect(euro.list("/shipping_options")).toEqual([]);
    expect(totalsOf(euro)).toMatchObject({ shipping: 0, total: 9000 });
    expect((await complete(shop, euro)).code).toBe("shipping_unavailable");
  });

  test("names an option that does not exist in vain", async () => {
    const lines = [of(await sold(shop, 100))];

    const rate = await shop.post("/v2/carts", {
      line_items: lines,
      shipping: { rate_id: "shr_01jd2k8m3n4p5q6r7s8t9v0w1x" },
    });
    const both = await shop.post("/v2/carts", {
      line_items: lines,
      shipping: { rate_id: "shr_01jd2k8m3n4p5q6r7s8t9v0w1x", amount: 4 },
    });

    expect([rate.status, rate.faults]).toEqual([422, ["#/shipping/rate_id unknown_shipping_rate"]]);
    expect([both.status, both.faults]).toEqual([422, ["#/shipping/amount conflicting_fields"]]);
  });
});

describe("where nothing is to be shipped", () => {
  test("a cart needs no option and is charged for none", async () => {
    const terms = { shipping_address: accra, shipping: { rate_id: toGhana } };
    const cart = await basket(shop, [of(await song(shop))], terms);

    const order = await complete(shop, cart);

    expect([cart.list("/shipping_options"), cart.at("/problems")]).toEqual([[], []]);
    expect(totalsOf(cart)).toMatchObject({ shipping: 0, total: 300 });
    expect([order.status, order.at("/shipping")]).toEqual([201, null]);
    expect(totalsOf(order)).toEqual(totalsOf(cart));
    expect((await shop.get(`/v2/carts/${cart.id}`)).at("/shipping")).toBeNull();
  });

  test("a cart keeps its choice for goods that come later", async () => {
    const [cup, tune] = [await sold(shop, 100), await song(shop)];
    const terms = { shipping_address: accra, shipping: { rate_id: toGhana } };
    const cart = await basket(shop, [of(cup)], terms);

    const without = await change(shop, cart, { line_items: [of(tune)] });
    const again = await change(shop, cart, { line_items: [of(tune), of(cup)] });

    expect(totalsOf(without)).toMatchObject({ shipping: 0, total: 300 });
    expect(again.at("/shipping")).toMatchObject({ option_id: toGhana, label: "Rider", amount: 5 });
    expect(totalsOf(again)).toMatchObject({ shipping: 500, total: 10_800 });
  });

  test("a choice that was withdrawn keeps no cart from being completed", async () => {
    await using shop = await openTestShop({ asks: "nothing" });
    const rider = await shipTo(shop, ["GH"]);
    const terms = { shipping_address: accra, shipping: { rate_id: rider } };
    const cart = await basket(shop, [of(await song(shop))], terms);
    must(await shop.delete(`/v2/shipping-rates/${rider}`), 204);

    const order = await complete(shop, cart);

    expect([order.status, order.at("/total_minor")]).toEqual([201, 300]);
  });

  test("a place to fetch it does not decide on the taxes", async () => {
    await using shop = await openTestShop({ asks: "nothing" });
    const rates = [
      { name: "VAT", rate: 20 },
      { name: "USt", country: "DE", rate: 19 },
    ];
    await tax(shop, "GH", { rates });
    const shipping = { pickup_location_id: await pickup(shop) };

    const order = await place(shop, [of(await song(shop))], { shipping_address: accra, shipping });

    expect(order.at("/shipping")).toBeNull();
    expect(taxesOf(order)).toEqual(["VAT 300 60"]);
  });

  test("an order is charged for no option, and keeps the merchant's own charge", async () => {
    const lines = [of(await song(shop))];
    const terms = { shipping_address: accra };

    const chosen = await place(shop, lines, { ...terms, shipping: { rate_id: toGhana } });
    const named = await place(shop, lines, { ...terms, shipping: { label: "Bus", amount: 2 } });

    expect([chosen.at("/shipping"), chosen.at("/total_minor")]).toEqual([null, 300]);
    expect(named.at("/shipping")).toMatchObject({ label: "Bus", amount: 2 });
  });

  test("an order that is changed to an option is charged for none", async () => {
    const [cup, tune] = [await sold(shop, 100), await song(shop)];
    const shipping = { rate_id: toGhana };
    const order = await place(shop, [of(cup)], { shipping_address: accra, shipping });

    const changed = await shop.put(`/v2/orders/${order.id}`, { line_items: [of(tune)], shipping });

    expect([changed.status, changed.at("/shipping")]).toEqual([200, null]);
    expect(totalsOf(changed)).toMatchObject({ shipping: 0, total: 300 });
  });
});

describe("the price", () => {
  test("is free over an amount that the goods reach after discounts", async () => {
    await using shop = await openTestShop({ asks: "nothing" });
    const tiers = [{ from: 0, amounts: usd("5.95") }];
    const rider = await shipTo(shop, ["GH"], { tiers, free_over: usd(100) });
    await discount(shop, { codes: ["FIVE"], percent: 5, stackable: true });
    const terms = { shipping_address: accra, shipping: { rate_id: rider } };
    const [hundred, more] = [await sold(shop, 100), await sold(shop, 110)];

    const free = await basket(shop, [of(more)], { ...terms, discount_codes: ["FIVE"] });
    const dearer = await basket(shop, [of(hundred)], { ...terms, discount_codes: ["FIVE"] });

    expect(totalsOf(free)).toMatchObject({ discount: 550, shipping: 0, total: 10_450 });
    // Five off would cost more for the rider.
    expect(reasonsOf(dearer)).toEqual(["FIVE no_effect"]);
    expect(totalsOf(dearer)).toMatchObject({ discount: 0, shipping: 0, total: 10_000 });
  });

  test("follows the weight of what ships, and that of goods without one", async () => {
    await using shop = await openTestShop({ asks: "nothing" });
    must(await shop.put("/v2/store", { default_weight_grams: 200 }), 200);
    const tiers = [
      { from: 0, amounts: usd(4) },
      { from: 1000, amounts: usd(9) },
    ];
    const post = await shipTo(shop, ["GH"], { name: "Post", kind: "by_weight", tiers });
    const heavy = await weighing(shop, 800);
    const plain = await weighing(shop, null);
    const terms = { shipping_address: accra, shipping: { rate_id: post } };

    const light = await basket(shop, [of(heavy)], terms);
    const full = await basket(shop, [of(heavy), of(plain)], terms);

    expect([totalsOf(light).shipping, totalsOf(full).shipping]).toEqual([400, 900]);
  });

  test("of an order is that of its cart", async () => {
    await using shop = await openTestShop({ asks: "nothing" });
    await tax(shop, "GH", { rates: [{ name: "VAT", rate: 20 }] });
    const rider = await shipTo(shop, ["GH"]);
    await discount(shop, { target: "shipping", percent: 50 });
    const cart = await basket(shop, [of(await sold(shop, 100))], {
      shipping_address: accra,
      shipping: { rate_id: rider },
    });

    const order = await complete(shop, cart);

    expect(totalsOf(cart)).toMatchObject({ shipping: 250, tax: 2050, total: 12_300 });
    expect(totalsOf(order)).toEqual(totalsOf(cart));
    expect(order.at("/shipping")).toMatchObject({ amount_minor: 250, discount_minor: 250 });
  });
});

test("goods that are fetched are taxed where they are fetched", async () => {
  await using shop = await openTestShop({ asks: "nothing" });
  await tax(shop, "GH", {
    rates: [
      { name: "VAT", rate: 20 },
      { name: "USt", country: "DE", rate: 19 },
    ],
  });
  await shipTo(shop, ["GH"]);
  const store = await pickup(shop);
  const key = await storefront(shop);

  const order = await shop.post(
    "/v2/orders",
    {
      line_items: [of(await sold(shop, 100))],
      shipping_address: accra,
      shipping: { pickup_location_id: store },
    },
    { key },
  );

  expect(order.status).toBe(201);
  expect(taxesOf(order)).toEqual(["USt 10000 1900"]);
  expect(order.body).toMatchObject({
    shipping: { pickup_location_id: store, rate_id: null, amount: 0, label: "Store" },
    tax_country: "DE",
  });
});
