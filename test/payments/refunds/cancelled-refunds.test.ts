// Refunds that no gateway has and that are not wanted any more.

import { expect, test } from "bun:test";

import type { Answered, TestShop } from "../../support/shop.ts";
import { auditsOf, dayPasses, handedOver, paidMug, refundsSent } from "../refund-counter.ts";
import { eventCounts, openScriptedShop, settle, sharedScriptedShop } from "../scripted-shop.ts";

const shared = sharedScriptedShop();

const failure = { kind: "failed", gatewayCode: "account_closed", gatewayRefundId: null } as const;

/** A paid mug whose refund failed. */
async function failedRefund() {
  const sale = await paidMug(shared);
  sale.gateway.nextRefund = failure;
  const refund = await sale.shop.post(`/v2/payments/${sale.payment.id}/refunds`, {});
  return { ...sale, refund };
}

const cancel = (shop: TestShop, refund: Answered, note = "Paid by hand already") =>
  shop.post(`/v2/refunds/${refund.id}/cancel`, { note });

test("a failed refund that is cancelled leaves the worklist and is counted nowhere", async () => {
  const { shop, placed, refund } = await failedRefund();

  const cancelled = await cancel(shop, refund);

  expect(cancelled.body).toMatchObject({
    status: "cancelled",
    close_note: "Paid by hand already",
    closed_at: expect.any(String),
  });
  const worklist = await shop.get(
    `/v2/refunds?status=failed,needs_attention&order_id=${placed.id}`,
  );
  expect(worklist.list("/data")).toEqual([]);
  const order = await shop.get(`/v2/orders/${placed.id}`);
  expect([order.at("/payment_status"), order.at("/refunded_total")]).toEqual(["paid", 0]);
  expect(await auditsOf(shop)).toEqual([]);
});

test("a refund is cancelled and announced once, however often it is asked for", async () => {
  const { shop, placed, refund } = await failedRefund();

  const answers = [await cancel(shop, refund), await cancel(shop, refund)];

  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect((await eventCounts(shop, placed.id))["refund.cancelled"]).toBe(1);
});

test("a cancelled refund cannot be retried or closed", async () => {
  const { shop, refund } = await failedRefund();
  await cancel(shop, refund);

  const answers = [
    await shop.post(`/v2/refunds/${refund.id}/retry`),
    await shop.post(`/v2/refunds/${refund.id}/close`, {}),
  ];

  for (const answer of answers) {
    expect([answer.status, answer.at("/code"), answer.at("/allowed")]).toEqual([
      409,
      "invalid_transition",
      [],
    ]);
  }
});

test("a refund that did not fail cannot be cancelled", async () => {
  const { shop, gateway, payment } = await paidMug(shared);
  const refund = await shop.post(`/v2/payments/${payment.id}/refunds`, {});

  const answer = await cancel(shop, refund);

  expect([answer.status, answer.at("/code")]).toEqual([409, "invalid_transition"]);
  expect(refundsSent(gateway)).toEqual([1250]);
});

test("the cancellation of an order opens a refund beside a cancelled one", async () => {
  const { shop, gateway, placed, refund } = await failedRefund();
  await cancel(shop, refund);

  await shop.put(`/v2/orders/${placed.id}/cancel`, {});
  await settle(shop);

  const refunds = await shop.get(`/v2/refunds?order_id=${placed.id}`);
  expect(refunds.list("/data")).toMatchObject([
    { status: "succeeded", amount: 12.5 },
    { id: refund.id, status: "cancelled" },
  ]);
  expect(refundsSent(gateway)).toEqual([1250]);
  expect(await auditsOf(shop)).toEqual([]);
});

test("a cancelled refund that its gateway had paid nevertheless counts as refunded", async () => {
  const { shop, gateway, payment, placed } = await paidMug(await openScriptedShop());
  await using _ = shop;
  gateway.refund = (asked) => {
    gateway.refunds.set(asked.reference, asked);
    return Promise.resolve(failure);
  };
  const refund = await shop.post(`/v2/payments/${payment.id}/refunds`, {});
  const cancelled = await cancel(shop, refund);

  await dayPasses(shop);

  const after = await shop.get(`/v2/refunds/${refund.id}`);
  expect([cancelled.at("/status"), after.at("/status")]).toEqual(["cancelled", "succeeded"]);
  const order = await shop.get(`/v2/orders/${placed.id}`);
  expect(order.at("/refunded_total")).toBe(12.5);
  expect(await auditsOf(shop)).toEqual([]);
});

test("a refund that needs attention at its gateway cannot be cancelled, and may be closed", async () => {
  const { shop, gateway, payment } = await paidMug(shared);
  gateway.nextRefund = { kind: "needs_attention", gatewayRefundId: "r-1" };
  const refund = await shop.post(`/v2/payments/${payment.id}/refunds`, {});

  const answer = await cancel(shop, refund);

  expect([answer.status, answer.at("/allowed")]).toEqual([409, ["close"]]);
});

test("a mistyped amount of a cancelled order is corrected once its refund is cancelled", async () => {
  const { shop } = shared;
  const { placed, payment } = await handedOver(shop);
  await shop.put(`/v2/orders/${placed.id}/cancel`, {});
  await settle(shop);
  const waiting = await shop.get(`/v2/refunds?order_id=${placed.id}`);

  await shop.post(`/v2/refunds/${waiting.string("/data/0/id")}/cancel`);
  const corrected = await shop.post(`/v2/payments/${payment.id}/correct`, { amount: 1.25 });
  const refunded = await shop.post(`/v2/payments/${payment.id}/refunds`, {});

  expect([corrected.status, refunded.status, refunded.at("/amount")]).toEqual([200, 201, 1.25]);
  const order = await shop.get(`/v2/orders/${placed.id}`);
  expect([order.at("/paid_total"), order.at("/payment_status")]).toEqual([1.25, "refunded"]);
  expect(await auditsOf(shop)).toEqual([]);
});
