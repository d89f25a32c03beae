// Readers of a payment do not wait for a gateway that is slow: the answer comes in with the poll that goes on.

import { expect, test } from "bun:test";

import { until } from "../support/until.ts";
import { initialize, openScriptedShop, orderCounter, shortReads } from "./scripted-shop.ts";

test("a payment is read as it is known while its gateway does not answer, and later as it answered", async () => {
  const { shop: opened, gateway } = await openScriptedShop({ callTimes: shortReads });
  await using shop = opened;
  const placed = await (await orderCounter(shop))();
  const payment = await initialize(shop, { order_id: placed.id });
  gateway.pay(payment.id);
  shop.clock.advance(11_000);
  const answered = Promise.withResolvers<void>();
  gateway.pause = () => answered.promise;

  const early = await shop.get(`/v2/payments/${payment.id}`);
  answered.resolve();

  expect([early.status, early.at("/status")]).toEqual([200, "requires_action"]);
  await until(
    async () => (await shop.get(`/v2/orders/${placed.id}`)).at("/payment_status") === "paid",
    "The order was not paid by the poll that went on.",
  );
  expect(gateway.polls).toBe(1);
});

test("a gateway that fails after its reader has gone harms nothing", async () => {
  const { shop: opened, gateway } = await openScriptedShop({ callTimes: shortReads });
  await using shop = opened;
  const payment = await initialize(shop, { amount: 5, currency: "USD" });
  shop.clock.advance(11_000);
  const broken = Promise.withResolvers<void>();
  gateway.pause = () => broken.promise;

  await shop.get(`/v2/payments/${payment.id}`);
  broken.reject(new Error("The gateway closed the connection."));
  gateway.pause = async () => {};
  gateway.pay(payment.id);
  shop.clock.advance(11_000);

  await until(
    async () => (await shop.get(`/v2/payments/${payment.id}`)).at("/status") === "succeeded",
    "The payment did not succeed after its gateway had failed once.",
  );
});
