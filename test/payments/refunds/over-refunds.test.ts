// A gateway gave more back than was left of a payment: what was left is taken over, and a person sees to the rest.

import { describe, expect, test } from "bun:test";

import type { TestShop } from "../../support/shop.ts";
import { auditsOf } from "../refund-counter.ts";
import {
  eventCounts,
  initialize,
  notify,
  openScriptedShop,
  orderCounter,
  paidAtGateway,
  pass,
  settle,
  sharedScriptedShop,
} from "../scripted-shop.ts";

const shared = sharedScriptedShop();

/** A paid order of 25.00, of which this much was given back in cash instead of by its gateway. */
async function handedBack(amount: number, scripted = shared) {
  const { shop, gateway } = scripted;
  const { id: orderId } = await (await orderCounter(shop))({}, 2);
  const { id: paymentId } = await initialize(shop, { order_id: orderId });
  await paidAtGateway(scripted, paymentId);
  gateway.nextRefund = { kind: "needs_attention", gatewayRefundId: `r-${paymentId}` };
  const refund = await shop.post(`/v2/payments/${paymentId}/refunds`, { amount });
  await shop.post(`/v2/refunds/${refund.id}/close`, { note: "In cash" });
  await shop.announced();
  const reported = async (id = "reported") => {
    // By then the gateway is polled again.
    shop.clock.advance(11_000);
    await notify(shop, gateway, { payment: paymentId, id: `${paymentId} ${id}`, topic: "refund" });
    await settle(shop);
  };
  return { shop, gateway, orderId, paymentId, reported };
}

const worklistOf = async (shop: TestShop, id: string) =>
  (await shop.get(`/v2/refunds?status=failed,needs_attention&order_id=${id}`))
    .list("/data")
    .map(Object);

const attentionIn = async (shop: TestShop) =>
  (await shop.get("/v2/waiting")).at("/refunds_attention");

const refundedOf = async (shop: TestShop, id: string) => {
  const order = await shop.get(`/v2/orders/${id}`);
  return [order.at("/payment_status"), order.at("/refunded_total")];
};

describe("money that a gateway gave back beyond what was left of the payment", () => {
  /** 20.00 in the dashboard, of which 12.50 were left. */
  async function exceeded(scripted = shared) {
    const opened = await handedBack(12.5, scripted);
    opened.gateway.refundElsewhere(opened.paymentId, 2000);
    await opened.reported();
    return opened;
  }

  test("waits for a person, who is told that it went back twice", async () => {
    const { shop, orderId } = await exceeded(await openScriptedShop());
    await using _ = shop;

    expect(await worklistOf(shop, orderId)).toMatchObject([
      {
        status: "needs_attention",
        attention: "paid_twice",
        failure_reason: "refund_exceeds_captured",
        amount: 7.5,
        external: true,
      },
    ]);
    expect(await attentionIn(shop)).toEqual({ count: 1, more: false });
    const events = await shop.announced();
    expect(events.filter(({ event }) => event === "refund.needs_attention")).toMatchObject([
      { data: { reason: "paid_twice", amount: 7.5 } },
    ]);
  });

  test("is no money of the order, which has what was left back", async () => {
    const { shop, orderId } = await exceeded();

    expect(await refundedOf(shop, orderId)).toEqual(["refunded", 25]);
    expect(await auditsOf(shop)).toEqual([]);
  });

  test("waits once, however often it is reported", async () => {
    const { shop, orderId, reported } = await exceeded(await openScriptedShop());
    await using _ = shop;

    await reported("again");
    await pass(shop, 86_400);

    expect(await worklistOf(shop, orderId)).toHaveLength(1);
  });

  test("waits no more once a person closed it, and is not announced as a refund", async () => {
    const { shop, orderId, reported } = await exceeded(await openScriptedShop());
    await using _ = shop;
    const [{ id }] = await worklistOf(shop, orderId);
    const before = await eventCounts(shop, orderId);

    const closed = await shop.post(`/v2/refunds/${id}/close`, { note: "Ada brought it back." });
    await reported("again");

    expect([closed.status, closed.at("/status")]).toEqual([200, "closed"]);
    expect(await attentionIn(shop)).toEqual({ count: 0, more: false });
    expect(await eventCounts(shop, orderId)).toEqual(before);
    expect(await refundedOf(shop, orderId)).toEqual(["refunded", 25]);
    expect(await auditsOf(shop)).toEqual([]);
  });

  test("cannot be sent by the shop", async () => {
    const { shop, gateway, orderId } = await exceeded();
    const [{ id }] = await worklistOf(shop, orderId);
    const before = gateway.payouts;

    const retried = await shop.post(`/v2/refunds/${id}/retry`);

    expect([retried.status, retried.code]).toEqual([409, "invalid_transition"]);
    expect(gateway.payouts).toBe(before);
  });

  test("is no part of what the customer reads of the order", async () => {
    const { shop, orderId } = await exceeded();

    const { body } = await shop.get(`/v2/orders/${orderId}`);
    const page = await (await fetch(String(Object(body).status_url))).text();

    expect(page).not.toContain("7.50");
    expect(page).not.toContain("on its way");
  });
});

test("a refund in the dashboard waits for a person where nothing was left of the payment", async () => {
  const { shop, gateway, orderId, paymentId, reported } = await handedBack(25);
  gateway.refundElsewhere(paymentId, 1000);

  await reported();

  expect(await worklistOf(shop, orderId)).toMatchObject([{ attention: "paid_twice", amount: 10 }]);
  expect(await refundedOf(shop, orderId)).toEqual(["refunded", 25]);
  expect(await auditsOf(shop)).toEqual([]);
});

test("a refund in the dashboard for which a person closed the shop's own waits for no one", async () => {
  const { shop, gateway } = await openScriptedShop();
  await using _ = shop;
  const { id: orderId } = await (await orderCounter(shop))({}, 2);
  const { id: paymentId } = await initialize(shop, { order_id: orderId });
  gateway.pay(paymentId);
  await pass(shop, 15);
  gateway.nextRefund = { kind: "processing", gatewayRefundId: "r-1" };
  const own = await shop.post(`/v2/payments/${paymentId}/refunds`, { amount: 20 });
  gateway.refundElsewhere(paymentId, 2500);
  shop.clock.advance(11_000);
  await notify(shop, gateway, { payment: paymentId, id: "reported", topic: "refund" });
  await settle(shop);
  await shop.post(`/v2/refunds/${own.id}/close`, { note: "In the dashboard" });

  shop.clock.advance(11_000);
  await notify(shop, gateway, { payment: paymentId, id: "again", topic: "refund" });
  await settle(shop);

  expect(await worklistOf(shop, orderId)).toEqual([]);
  expect(await refundedOf(shop, orderId)).toEqual(["refunded", 25]);
});
