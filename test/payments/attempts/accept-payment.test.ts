// The merchant accepts money that did not match: less than was asked for, or another currency.

import { describe, expect, test } from "bun:test";

import { cancel, fulfill, reread } from "../../sales/orders/counter.ts";
import type { Answered, TestShop } from "../../support/shop.ts";
import { auditsOf, refundsSent } from "../refund-counter.ts";
import {
  eventCounts,
  initialize,
  openScriptedShop,
  orderCounter,
  paidAtGateway,
  pass,
  type ScriptedShop,
  sharedScriptedShop,
} from "../scripted-shop.ts";

const shared = sharedScriptedShop();

const DAY_S = 86_400;

/** An order of 12.50 for which other money arrived: 10.00 by default. */
async function doubted(
  scripted: ScriptedShop,
  money: { amountMinor?: number; currency?: string } = { amountMinor: 1000 },
) {
  const placed = await (await orderCounter(scripted.shop))();
  const payment = await initialize(scripted.shop, { order_id: placed.id });
  await paidAtGateway(scripted, payment.id, money);
  return { ...scripted, placed, payment };
}

/** Two days pass in pieces: the timers of an order in review fire every 15 minutes. */
async function twoDaysPass(shop: TestShop): Promise<void> {
  for (let half = 0; half < 4; half += 1) await pass(shop, DAY_S / 2);
}

const accept = (shop: TestShop, { id }: Answered, body?: object) =>
  shop.post(`/v2/payments/${id}/accept`, body);

describe("money that is short", () => {
  test("is accepted with the rest written off, and the order is paid", async () => {
    const { shop, placed, payment } = await doubted(shared);

    const accepted = await accept(shop, payment, { write_off: true });

    expect(accepted.body).toMatchObject({ status: "succeeded", captured_total: 10 });
    expect((await reread(shop, placed)).body).toMatchObject({
      payment_status: "paid",
      paid_total: 10,
      written_off_total: 2.5,
      due: 0,
      expires_at: null,
    });
    const counts = await eventCounts(shop, placed.id);
    expect([counts["payment.succeeded"], counts["order.updated"], counts["order.paid"]]).toEqual([
      1, 1, 1,
    ]);
    expect(await auditsOf(shop)).toEqual([]);
  });

  test("is accepted with the rest written off after the order was shipped, which completes it", async () => {
    const { shop, placed, payment } = await doubted(shared);
    await fulfill(shop, placed);

    await accept(shop, payment, { write_off: true });

    expect((await reread(shop, placed)).at("/status")).toBe("completed");
  });

  test("is accepted late, and the rest may be paid as long as of a new order", async () => {
    const { shop, gateway, placed, payment } = await doubted(await openScriptedShop());
    await using _ = shop;
    await twoDaysPass(shop);

    await accept(shop, payment);
    await pass(shop, DAY_S - 60);
    const rest = await initialize(shop, { order_id: placed.id });
    gateway.pay(rest.id);
    await pass(shop, 15);

    expect(rest.at("/amount")).toBe(2.5);
    expect((await reread(shop, placed)).at("/payment_status")).toBe("paid");
  });

  test("is accepted late, and goes back when the rest does not come in the new time", async () => {
    const { shop, gateway, placed, payment } = await doubted(await openScriptedShop());
    await using _ = shop;
    await twoDaysPass(shop);
    await accept(shop, payment);
    const renewed = await reread(shop, placed);

    await pass(shop, DAY_S);

    expect(Date.parse(renewed.string("/expires_at"))).toBe(shop.test.clock.now());
    expect((await reread(shop, placed)).body).toMatchObject({
      status: "cancelled",
      cancel_reason: "expired",
    });
    expect(refundsSent(gateway)).toEqual([1000]);
  });

  test("that reaches the deposit keeps the order", async () => {
    const scripted = await openScriptedShop();
    await using shop = scripted.shop;
    await shop.put("/v2/store", { deposit_percent: 30 });
    const placed = await (await orderCounter(shop))();
    const payment = await initialize(shop, { order_id: placed.id });
    scripted.gateway.pay(payment.id, { amountMinor: 375 });
    await pass(shop, 15);

    await accept(shop, payment);

    expect((await reread(shop, placed)).body).toMatchObject({ deposit_due: 0, expires_at: null });
  });

  test("is no money that its order can refund, which says where it can be refunded", async () => {
    const { shop, placed, payment } = await doubted(shared);

    const refused = await shop.post(`/v2/orders/${placed.id}/refunds`, {});
    const refunded = await shop.post(`/v2/payments/${payment.id}/refunds`, {});

    expect([refused.status, refused.code]).toEqual([409, "refund_exceeds_captured"]);
    expect(refused.string("/detail")).toContain("refunded by its payment");
    expect([refunded.status, refunded.at("/amount")]).toEqual([201, 10]);
  });

  test("is not worth another amount than came", async () => {
    const { shop, payment } = await doubted(shared);

    const refused = await accept(shop, payment, { amount: 12.5 });

    expect([refused.status, refused.faults]).toEqual([422, ["#/amount amount_known"]]);
  });
});

