// How long an unpaid order keeps its stock, by the way in which it is to be paid.

import { describe, expect, test } from "bun:test";

import { type Goods, mug } from "../../support/cast.ts";
import { type Answered, openTestShop, sharedShop, type TestShop } from "../../support/shop.ts";
import { basket, complete, DAY_MS, later, MINUTE_MS } from "../carts/basket.ts";
import { fulfill, of, place, reread, stock } from "../orders/counter.ts";

const shop = sharedShop({ asks: "nothing" });

const statusAfter = async (shop: TestShop, order: Answered, milliseconds: number) => {
  await later(shop, milliseconds);
  return (await reread(shop, order)).at("/status");
};

const byStorefront = async (shop: TestShop, goods: Goods, payment_method: string) => {
  const key = await shop.createKey({ scopes: ["storefront"] });
  return shop.post("/v2/orders", { line_items: [of(goods)], payment_method }, { key });
};

describe("an unpaid order", () => {
  test("by hand expires after three days and gives its stock back", async () => {
    await using shop = await openTestShop({ asks: "nothing" });
    const cup = await mug(shop);
    const order = await place(shop, [of(cup)], { payment_method: "bank_transfer" });

    expect(order.at("/expires_at")).toBe("2026-01-08T08:00:00.000Z");
    expect(await statusAfter(shop, order, 3 * DAY_MS - 1)).toBe("open");
    expect(await statusAfter(shop, order, 1)).toBe("cancelled");
    expect(await stock(shop, cup)).toEqual([10, 0, 10]);
  });

  test("by hand is not announced as an abandoned cart", async () => {
    await using shop = await openTestShop({ asks: "nothing", gateways: [] });
    await place(shop, [of(await mug(shop))], { payment_method: "mobile_money" });
    await shop.announced();

    await later(shop, 4 * DAY_MS);

    expect(await shop.announcedNames()).toEqual(["order.cancelled"]);
  });

  test("by cash on delivery waits for ever where the merchant placed it", async () => {
    await using shop = await openTestShop({ asks: "nothing" });
    const order = await place(shop, [of(await mug(shop))], { payment_method: "cash_on_delivery" });

    expect(order.at("/expires_at")).toBeNull();
    expect(await statusAfter(shop, order, 90 * DAY_MS)).toBe("open");
  });

  test.each(["cash_on_delivery", "cash"])(
    "by %s expires after a week where a storefront key placed it",
    async (payment_method) => {
      await using shop = await openTestShop({ asks: "nothing" });
      await shop.put("/v2/store", { payment_methods: { cash: { storefront: true } } });
      const order = await byStorefront(shop, await mug(shop), payment_method);

      expect(order.at("/expires_at")).toBe("2026-01-12T08:00:00.000Z");
      expect(await statusAfter(shop, order, 7 * DAY_MS)).toBe("cancelled");
    },
  );

  test("at a gateway expires after a week where a storefront key placed it, and others never do", async () => {
    await using shop = await openTestShop({ asks: "nothing" });
    await shop.put("/v2/store", { order_expiry_minutes: null });
    const goods = await mug(shop);
    const ofStranger = await byStorefront(shop, goods, "gateway");
    const ofMerchant = await place(shop, [of(goods)], { payment_method: "gateway" });

    expect(ofStranger.at("/expires_at")).toBe("2026-01-12T08:00:00.000Z");
    expect(ofMerchant.at("/expires_at")).toBeNull();
  });

  test("of a cart that a storefront key completed expires after a week", async () => {
    const key = await shop.createKey({ scopes: ["storefront"] });
    const cart = await basket(shop, [of(await mug(shop))], { payment_method: "cash_on_delivery" });

    const order = await shop.post(`/v2/carts/${cart.id}/complete`, undefined, { key });

    expect(order.at("/expires_at")).toBe("2026-01-12T08:00:00.000Z");
  });

  test("of a cart that the merchant completed waits for ever", async () => {
    const cart = await basket(shop, [of(await mug(shop))], { payment_method: "cash_on_delivery" });

    expect((await complete(shop, cart)).at("/expires_at")).toBeNull();
  });

  test("in cash waits for the merchant", async () => {
    await using shop = await openTestShop({ asks: "nothing" });
    const order = await place(shop, [of(await mug(shop))], { payment_method: "cash" });

    expect(await statusAfter(shop, order, 90 * DAY_MS)).toBe("open");
  });

  test.each(["gateway", "bank_transfer", "cash_on_delivery", "cash"])(
    "by %s expires when the settings of the method say so",
    async (payment_method) => {
      await using shop = await openTestShop({ asks: "nothing" });
      await shop.put("/v2/store", {
        payment_methods: { [payment_method]: { expires_minutes: 30 } },
      });
      const order = await place(shop, [of(await mug(shop))], { payment_method });

      expect(await statusAfter(shop, order, 30 * MINUTE_MS)).toBe("cancelled");
    },
  );

  test("that was shipped waits for its payment", async () => {
    await using shop = await openTestShop({ asks: "nothing" });
    const order = await place(shop, [of(await mug(shop))], { payment_method: "bank_transfer" });
    await fulfill(shop, order);

    expect(await statusAfter(shop, order, 30 * DAY_MS)).toBe("open");
  });
});

describe("a promise to pay by hand", () => {
  test("does not keep the stock of an order beyond its end, and is cancelled with it", async () => {
    await using shop = await openTestShop({ asks: "nothing" });
    const order = await place(shop, [of(await mug(shop))], { payment_method: "bank_transfer" });
    const payment = await shop.post("/v2/payments/initialize", { order_id: order.id });

    await later(shop, 3 * DAY_MS);

    expect((await reread(shop, order)).body).toMatchObject({
      status: "cancelled",
      cancel_reason: "expired",
    });
    expect((await shop.get(`/v2/payments/${payment.id}`)).body).toMatchObject({
      status: "cancelled",
      next_action: null,
    });
  });

  test("does not keep an order of the gateway from being announced as abandoned", async () => {
    await using shop = await openTestShop({ asks: "nothing" });
    const order = await place(shop, [of(await mug(shop))]);
    await shop.post("/v2/payments/initialize", { order_id: order.id, method: "bank_transfer" });
    await shop.announced();

    await later(shop, 60 * MINUTE_MS);

    expect(await shop.announcedNames()).toEqual(["cart.abandoned"]);
  });

  test("says until when its order waits for the money", async () => {
    const order = await place(shop, [of(await mug(shop))], { payment_method: "bank_transfer" });

    const payment = await shop.post("/v2/payments/initialize", { order_id: order.id });

    expect(payment.at("/next_action/expires_at")).toBe("2026-01-08T08:00:00.000Z");
  });
});
