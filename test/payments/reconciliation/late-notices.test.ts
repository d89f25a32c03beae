// Money that arrives after the shop looked: copies of notices, and attempts that failed before they were paid.

import { expect, test } from "bun:test";

import {
  initialize,
  notify,
  openScriptedShop,
  orderCounter,
  pass,
  settle,
} from "../scripted-shop.ts";

test("a copy of a notice has the payment polled again, because the first may have come too early", async () => {
  const scripted = await openScriptedShop();
  await using shop = scripted.shop;
  const { gateway } = scripted;
  const order = await orderCounter(shop);
  const payment = await initialize(shop, { order_id: (await order()).id });
  await notify(shop, gateway, { payment: payment.id, id: "early" });
  await settle(shop);
  gateway.pay(payment.id);

  await notify(shop, gateway, { payment: payment.id, id: "early" });
  await pass(shop, 10);

  expect((await shop.get(`/v2/payments/${payment.id}`)).at("/status")).toBe("succeeded");
});

test("a hundred copies of a notice cause two polls in ten seconds", async () => {
  const scripted = await openScriptedShop();
  await using shop = scripted.shop;
  const { gateway } = scripted;
  const order = await orderCounter(shop);
  const payment = await initialize(shop, { order_id: (await order()).id });

  for (let copy = 0; copy < 100; copy += 1) {
    await notify(shop, gateway, { payment: payment.id, id: "same" });
    await settle(shop);
  }
  await pass(shop, 10);

  expect(gateway.polls).toBe(2);
});

test("a notice that comes while the gateway is polled has it polled once more", async () => {
  const scripted = await openScriptedShop();
  await using shop = scripted.shop;
  const { gateway } = scripted;
  const order = await orderCounter(shop);
  const payment = await initialize(shop, { order_id: (await order()).id });
  let hasCome = false;
  gateway.pause = async () => {
    if (hasCome) return;
    hasCome = true;
    await notify(shop, gateway, { payment: payment.id, id: "between" });
  };
  shop.clock.advance(15_000);
  await settle(shop);
  gateway.pay(payment.id);

  await pass(shop, 10);

  expect((await shop.get(`/v2/payments/${payment.id}`)).at("/status")).toBe("succeeded");
});

test("an attempt that failed on the gateway's page is paid when the customer's next card is taken", async () => {
  const scripted = await openScriptedShop();
  await using shop = scripted.shop;
  const { gateway } = scripted;
  const order = await orderCounter(shop);
  const payment = await initialize(shop, { order_id: (await order()).id });
  gateway.nextOutcome = {
    state: "failed",
    failureCode: "declined",
    gatewayCode: "do_not_honor",
    names: [],
  };
  await pass(shop, 15);
  const failed = await shop.get(`/v2/payments/${payment.id}`);
  gateway.pay(payment.id);

  await pass(shop, 3600);

  expect(failed.at("/status")).toBe("failed");
  expect((await shop.get(`/v2/payments/${payment.id}`)).at("/status")).toBe("succeeded");
});

test("an attempt that failed is polled for a day, and not after that", async () => {
  const scripted = await openScriptedShop();
  await using shop = scripted.shop;
  const { gateway } = scripted;
  const order = await orderCounter(shop);
  const payment = await initialize(shop, { order_id: (await order()).id });
  gateway.nextOutcome = {
    state: "failed",
    failureCode: "timeout",
    gatewayCode: null,
    names: [],
  };
  await pass(shop, 15);
  await pass(shop, 86_400);
  const { polls } = gateway;

  await pass(shop, 4 * 86_400);

  expect(polls).toBeGreaterThan(5);
  expect(gateway.polls).toBe(polls);
  expect((await shop.get(`/v2/payments/${payment.id}`)).at("/status")).toBe("failed");
});
