// The first sale of a new shop, from an empty shelf to the last event: what a merchant does on the
// first morning, and what a program that listens would have heard.

import { expect, test } from "bun:test";

import { openTestShop } from "../support/shop.ts";

test("the first sale", async () => {
  await using shop = await openTestShop();

  // Adwoa opens a shop in Accra and puts ten kangas on the shelf.
  await shop.put("/v2/store", { name: "Adwoa's Cloth", currency: "GHS" });
  const kanga = await shop.post("/v2/products", {
    name: "Kanga",
    sku: "KANGA",
    price: "249.50",
    stock: 10,
  });
  const variant_id = kanga.string("/variants/0/id");

  // Ama buys six of them on the web page, and has them brought.
  const key = await shop.createKey({ scopes: ["storefront"] });
  const asAma = { key, headers: { "Idempotency-Key": "cart-1" } };
  const cart = {
    line_items: [{ variant_id, quantity: 6 }],
    customer: { email: "Ama@example.com", phone: "+233201234567", name: "Ama Owusu" },
    payment_method: "mobile_money",
    shipping_address: { line1: "12 Ring Road", city: "Accra", country: "GH" },
    metadata: { source: "website" },
  };
  const basket = await shop.post("/v2/carts", cart, { key });
  // What the rider takes is not Ama's to say: Adwoa's server sets it.
  await shop.put(`/v2/carts/${basket.id}`, { shipping: { label: "Rider", amount: 25 } });
  const order = await shop.post(`/v2/carts/${basket.id}/complete`, {}, asAma);
  expect(order.status).toBe(201);
  expect(order.text).toContain('"total":1522.00,"total_minor":152200');

  // Her phone lost the answer and asked again: it is the same order.
  const again = await shop.post(`/v2/carts/${basket.id}/complete`, {}, asAma);
  expect(again.text).toBe(order.text);

  // Adwoa finds it among the open orders. Four kangas are left to sell, ten lie on the shelf.
  const open = await shop.get("/v2/orders?status=open&q=owusu");
  expect(open.at("/data/0/number")).toBe(1001);
  const level = await shop.get(`/v2/inventory/${variant_id}`);
  expect(level.body).toMatchObject({ on_hand: 10, reserved: 6, available: 4 });

  // Five fit on the motorcycle, the last one follows. An hour without payment would be told, too.
  shop.clock.advance(1_200_000);
  const line_item_id = order.string("/line_items/0/id");
  await shop.put(`/v2/orders/${order.id}/fulfill`, {
    line_items: [{ line_item_id, quantity: 5 }],
    tracking: { carrier: "Kojo's riders" },
  });
  shop.clock.advance(1_800_000);
  const sent = await shop.put(`/v2/orders/${order.id}/fulfill`);
  expect(sent.body).toMatchObject({
    status: "open",
    payment_status: "unpaid",
    fulfillment_status: "fulfilled",
    fulfilled_at: "2026-01-05T08:50:00.000Z",
    due: 1522,
  });
  const left = await shop.get(`/v2/inventory/${variant_id}`);
  expect(left.body).toMatchObject({ on_hand: 4, reserved: 0, available: 4 });

  // The log holds each event once, in this order.
  expect(await shop.announcedNames()).toEqual([
    "product.created",
    "key.created",
    "customer.created",
    "inventory.low",
    "order.placed",
    "order.updated",
    "order.fulfilled",
  ]);
});
