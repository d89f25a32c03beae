// What a stranger with a publishable key may order, and reserve without paying.

import { beforeAll, describe, expect, test } from "bun:test";

import { type Goods, mug } from "../../support/cast.ts";
import { openTestShop, sharedShop, type TestShop } from "../../support/shop.ts";
import { basket } from "../carts/basket.ts";
import { of, place, stock } from "../orders/counter.ts";

/** Behind a proxy on this machine. */
const settings = { DUKA_TRUSTED_PROXIES: "127.0.0.1" };

/** The test mode has the bounds of live mode. */
const shop = sharedShop({ asks: "nothing", settings });
beforeAll(async () => {
  await shop.put("/v2/store", { enforce_limits: true });
});

/** A shop of its own with the same bounds, to change them. */
async function openShop(store: Readonly<Record<string, unknown>>): Promise<TestShop> {
  const own = await openTestShop({ asks: "nothing", settings });
  await own.put("/v2/store", { enforce_limits: true, ...store });
  return own;
}

/** What a stranger orders, under a contact and from an address that no other test has. */
async function stranger(shop: TestShop) {
  const number = shop.nextNumber() ?? 0;
  const ada = { email: `ada${number}@example.com` };
  const someone = { "X-Forwarded-For": `203.0.113.${number}` };
  const key = await shop.createKey({ scopes: ["storefront"] });
  const goods = await mug(shop, { stock: 1_000 });
  await shop.announced();
  const order = (
    terms: Readonly<Record<string, unknown>> = {},
    headers: Readonly<Record<string, string>> = {},
  ) =>
    shop.post(
      "/v2/orders",
      { line_items: [of(goods)], payment_method: "cash_on_delivery", ...terms },
      { key, headers },
    );
  return { ada, someone, key, goods, order };
}

function units(goods: Goods, quantity: number) {
  return { variant_id: goods.variantId, quantity };
}

describe("an order of a publishable key", () => {
  test("may have twenty units of a variant", async () => {
    const { goods, order } = await stranger(shop);

    const placed = await order({ line_items: [units(goods, 20)] });

    expect(placed.status).toBe(201);
  });

  test("may not have more units of a variant, in however many lines", async () => {
    const { goods, order } = await stranger(shop);
    const lines = [units(goods, 12), units(goods, 8), units(goods, 1)];

    const refused = await order({ line_items: lines });

    expect([refused.status, refused.faults]).toEqual([
      422,
      ["#/line_items/2/quantity too_many_units"],
    ]);
    expect(refused.at("/errors/0/detail")).toBe("An order can have at most 20 units of a variant.");
    expect(await shop.announcedNames()).toEqual([]);
  });

  test("may have as many units as the store says", async () => {
    await using shop = await openShop({ limits: { units_per_variant: 500 } });
    const { goods, order } = await stranger(shop);

    const placed = await order({ line_items: [units(goods, 500)] });

    expect(placed.status).toBe(201);
  });

  test("is bounded when it comes from a cart", async () => {
    const { goods, key } = await stranger(shop);
    const cart = await basket(shop, [units(goods, 21)], { payment_method: "gateway" });

    const refused = await shop.post(`/v2/carts/${cart.id}/complete`, undefined, { key });

    expect([refused.status, refused.faults]).toEqual([
      422,
      ["#/line_items/0/quantity too_many_units"],
    ]);
  });

  test("is refused where its cart is filled, which then does not tell how many units there are", async () => {
    const { goods, key } = await stranger(shop);
    const line_items = [units(goods, 12), units(goods, 1_000)];
    const cart = await basket(shop, [units(goods, 30)]);

    const filled = await shop.post("/v2/carts", { line_items }, { key });
    const changed = await shop.put(`/v2/carts/${cart.id}`, { line_items }, { key });
    const noted = await shop.put(`/v2/carts/${cart.id}`, { notes: "Ring twice" }, { key });

    const faults = ["#/line_items/1/quantity too_many_units"];
    expect([filled.status, filled.faults]).toEqual([422, faults]);
    expect([changed.status, changed.faults]).toEqual([422, faults]);
    expect(noted.status).toBe(200);
  });

  test("cannot be paid in cash, which is for the counter", async () => {
    const { order } = await stranger(shop);

    const refused = await order({ payment_method: "cash" });

    expect([refused.status, refused.code]).toEqual([409, "payment_method_unavailable"]);
    expect(refused.list("/available_methods")).not.toContain("cash");
    expect(refused.list("/available_methods")).toContain("cash_on_delivery");
  });

  test("is paid only in methods that the store has for publishable keys", async () => {
    await using shop = await openShop({
      payment_methods: { cash_on_delivery: { storefront: false }, cash: { storefront: true } },
    });
    const { goods, order } = await stranger(shop);

    const refused = await order();

    expect(refused.code).toBe("payment_method_unavailable");
    expect((await order({ payment_method: "cash" })).status).toBe(201);
    expect((await place(shop, [of(goods)])).status).toBe(201);
  });
});