describe("money in another currency", () => {
  const cedis = { amountMinor: 15_000, currency: "GHS" };

  test.each([[undefined], [{}], [{ write_off: true }]])(
    "is not accepted by %j, without what it stands for",
    async (body) => {
      const { shop, placed, payment } = await doubted(shared, cedis);
      const events = (await shop.events()).length;

      const refused = await accept(shop, payment, body);

      expect([refused.status, refused.faults]).toEqual([422, ["#/amount required"]]);
      expect((await reread(shop, placed)).at("/payment_status")).toBe("review");
      expect((await shop.events()).length).toBe(events);
    },
  );

  test("counts as the amount that it stands for, and what came is kept", async () => {
    const { shop, placed, payment } = await doubted(shared, cedis);

    const accepted = await accept(shop, payment, { amount: "12.50" });

    expect(accepted.body).toMatchObject({
      status: "succeeded",
      currency: "USD",
      captured_total: 12.5,
      received: { amount: 150, currency: "GHS" },
    });
    const order = await reread(shop, placed);
    expect([order.at("/payment_status"), order.at("/paid_total")]).toEqual(["paid", 12.5]);
    expect(await auditsOf(shop)).toEqual([]);
  });

  test("that stands for less is accepted with the rest written off", async () => {
    const { shop, placed, payment } = await doubted(shared, cedis);

    await accept(shop, payment, { amount: 12, write_off: true });

    expect((await reread(shop, placed)).body).toMatchObject({
      payment_status: "paid",
      written_off_total: 0.5,
    });
  });

  test("is given back by a person, since the gateway has none of the order's currency", async () => {
    const { shop, gateway, placed, payment } = await doubted(await openScriptedShop(), cedis);
    await using _ = shop;
    await accept(shop, payment, { amount: 12.5 });

    const refund = await shop.post(`/v2/payments/${payment.id}/refunds`, { amount: 5 });
    await pass(shop, 2 * DAY_S);
    const closed = await shop.post(`/v2/refunds/${refund.id}/close`, { note: "60 GHS" });
    await pass(shop, 2 * DAY_S);

    expect(refund.body).toMatchObject({
      status: "needs_attention",
      attention: "by_hand",
      amount: 5,
      currency: "USD",
    });
    expect([closed.at("/status"), gateway.payouts]).toEqual(["closed", 0]);
    expect((await reread(shop, placed)).body).toMatchObject({
      payment_status: "partially_refunded",
      refunded_total: 5,
    });
    const counts = await eventCounts(shop, placed.id);
    expect([counts["refund.needs_attention"], counts["order.refunded"]]).toEqual([1, 1]);
    expect(await auditsOf(shop)).toEqual([]);
  });

  test("waits to be handed back when its order is cancelled", async () => {
    const { shop, gateway, placed, payment } = await doubted(await openScriptedShop(), cedis);
    await using _ = shop;
    await accept(shop, payment, { amount: 12.5 });

    await cancel(shop, placed);
    await pass(shop, 2 * DAY_S);

    const worklist = await shop.get("/v2/refunds?status=needs_attention");
    expect(worklist.body).toMatchObject({
      data: [{ attention: "by_hand", amount: 12.5, currency: "USD", payment_id: payment.id }],
    });
    expect(gateway.payouts).toBe(0);
  });
});

describe("money in review is not accepted", () => {
  test("once its order is cancelled: it is refunded", async () => {
    const { shop, placed, payment } = await doubted(shared);
    await cancel(shop, placed);

    const refused = await accept(shop, payment);
    const refund = await shop.post(`/v2/payments/${payment.id}/refunds`);

    expect([refused.status, refused.code, refused.at("/allowed")]).toEqual([
      409,
      "invalid_transition",
      ["refund"],
    ]);
    expect([refund.status, refund.at("/amount")]).toEqual([201, 10]);
  });

  test("while it is being refunded", async () => {
    const { shop, gateway, payment } = await doubted(shared);
    gateway.nextRefund = { kind: "pending", gatewayRefundId: "r-1" };
    await shop.post(`/v2/payments/${payment.id}/refunds`);

    const refused = await accept(shop, payment);

    expect([refused.status, refused.code]).toEqual([409, "invalid_transition"]);
  });

  test("with a write-off by a key that may not write orders", async () => {
    const { shop, payment } = await doubted(shared);
    const key = await shop.createKey({ scopes: ["payments:write"] });

    const path = `/v2/payments/${payment.id}/accept`;
    const refused = await shop.post(path, { write_off: true }, { key });

    expect([refused.status, refused.code]).toEqual([403, "scope_missing"]);
  });
});

test("the shop says how many days money in review keeps its order", async () => {
  const { shop, placed } = await doubted(await openScriptedShop());
  await using _ = shop;
  await shop.put("/v2/store", { review_days: 2 });
  await pass(shop, 1.5 * DAY_S);
  const waiting = await reread(shop, placed);

  await pass(shop, DAY_S);

  expect([waiting.at("/status"), (await reread(shop, placed)).at("/status")]).toEqual([
    "open",
    "cancelled",
  ]);
});
