// Money by hand is given back by a person: a cancellation or a return only says so. A confirmation that was
// mistyped is corrected.

import { describe, expect, test } from "bun:test";

import type { Answered, TestShop } from "../../support/shop.ts";
import { auditsOf, dayPasses, handedOver, paidMug } from "../refund-counter.ts";
import {
  eventCounts,
  initialize,
  openScriptedShop,
  orderCounter,
  settle,
  sharedScriptedShop,
} from "../scripted-shop.ts";

const shared = sharedScriptedShop();

async function onlyRefund(shop: TestShop, placed: Answered): Promise<Answered> {
  const listed = await shop.get(`/v2/refunds?order_id=${placed.id}`);
  expect(listed.list("/data")).toHaveLength(1);
  return shop.get(`/v2/refunds/${listed.string("/data/0/id")}`);
}

describe("money that was handed over", () => {
  test("is to be handed back when its order is cancelled, and no timer gives it back", async () => {
    const { shop } = await openScriptedShop();
    await using _ = shop;
    const { placed, payment } = await handedOver(shop);
    await shop.announced();

    await shop.put(`/v2/orders/${placed.id}/cancel`);
    await dayPasses(shop);
    await dayPasses(shop);

    const refund = await onlyRefund(shop, placed);
    expect(refund.body).toMatchObject({
      status: "needs_attention",
      attention: "by_hand",
      amount: 12.5,
      reason: "order_cancelled",
      payment_id: payment.id,
    });
    const events = (await shop.announced()).filter(({ event }) => event !== "order.cancelled");
    expect(events).toMatchObject([
      {
        event: "refund.needs_attention",
        data: { reason: "by_hand", amount: 12.5, order_id: placed.id, refund: { id: refund.id } },
      },
    ]);
    expect((await shop.get("/v2/test/timers")).text).not.toContain("send_refund");
    expect(await auditsOf(shop)).toEqual([]);
  });

  test("is to be handed back when goods come back", async () => {
    const { shop } = shared;
    const { placed } = await handedOver(shop, { quantity: 2, amount: 25 });
    const line_items = [{ line_item_id: placed.string("/line_items/0/id"), quantity: 1 }];
    await shop.put(`/v2/orders/${placed.id}/fulfill`, {});

    const returned = await shop.post(
      `/v2/orders/${placed.id}/returns`,
      { line_items, restock: true },
      { headers: { "Idempotency-Key": placed.id } },
    );
    await settle(shop);

    expect(returned.status).toBe(201);
    const refund = await onlyRefund(shop, placed);
    expect([refund.at("/attention"), refund.at("/amount"), refund.at("/reason")]).toEqual([
      "by_hand",
      12.5,
      "goods_returned",
    ]);
  });

  test("counts as refunded once its refund is closed", async () => {
    const { shop } = await openScriptedShop();
    await using _ = shop;
    const { placed } = await handedOver(shop);
    await shop.put(`/v2/orders/${placed.id}/cancel`);
    await settle(shop);
    const refund = await onlyRefund(shop, placed);

    const closed = await shop.post(`/v2/refunds/${refund.id}/close`, { note: "Cash, to Ada" });
    await dayPasses(shop);

    expect([closed.at("/status"), closed.at("/close_note")]).toEqual(["closed", "Cash, to Ada"]);
    const order = await shop.get(`/v2/orders/${placed.id}`);
    expect([order.at("/payment_status"), order.at("/refunded_total")]).toEqual(["refunded", 12.5]);
    const counts = await eventCounts(shop, placed.id);
    expect([counts["order.refunded"], counts["refund.needs_attention"]]).toEqual([1, 1]);
    expect(await auditsOf(shop)).toEqual([]);
  });

  test("is not retried while it waits to be handed back", async () => {
    const { shop } = shared;
    const { placed } = await handedOver(shop);
    await shop.put(`/v2/orders/${placed.id}/cancel`);
    await settle(shop);
    const refund = await onlyRefund(shop, placed);

    const refused = await shop.post(`/v2/refunds/${refund.id}/retry`);

    expect([refused.status, refused.code]).toEqual([409, "invalid_transition"]);
    expect([refused.at("/from"), refused.at("/allowed")]).toEqual([
      "needs_attention",
      ["close", "cancel"],
    ]);
  });

  test.each(["payments", "orders"])(
    "is recorded as given back when a person asks for a refund of its %s",
    async (noun) => {
      const { shop } = shared;
      const { placed, payment } = await handedOver(shop);
      const { id } = noun === "payments" ? payment : placed;

      const made = await shop.post(`/v2/${noun}/${id}/refunds`, { amount: 5 });

      expect(made.status).toBe(201);
      expect((await onlyRefund(shop, placed)).at("/status")).toBe("succeeded");
      expect((await eventCounts(shop, placed.id))["order.refunded"]).toBe(1);
    },
  );
});

