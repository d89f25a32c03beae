// What waits for the merchant: each part counts its own, up to a hundred, for a key that may read it.

import { describe, expect, test } from "bun:test";

import { orderWithEmail } from "../emails/mail-server.ts";
import { disableAs, openEndpoint, sicken } from "../messaging/webhooks/endpoints.ts";
import { initialize, openScriptedShop, orderCounter, pass } from "../payments/scripted-shop.ts";
import { MORNING_MS, openTestShop, sharedShop, type TestShop } from "../support/shop.ts";

const HOUR_S = 3_600;

async function waitingIn(shop: TestShop, key?: string): Promise<unknown> {
  const waiting = await shop.get("/v2/waiting", key === undefined ? {} : { key });
  expect(waiting.status).toBe(200);
  return waiting.body;
}

/** A product with its variant. */
async function sold(shop: TestShop, terms: object): Promise<string> {
  const product = await shop.post("/v2/products", { price: 10, ...terms });
  return product.string("/variants/0/id");
}

test("nothing waits in a new shop", async () => {
  await using shop = await openTestShop();

  const none = { count: 0, more: false };
  expect(await waitingIn(shop)).toEqual({
    to_pack: { ...none, oldest_at: null },
    short_orders: none,
    payments_in_review: none,
    late_transfers: none,
    refunds_attention: none,
    refunds_approval: none,
    open_disputes: { ...none, due_at: null },
    low_stock: { ...none, names: [] },
    left_carts: { ...none, currency: "USD", worth: 0, worth_minor: 0 },
    failed_emails: none,
    failing_webhooks: none,
    withheld_codes: none,
    abuse: [],
  });
});

