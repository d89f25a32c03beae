// What a gateway tells crosses what it is asked: notices that are faster than answers, in an order of their own, and
// from everywhere at once.

import { expect, test } from "bun:test";

import {
  eventCounts,
  initialize,
  notify,
  openScriptedShop,
  orderCounter,
  pass,
  settle,
} from "./scripted-shop.ts";

/** An order of 25.00 with an open attempt, and the address to which its page returns the customer. */
async function openOrder() {
  const { shop, gateway } = await openScriptedShop();
  const order = await (await orderCounter(shop))({}, 2);
  const payment = await initialize(shop, { order_id: order.id, method: "gateway" });
  const [charge] = gateway.charges.values();
  const returnUrl = String(charge?.attempt.returnUrl);
  return { shop, gateway, orderId: order.id, paymentId: payment.id, returnUrl };
}

test("two notices, the customer's return, three readers and the poll find one payment at once, and pay once", async () => {
  const opened = await openOrder();
  await using shop = opened.shop;
  const { gateway, paymentId: payment, orderId, returnUrl } = opened;
  gateway.pay(payment);
  shop.clock.advance(16_000);

  await Promise.all([
    notify(shop, gateway, { payment, id: "first" }),
    notify(shop, gateway, { payment, id: "second" }),
    fetch(returnUrl, { redirect: "manual" }),
    shop.get(`/v2/payments/${payment}`),
    shop.get(`/v2/payments/${payment}`),
    shop.get(`/v2/orders/${orderId}`),
    settle(shop),
  ]);
  await settle(shop);

  const order = await shop.get(`/v2/orders/${orderId}`);
  expect([order.at("/payment_status"), order.at("/paid_total")]).toEqual(["paid", 25]);
  expect((await eventCounts(shop, orderId))["order.paid"]).toBe(1);
});

test("a notice of a refund that comes before the answer to it counts the refund once", async () => {
  const opened = await openOrder();
  await using shop = opened.shop;
  const { gateway, paymentId: payment, orderId } = opened;
  gateway.pay(payment);
  await pass(shop, 15);
  const refund = gateway.refund.bind(gateway);
  gateway.refund = async (asked) => {
    const answer = await refund(asked);
    shop.clock.advance(11_000);
    await notify(shop, gateway, { payment, id: "refunded", topic: "refund" });
    return answer;
  };

  await shop.post(`/v2/payments/${payment}/refunds`, { amount: 10 });
  await pass(shop, 60);

  const paid = await shop.get(`/v2/payments/${payment}`);
  expect([paid.at("/refunded_total"), paid.list("/refunds").length]).toEqual([10, 1]);
  expect((await eventCounts(shop, orderId))["order.refunded"]).toBe(1);
});

test("money that went back at the gateway before the shop heard of it is paid and refunded", async () => {
  const opened = await openOrder();
  await using shop = opened.shop;
  const { gateway, paymentId: payment, orderId } = opened;
  gateway.pay(payment);
  gateway.refundElsewhere(payment, 500);
  shop.clock.advance(11_000);

  await notify(shop, gateway, { payment, id: "refunded", topic: "refund" });
  await settle(shop);
  await notify(shop, gateway, { payment, id: "paid" });
  await pass(shop, 60);

  const order = await shop.get(`/v2/orders/${orderId}`);
  expect([order.at("/paid_total"), order.at("/refunded_total")]).toEqual([25, 5]);
  expect(order.at("/payment_status")).toBe("partially_refunded");
  const counts = await eventCounts(shop, orderId);
  expect([counts["order.paid"], counts["order.refunded"]]).toEqual([1, 1]);
});

test("two refunds of one amount whose notices are equal are both counted, once each", async () => {
  const opened = await openOrder();
  await using shop = opened.shop;
  const { gateway, paymentId: payment, orderId } = opened;
  gateway.pay(payment);
  await pass(shop, 15);
  for (let time = 0; time < 2; time += 1) {
    gateway.refundElsewhere(payment, 500);
    shop.clock.advance(11_000);
    await notify(shop, gateway, { payment, id: "refunded", topic: "refund" });
    await settle(shop);
  }

  const order = await shop.get(`/v2/orders/${orderId}`);
  expect(order.at("/refunded_total")).toBe(10);
  expect((await eventCounts(shop, orderId))["order.refunded"]).toBe(2);
});
