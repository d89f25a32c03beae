// Orders come in, from any channel: what is asked for, what is answered, what the world hears.

import { expect, test } from "bun:test";

import { ada, kanga, mug } from "../support/cast.ts";
import { openTestShop } from "../support/shop.ts";

test("an order takes its number, its prices and its stock", async () => {
  await using shop = await openTestShop();
  const [cup, cloth] = [await mug(shop), await kanga(shop)];
  const customer = await ada(shop);
  await shop.announced();

  const placed = await shop.post("/v2/orders", {
    customer_id: customer,
    line_items: [
      { variant_id: cup.variantId, quantity: 2 },
      { variant_id: cloth.variantId, quantity: 1 },
    ],
    payment_method: "mobile_money",
    currency: "USD",
    metadata: { source: "website" },
  });

  expect(placed.status).toBe(201);
  expect(placed.headers.get("location")).toBe(`/v2/orders/${placed.id}`);
  expect(placed.body).toMatchObject({
    number: 1001,
    status: "open",
    payment_status: "unpaid",
    fulfillment_status: "unfulfilled",
    customer: { id: customer, email: "ada@example.com" },
    total: 45,
    total_minor: 4500,
    due: 45,
    channel: "online_store",
    metadata: { source: "website" },
  });
  expect(placed.text).toContain('"total":45.00,');
  const level = await shop.get(`/v2/inventory/${cup.variantId}`);
  expect(level.body).toMatchObject({ on_hand: 10, reserved: 2, available: 8 });
  expect(await shop.announced()).toMatchObject([
    { event: "inventory.low", data: { sku: "KANGA", available: 4, threshold: 5 } },
    { event: "order.placed", data: { order_id: placed.id, total: 45, currency: "USD" } },
  ]);
});