describe("what waits", () => {
  test("has the orders to pack and when the oldest of them was placed", async () => {
    await using shop = await openTestShop();
    const variant_id = await sold(shop, { name: "Mug", stock: 50 });
    const line_items = [{ variant_id, quantity: 1 }];
    await shop.post("/v2/orders", { line_items, payment_method: "bank_transfer" });
    shop.clock.advance(60_000);
    await shop.post("/v2/orders", { line_items, payment_method: "cash_on_delivery" });
    shop.clock.advance(60_000);
    await shop.post("/v2/orders", { line_items, paid: { method: "cash" } });

    const oldest_at = new Date(MORNING_MS + 60_000).toISOString();
    expect(await waitingIn(shop)).toMatchObject({
      to_pack: { count: 2, more: false, oldest_at },
    });
  });

  test("counts a hundred orders at most and says that there are more", async () => {
    await using shop = await openTestShop();
    const variant_id = await sold(shop, { name: "Mug", stock: 500 });
    const place = (count: number) =>
      Promise.all(
        Array.from({ length: count }, () =>
          shop.post("/v2/orders", {
            line_items: [{ variant_id, quantity: 1 }],
            payment_method: "cash",
          }),
        ),
      );
    await place(100);
    const full = await waitingIn(shop);

    await place(1);

    expect(full).toMatchObject({ to_pack: { count: 100, more: false } });
    expect(await waitingIn(shop)).toMatchObject({ to_pack: { count: 100, more: true } });
  });

  test("has the emails that failed, for a week", async () => {
    await using shop = await openTestShop();
    await orderWithEmail(shop, { kind: "refused", fault: "rejected" });
    const failed = await waitingIn(shop);
    shop.clock.advance(7 * 24 * HOUR_S * 1_000 + 1);

    expect(failed).toMatchObject({ failed_emails: { count: 1, more: false } });
    expect(await waitingIn(shop)).toMatchObject({ failed_emails: { count: 0 } });
  });

  test("has the orders that owe again after they were paid, until the rest is there", async () => {
    const { shop } = await openScriptedShop();
    await using _ = shop;
    const placed = await (await orderCounter(shop))();
    const pay = async (amount: number) => {
      const { id } = await initialize(shop, { order_id: placed.id, method: "bank_transfer" });
      await shop.post(`/v2/payments/${id}/confirm`, { amount });
      return id;
    };
    const payment = await pay(12.5);
    const paid = await waitingIn(shop);
    await shop.post(`/v2/payments/${payment}/correct`, { amount: 10 });
    const short = await waitingIn(shop);

    await pay(2.5);

    expect(paid).toMatchObject({ short_orders: { count: 0, more: false } });
    expect(short).toMatchObject({ short_orders: { count: 1, more: false } });
    expect(await waitingIn(shop)).toMatchObject({ short_orders: { count: 0, more: false } });
  });

  test("has the payments in review until the merchant decides", async () => {
    const { shop, gateway } = await openScriptedShop();
    await using _ = shop;
    const placed = await (await orderCounter(shop))();
    const payment = await initialize(shop, { order_id: placed.id });
    gateway.pay(payment.id, { amountMinor: 1000 });
    await pass(shop, 15);
    const before = await waitingIn(shop);

    await shop.post(`/v2/payments/${payment.id}/accept`, { write_off: true });

    expect(before).toMatchObject({ payments_in_review: { count: 1, more: false } });
    expect(await waitingIn(shop)).toMatchObject({ payments_in_review: { count: 0 } });
  });

  test("has a transfer that did not come for a day, until it is confirmed; no money in person, none at a gateway", async () => {
    const { shop } = await openScriptedShop();
    await using _ = shop;
    const place = await orderCounter(shop);
    const begin = async (method: string) =>
      initialize(shop, { order_id: (await place()).id, method });
    const { id } = await begin("bank_transfer");
    await begin("cash_on_delivery");
    await begin("mobile_money");
    const fresh = await waitingIn(shop);
    shop.clock.advance(24 * HOUR_S * 1_000 + 1);
    const late = await waitingIn(shop);

    await shop.post(`/v2/payments/${id}/confirm`, { amount: 12.5 });

    expect(fresh).toMatchObject({ late_transfers: { count: 0, more: false } });
    expect(late).toMatchObject({ late_transfers: { count: 1, more: false } });
    expect(await waitingIn(shop)).toMatchObject({ late_transfers: { count: 0 } });
  });

  test("has a refund that is to be handed over until it is closed", async () => {
    await using shop = await openTestShop();
    const variant_id = await sold(shop, { name: "Mug", stock: 5 });
    const order = await shop.post("/v2/orders", {
      line_items: [{ variant_id, quantity: 1 }],
      paid: { method: "cash" },
      fulfilled: true,
    });
    await shop.post(`/v2/orders/${order.id}/returns`, {
      line_items: [{ line_item_id: order.string("/line_items/0/id"), quantity: 1 }],
    });
    await pass(shop, 15);
    const before = await waitingIn(shop);
    const refund = await shop.get("/v2/refunds?status=needs_attention");

    await shop.post(`/v2/refunds/${refund.string("/data/0/id")}/close`, { note: "In cash" });

    expect(before).toMatchObject({ refunds_attention: { count: 1, more: false } });
    expect(await waitingIn(shop)).toMatchObject({ refunds_attention: { count: 0 } });
  });

  test("has a dispute, and until when it can be answered, until it is decided", async () => {
    await using shop = await openTestShop();
    const card = { method: "card", card_token: "pm_test_disputeWon" };
    await initialize(shop, { amount: 5, currency: "USD", ...card });
    await pass(shop, 10);
    const before = await waitingIn(shop);
    const dispute = await shop.get("/v2/disputes");

    await pass(shop, 8 * 24 * HOUR_S);

    const due_at = dispute.string("/data/0/due_at");
    expect(before).toMatchObject({ open_disputes: { count: 1, more: false, due_at } });
    expect(await waitingIn(shop)).toMatchObject({ open_disputes: { count: 0, due_at: null } });
  });

  test("has what runs low, and names the three newest as they are sold", async () => {
    await using shop = await openTestShop();
    await sold(shop, { name: "Basket", stock: 1 });
    await sold(shop, { name: "Plenty", stock: 99 });
    await sold(shop, { name: "Kanga", stock: 0 });
    await sold(shop, { name: "Bowl", stock: 4 });
    await shop.post("/v2/products", {
      name: "Shirt",
      variants: [{ title: "Large", prices: [{ amount: 5 }], stock: 2 }],
    });

    expect(await waitingIn(shop)).toMatchObject({
      low_stock: { count: 4, more: false, names: ["Shirt – Large", "Bowl", "Kanga"] },
    });
  });

  test("has the carts that were left, and what they are worth in the shop's currency", async () => {
    await using shop = await openTestShop();
    const variant_id = await sold(shop, {
      name: "Mug",
      price: undefined,
      variants: [{ prices: [{ amount: 10 }, { amount: 1300, currency: "KES" }], stock: 50 }],
    });
    for (const currency of ["USD", "USD", "KES"]) {
      const cart = await shop.post("/v2/carts", {
        line_items: [{ variant_id, quantity: 2 }],
        customer: { email: "ada@example.com" },
        currency,
      });
      await shop.post(`/v2/carts/${cart.id}/checkout`);
    }
    const before = await waitingIn(shop);

    await shop.post("/v2/test/clock/advance", { seconds: 2 * HOUR_S });

    expect(before).toMatchObject({ left_carts: { count: 0 } });
    expect(await waitingIn(shop)).toMatchObject({
      left_carts: { count: 3, more: false, currency: "USD", worth: 40, worth_minor: 4000 },
    });
  });

  test("has webhooks that fail or were disabled for it, and none that the merchant disabled", async () => {
    await using shop = await openTestShop();
    await openEndpoint(shop);
    const byHand = await openEndpoint(shop);
    await shop.put(byHand.path, { status: "disabled" });
    await sicken(shop, await openEndpoint(shop));
    await disableAs(shop, (await openEndpoint(shop)).id, "gone");

    expect(await waitingIn(shop)).toMatchObject({ failing_webhooks: { count: 2, more: false } });
  });
});

describe("a part is null", () => {
  const shop = sharedShop();

  const parts = [
    "payments_in_review",
    "refunds_attention",
    "refunds_approval",
    "open_disputes",
    "low_stock",
    "left_carts",
    "failing_webhooks",
  ];

  test.each([
    [
      "payments:read",
      ["payments_in_review", "refunds_attention", "refunds_approval", "open_disputes"],
    ],
    ["inventory:read", ["low_stock"]],
    ["carts:read", ["left_carts"]],
    ["webhooks:read", ["failing_webhooks"]],
  ])("for a key without its scope: with %s there is %p", async (scope, expected) => {
    const key = await shop.createKey({ scopes: ["orders:read", scope] });

    const waiting = await shop.get("/v2/waiting", { key });

    expect(parts.filter((part) => waiting.at(`/${part}`) !== null)).toEqual(expected);
    expect(waiting.at("/to_pack/count")).toBe(0);
  });

  test("and names of products are, for a key that may not read products", async () => {
    await sold(shop, { name: "Kanga", stock: 0 });
    const key = await shop.createKey({ scopes: ["orders:read", "inventory:read"] });

    expect(await waitingIn(shop, key)).toMatchObject({ low_stock: { count: 1, names: null } });
  });
});
