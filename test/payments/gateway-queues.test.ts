// A gateway that is slow or down delays its own payments, and nothing else of the shop.

import { expect, test } from "bun:test";

import type { TestShop } from "../support/shop.ts";
import { initialize, openScriptedShop, orderCounter, settle } from "./scripted-shop.ts";

/** Opens so many orders, each with an open attempt whose first poll is due. */
async function openPayments(shop: TestShop, count: number): Promise<void> {
  const order = await orderCounter(shop);
  await pay(shop, order, count);
}

async function pay(
  shop: TestShop,
  order: Awaited<ReturnType<typeof orderCounter>>,
  count: number,
): Promise<void> {
  for (let n = 0; n < count; n += 1) await initialize(shop, { order_id: (await order()).id });
}

/** Counts the polls that a gateway serves at once. */
function counting(work: () => Promise<void>) {
  const counted = { atOnce: 0, most: 0 };
  const pause = async () => {
    counted.atOnce += 1;
    counted.most = Math.max(counted.most, counted.atOnce);
    try {
      await work();
    } finally {
      counted.atOnce -= 1;
    }
  };
  return { counted, pause };
}

test("twenty open payments are polled side by side, eight at once", async () => {
  const scripted = await openScriptedShop();
  await using shop = scripted.shop;
  await openPayments(shop, 20);
  const full = Promise.withResolvers<void>();
  const { counted, pause } = counting(async () => {
    if (counted.atOnce === 8) full.resolve();
    await full.promise;
  });
  scripted.gateway.pause = pause;
  shop.clock.advance(16_000);

  await settle(shop);

  expect(counted.most).toBe(8);
  expect(scripted.gateway.polls).toBe(20);
});

test("an order expires in time while a gateway hangs", async () => {
  const scripted = await openScriptedShop();
  await using shop = scripted.shop;
  const order = await orderCounter(shop);
  const unpaid = await order();
  shop.clock.advance(86_400_000 - 16_000);
  await pay(shop, order, 20);
  // The gateway answers once the order has expired.
  scripted.gateway.pause = async () => {
    for (;;) {
      const found = await shop.get(`/v2/orders/${unpaid.id}`);
      if (found.at("/status") === "cancelled") return;
    }
  };
  shop.clock.advance(16_001);

  await settle(shop);

  expect((await shop.get(`/v2/orders/${unpaid.id}`)).at("/cancel_reason")).toBe("expired");
  expect(scripted.gateway.polls).toBe(20);
});

test("a gateway whose last five calls failed is called by two at once until it answers again", async () => {
  const scripted = await openScriptedShop();
  await using shop = scripted.shop;
  await openPayments(shop, 20);
  const full = Promise.withResolvers<void>();
  scripted.gateway.pause = () => Promise.reject(new Error("down"));
  shop.clock.advance(16_000);
  await settle(shop);
  const two = Promise.withResolvers<void>();
  const failing = counting(async () => {
    if (failing.counted.atOnce === 2) two.resolve();
    await two.promise;
    throw new Error("down");
  });
  scripted.gateway.pause = failing.pause;
  shop.clock.advance(45_000);
  await settle(shop);
  const answering = counting(async () => {
    if (scripted.gateway.polls === 41) return;
    if (answering.counted.atOnce === 8) full.resolve();
    await full.promise;
  });
  scripted.gateway.pause = answering.pause;
  shop.clock.advance(130_000);
  await settle(shop);

  expect(failing.counted.most).toBe(2);
  expect(answering.counted.most).toBe(8);
});
