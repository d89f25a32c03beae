// A paid order: its other attempts are cancelled, but none that could still be needed.

import { expect, test } from "bun:test";

import { setTimer } from "#platform/scheduler/timers.ts";
import { settlingTimers } from "#sales/rows/order.ts";

import { openTestShop, type TestShop } from "../support/shop.ts";
import {
  eventCounts,
  initialize,
  openScriptedShop,
  orderCounter,
  pass,
  settle,
} from "./scripted-shop.ts";

/** An order of 12.50 with a hosted page and a phone attempt, each of this amount. */
async function twoAttempts(shop: TestShop, [page, phone] = [12.5, 12.5]) {
  const { id } = await (await orderCounter(shop))();
  const mobile = { method: "mobile_money", phone: "+233551234000" };
  return {
    orderId: id,
    onPage: (await initialize(shop, { order_id: id, amount: page })).id,
    onPhone: (await initialize(shop, { order_id: id, amount: phone, ...mobile })).id,
  };
}

const statusOf = async (shop: TestShop, payment: string) =>
  (await shop.get(`/v2/payments/${payment}`)).at("/status");

const accountOf = async (shop: TestShop, order: string) => {
  const answer = await shop.get(`/v2/orders/${order}`);
  return [answer.at("/payment_status"), answer.at("/refunded_total")];
};

/** Whether a timer to cancel attempts is pending; it stays after a failure. */
const isToBeSettled = async (shop: TestShop) =>
  (await shop.get("/v2/test/timers?limit=100")).text.includes(settlingTimers.closeAttempts);

test("once an order is paid, its other attempts are cancelled without a failure event", async () => {
  const { shop: opened, gateway } = await openScriptedShop();
  await using shop = opened;
  const { orderId, onPage, onPhone } = await twoAttempts(shop);
  gateway.pay(onPage);

  await pass(shop, 60);

  expect(await statusOf(shop, onPhone)).toBe("cancelled");
  expect(await accountOf(shop, orderId)).toEqual(["paid", 0]);
  expect((await eventCounts(shop, orderId))["payment.failed"]).toBeUndefined();
});

test("a partly paid order can be paid by its other attempts", async () => {
  const { shop: opened, gateway } = await openScriptedShop();
  await using shop = opened;
  const { orderId, onPage, onPhone } = await twoAttempts(shop, [5, 7.5]);
  gateway.pay(onPage);
  await pass(shop, 60);
  gateway.pay(onPhone);

  await pass(shop, 240);

  expect([await statusOf(shop, onPage), await statusOf(shop, onPhone)]).toEqual([
    "succeeded",
    "succeeded",
  ]);
  expect(await accountOf(shop, orderId)).toEqual(["paid", 0]);
});

test("an order that was paid and has an amount due again keeps its attempts", async () => {
  const { shop: opened } = await openScriptedShop();
  await using shop = opened;
  const { orderId, onPage, onPhone } = await twoAttempts(shop);

  await shop.test.database.write((tx) =>
    setTimer(tx, { name: settlingTimers.closeAttempts, subject: orderId, dueAt: tx.now }),
  );
  await settle(shop);

  expect([await statusOf(shop, onPage), await statusOf(shop, onPhone)]).toEqual([
    "requires_action",
    "requires_action",
  ]);
  expect(await isToBeSettled(shop)).toBeFalse();
});

test("an attempt in processing is not cancelled", async () => {
  await using shop = await openTestShop();
  const { id } = await (await orderCounter(shop))();
  const card = { method: "card", card_token: "pm_test_pendingThenSuccess" };
  const mobile = { method: "mobile_money", phone: "+233551234980" };
  const atWork = await initialize(shop, { order_id: id, ...card });
  await initialize(shop, { order_id: id, ...mobile });

  await settle(shop);

  expect((await accountOf(shop, id))[0]).toBe("paid");
  expect(await statusOf(shop, atWork.id)).toBe("processing");
  expect(await isToBeSettled(shop)).toBeFalse();
});