describe("a confirmed payment", () => {
  const correct = (shop: TestShop, { id }: Answered, body: object) =>
    shop.post(`/v2/payments/${id}/correct`, body);

  test("that was mistyped is corrected, and its order follows", async () => {
    const { shop } = shared;
    const { placed, payment } = await handedOver(shop, { quantity: 2, amount: 20 });
    await shop.announced();

    const corrected = await correct(shop, payment, { amount: "2.00", note: "A zero too many" });

    expect([corrected.status, corrected.at("/captured_total")]).toEqual([200, 2]);
    const order = await shop.get(`/v2/orders/${placed.id}`);
    expect([order.at("/paid_total"), order.at("/due"), order.at("/payment_status")]).toEqual([
      2,
      23,
      "partially_paid",
    ]);
    expect(await shop.announced()).toMatchObject([
      {
        event: "payment.corrected",
        data: {
          payment_id: payment.id,
          captured_total: 2,
          previous_total: 20,
          previous_total_minor: 2000,
          note: "A zero too many",
        },
      },
    ]);
    expect(await auditsOf(shop)).toEqual([]);
  });

  test("that is corrected to the whole amount pays its order", async () => {
    const { shop } = shared;
    const { placed, payment } = await handedOver(shop, { amount: 1.25 });

    await correct(shop, payment, { amount: 12.5 });
    await correct(shop, payment, { amount: 12.5 });

    const counts = await eventCounts(shop, placed.id);
    expect([counts["order.paid"], counts["payment.corrected"]]).toEqual([1, 1]);
    expect((await shop.get(`/v2/orders/${placed.id}`)).at("/payment_status")).toBe("paid");
  });

  test("that is corrected after the sale leaves what is missing due, and the rest pays it without a second sale", async () => {
    const { shop } = shared;
    const { placed, payment } = await handedOver(shop);

    await correct(shop, payment, { amount: 10 });

    const figures = ["/payment_status", "/paid_total", "/due", "/deposit_due"];
    const short = await shop.get(`/v2/orders/${placed.id}`);
    expect(figures.map((at) => short.at(at))).toEqual(["partially_paid", 10, 2.5, 0]);
    const rest = await initialize(shop, { order_id: placed.id, method: "bank_transfer" });
    await shop.post(`/v2/payments/${rest.id}/confirm`, { amount: 2.5 });
    const whole = await shop.get(`/v2/orders/${placed.id}`);
    expect(figures.map((at) => whole.at(at))).toEqual(["paid", 12.5, 0, 0]);
    expect((await eventCounts(shop, placed.id))["order.paid"]).toBe(1);
    expect(await auditsOf(shop)).toEqual([]);
  });

  test("is not corrected below its refunds, and just to them it is refunded", async () => {
    const { shop } = shared;
    const { placed, payment } = await handedOver(shop);
    await shop.post(`/v2/payments/${payment.id}/refunds`, { amount: 5 });
    await shop.announced();

    const refused = await correct(shop, payment, { amount: 4.99 });
    const nothing = await correct(shop, payment, { amount: 0 });
    const unheard = await shop.announcedNames();
    const whole = await correct(shop, payment, { amount: 5 });

    expect([refused.status, refused.faults]).toEqual([422, ["#/amount less_than_refunded"]]);
    expect(nothing.faults).toEqual(["#/amount amount_too_small"]);
    expect(unheard).toEqual([]);
    expect(whole.at("/status")).toBe("refunded");
    const order = await shop.get(`/v2/orders/${placed.id}`);
    expect([order.at("/payment_status"), order.at("/due")]).toEqual(["unpaid", 7.5]);
    expect(await auditsOf(shop)).toEqual([]);
  });

  test("that was refunded whole is partly refunded once more came than was typed", async () => {
    const { shop } = shared;
    const { payment } = await handedOver(shop);
    await shop.post(`/v2/payments/${payment.id}/refunds`, {});

    const corrected = await correct(shop, payment, { amount: 15 });
    const rest = await shop.post(`/v2/payments/${payment.id}/refunds`, {});

    expect(corrected.at("/status")).toBe("partially_refunded");
    expect([rest.status, rest.at("/amount")]).toEqual([201, 2.5]);
    expect(await auditsOf(shop)).toEqual([]);
  });

  test("of a cancelled order is to be handed back with what came beyond what was typed", async () => {
    const { shop } = shared;
    const placed = await (await orderCounter(shop))();
    const payment = await initialize(shop, { order_id: placed.id, method: "bank_transfer" });
    await shop.put(`/v2/orders/${placed.id}/cancel`);
    await shop.post(`/v2/payments/${payment.id}/confirm`, { amount: 10 });

    const corrected = await correct(shop, payment, { amount: 12 });

    expect(corrected.list("/refunds")).toMatchObject([
      { status: "needs_attention", attention: "by_hand", amount: 10 },
      { status: "needs_attention", attention: "by_hand", amount: 2 },
    ]);
    expect((await shop.get(`/v2/orders/${placed.id}`)).at("/refunding_total")).toBe(12);
    expect(await auditsOf(shop)).toEqual([]);
  });

  test("of a cancelled order is handed back as far as the correction raised it, and no refund that was given up", async () => {
    const { shop } = shared;
    const placed = await (await orderCounter(shop))();
    const payment = await initialize(shop, { order_id: placed.id, method: "bank_transfer" });
    await shop.put(`/v2/orders/${placed.id}/cancel`);
    await shop.post(`/v2/payments/${payment.id}/confirm`, { amount: 10 });
    await shop.post(`/v2/refunds/${(await onlyRefund(shop, placed)).id}/cancel`);

    const corrected = await correct(shop, payment, { amount: 12 });

    expect(corrected.list("/refunds")).toMatchObject([
      { status: "cancelled", amount: 10 },
      { status: "needs_attention", attention: "by_hand", amount: 2 },
    ]);
    expect(await auditsOf(shop)).toEqual([]);
  });

  test("of a cancelled order that keeps it is kept as far as it came, and handed back beyond", async () => {
    const { shop } = shared;
    const { placed, payment } = await handedOver(shop, { amount: 10 });
    await shop.put(`/v2/orders/${placed.id}/cancel`, { refund: false });

    const less = await correct(shop, payment, { amount: 4 });
    const order = await shop.get(`/v2/orders/${placed.id}`);
    const more = await correct(shop, payment, { amount: 5 });

    expect(less.list("/refunds")).toEqual([]);
    expect([order.at("/kept_total"), order.at("/due")]).toEqual([4, 0]);
    expect(more.list("/refunds")).toMatchObject([{ attention: "by_hand", amount: 1 }]);
    expect(await auditsOf(shop)).toEqual([]);
  });

  test("is corrected by hand only, and not before money came", async () => {
    const sale = await paidMug(shared);
    const { shop } = sale;
    const asked = { amount: 5, currency: "USD", method: "bank_transfer" };
    const open = await shop.post("/v2/payments/initialize", asked);
    await settle(shop);

    const refused = [
      await correct(shop, sale.payment, { amount: 10 }),
      await correct(shop, open, { amount: 4 }),
    ];

    expect(refused.map((one) => [one.status, one.code, one.at("/action")])).toEqual([
      [409, "invalid_transition", "correct"],
      [409, "invalid_transition", "correct"],
    ]);
  });
});