describe("a contact", () => {
  test("has at most five open unpaid orders of publishable keys", async () => {
    const { ada, order } = await stranger(shop);
    for (let nth = 0; nth < 5; nth += 1) await order({ customer: ada });
    await shop.announced();

    const refused = await order({ customer: { ...ada, phone: "+233201234567" } });

    expect([refused.status, refused.code]).toEqual([409, "too_many_open_orders"]);
    expect(await shop.announcedNames()).toEqual([]);
    expect((await order({ customer: { email: "kofi@example.com" } })).status).toBe(201);
  });

  test("has no more when its orders come at once", async () => {
    const { ada, goods, order } = await stranger(shop);

    const answers = await Promise.all(Array.from({ length: 8 }, () => order({ customer: ada })));

    expect(answers.filter(({ status }) => status === 201)).toHaveLength(5);
    expect(await stock(shop, goods)).toEqual([1_000, 5, 995]);
  });

  test("may order again once one of them is paid", async () => {
    await using shop = await openShop({ limits: { open_orders_per_contact: 1 } });
    const { ada, order } = await stranger(shop);
    const first = await order({ customer: ada });
    const payment = await shop.post("/v2/payments/initialize", { order_id: first.id });
    await shop.post(`/v2/payments/${payment.id}/confirm`, { amount: "12.50" });

    expect((await order({ customer: ada })).status).toBe(201);
  });

  test("is not stopped by orders that the merchant placed, nor is the merchant", async () => {
    await using shop = await openShop({ limits: { open_orders_per_contact: 1 } });
    const { ada, goods, order } = await stranger(shop);
    await place(shop, [of(goods)], { customer: ada });

    const ofStranger = await order({ customer: ada });
    const ofMerchant = await place(shop, [units(goods, 100)], { customer: ada });

    expect([ofStranger.status, ofMerchant.status]).toEqual([201, 201]);
  });
});

describe("an address", () => {
  test("places twenty orders in ten minutes, and is told when to come back", async () => {
    const { someone, goods, order } = await stranger(shop);
    for (let nth = 0; nth < 20; nth += 1) await order({}, someone);

    const refused = await order({}, someone);

    expect([refused.status, refused.code]).toEqual([429, "too_many_orders"]);
    expect(Number(refused.headers.get("retry-after"))).toBeWithin(560, 601);
    expect(await stock(shop, goods)).toEqual([1_000, 20, 980]);
  });

  test("places no more by completing a cart", async () => {
    const { someone, goods, key, order } = await stranger(shop);
    const cart = await basket(shop, [of(goods)], { payment_method: "gateway" });
    for (let nth = 0; nth < 20; nth += 1) await order({}, someone);

    const path = `/v2/carts/${cart.id}/complete`;
    const refused = await shop.post(path, {}, { key, headers: someone });

    expect([refused.status, refused.code]).toEqual([429, "too_many_orders"]);
  });

  test.each([
    ["orders", {}],
    ["orders whose refusal is stored", { "Idempotency-Key": "refused" }],
  ])("loses nothing by refused %s", async (_, key) => {
    const { someone, goods, order } = await stranger(shop);
    for (let nth = 0; nth < 20; nth += 1) {
      const line_items = [units(goods, 21 + nth)];
      const headers = Object.entries(key).map(([name, text]) => [name, `${text}-${nth}`]);
      await order({ line_items }, { ...someone, ...Object.fromEntries(headers) });
    }

    expect((await order({}, someone)).status).toBe(201);
  });

  test("loses nothing by a repeated request", async () => {
    const { someone, order } = await stranger(shop);
    const headers = { ...someone, "Idempotency-Key": "first" };
    const first = await order({}, headers);
    for (let nth = 0; nth < 19; nth += 1) await order({}, someone);

    const again = await order({}, headers);

    expect([again.status, again.id]).toEqual([201, first.id]);
    expect((await order({}, someone)).code).toBe("too_many_orders");
  });

  test("places no more when its orders come at once", async () => {
    const { someone, goods, order } = await stranger(shop);

    const answers = await Promise.all(Array.from({ length: 25 }, () => order({}, someone)));

    expect(answers.filter(({ status }) => status === 201)).toHaveLength(20);
    expect(await stock(shop, goods)).toEqual([1_000, 20, 980]);
  });
});

async function orderEverything(shop: TestShop, mode: "test" | "live") {
  const merchant = await shop.createKey({ mode });
  const made = await shop.post(
    "/v2/products",
    { name: "Mug", price: 12.5, stock: 100 },
    { key: merchant },
  );
  const line = { variant_id: made.string("/variants/0/id"), quantity: 100 };
  const key = await shop.createKey({ mode, scopes: ["storefront"] });
  const body = { line_items: [line], payment_method: "cash_on_delivery" };
  return shop.post("/v2/orders", body, { key });
}

test("a test shop has no bounds unless it asks for them", async () => {
  await using shop = await openTestShop({ asks: "nothing" });

  expect((await orderEverything(shop, "test")).status).toBe(201);
});

test("a live shop has bounds whatever its store says", async () => {
  expect((await orderEverything(shop, "live")).faults).toEqual([
    "#/line_items/0/quantity too_many_units",
  ]);
});
