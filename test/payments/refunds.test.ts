// Refunds: in full or in part, by amount or by lines, and never more than was received.

import { describe, expect, test } from "bun:test";

import type { Answered, TestShop } from "../support/shop.ts";
import {
  eventCounts,
  initialize,
  openScriptedShop,
  orderCounter,
  paidAtGateway,
  pass,
  settle,
  sharedScriptedShop,
} from "./scripted-shop.ts";

const shared = sharedScriptedShop();

/** An order of so many mugs that was paid by one payment. */
async function paidOrder(quantity = 1, scripted = shared) {
  const placed = await (await orderCounter(scripted.shop))({}, quantity);
  const payment = await initialize(scripted.shop, { order_id: placed.id });
  await paidAtGateway(scripted, payment.id);
  return { ...scripted, placed, payment };
}

function refund(
  shop: TestShop,
  payment: Answered,
  { key, ...body }: { readonly key?: string; readonly [field: string]: unknown } = {},
): Promise<Answered> {
  const headers = key === undefined ? {} : { "Idempotency-Key": key };
  return shop.post(`/v2/payments/${payment.id}/refunds`, body, { headers });
}

describe("a refund", () => {
  test("in full marks the payment and the order as refunded", async () => {
    const sale = await paidOrder();
    const { shop } = sale;

    const made = await refund(shop, sale.payment, { reason: "duplicate", note: "Twice" });

    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({
      payment_id: sale.payment.id,
      order_id: sale.placed.id,
      status: "succeeded",
      amount: 12.5,
      reason: "duplicate",
      note: "Twice",
      automatic: false,
    });
    const payment = await shop.get(`/v2/payments/${sale.payment.id}`);
    expect([payment.at("/status"), payment.at("/refunded_total")]).toEqual(["refunded", 12.5]);
    const order = await shop.get(`/v2/orders/${sale.placed.id}`);
    expect([order.at("/payment_status"), order.at("/due")]).toEqual(["refunded", 0]);
    const last = (await shop.announced()).at(-1);
    expect(last).toMatchObject({
      event: "order.refunded",
      data: { order_id: sale.placed.id, refunded_total: 12.5, refund: { id: made.id } },
    });
  });

  test("in part leaves exactly the rest refundable", async () => {
    const sale = await paidOrder();
    const { shop } = sale;
    const part = await refund(shop, sale.payment, { amount: "5.00" });

    const more = await refund(shop, sale.payment, { amount: 7.51 });
    const rest = await refund(shop, sale.payment);
    const none = await refund(shop, sale.payment);

    expect([part.status, part.at("/amount")]).toEqual([201, 5]);
    expect([more.status, more.code, more.at("/refundable_minor")]).toEqual([
      409,
      "refund_exceeds_captured",
      750,
    ]);
    expect([rest.status, rest.at("/amount")]).toEqual([201, 7.5]);
    expect([none.status, none.code]).toEqual([409, "invalid_transition"]);
  });

  test("never exceeds what was captured, however many arrive at once", async () => {
    const sale = await paidOrder();
    const { shop } = sale;

    const answers = await Promise.all(
      Array.from({ length: 20 }, () => refund(shop, sale.payment, { amount: 2 })),
    );

    const made = answers.filter(({ status }) => status === 201);
    const refused = answers.filter(({ status }) => status === 409);
    expect([made.length, refused.length]).toEqual([6, 14]);
    const order = await shop.get(`/v2/orders/${sale.placed.id}`);
    expect(order.at("/refunded_total_minor")).toBe(1200);
    const sent = [...sale.gateway.refunds.values()].map(({ amountMinor }) => amountMinor);
    expect(sent.reduce((sum, amountMinor) => sum + amountMinor, 0)).toBe(1200);
  });

  test("is made once per idempotency key", async () => {
    const sale = await paidOrder();
    const { shop } = sale;

    const first = await refund(shop, sale.payment, { amount: 5, key: `back-${sale.placed.id}` });
    const again = await refund(shop, sale.payment, { amount: 5, key: `back-${sale.placed.id}` });

    expect(again.body).toEqual(first.body);
    expect(sale.gateway.refunds.size).toBe(1);
  });

  test("is not taken by another key's use of its idempotency key", async () => {
    const sale = await paidOrder();
    const { shop } = sale;
    const headers = { "Idempotency-Key": `back-${sale.placed.id}` };
    const page = await shop.createKey({ scopes: ["storefront"] });
    const other = await shop.createKey({ name: "Other" });
    const link = { amount: 5, currency: "USD" };
    await shop.post("/v2/payments/initialize", link, { headers, key: page });
    const path = `/v2/payments/${sale.payment.id}/refunds`;

    const one = await shop.post(path, { amount: 5 }, { headers });
    const two = await shop.post(path, { amount: 5 }, { headers, key: other });

    expect([one.status, two.status]).toEqual([201, 201]);
    expect(sale.gateway.refunds.size).toBe(2);
  });

  test("of an attempt that was not paid is refused", async () => {
    const { shop } = shared;
    const payment = await initialize(shop, { amount: 5, currency: "USD" });

    const refused = await refund(shop, payment);

    expect([refused.status, refused.code, refused.at("/from")]).toEqual([
      409,
      "invalid_transition",
      "requires_action",
    ]);
  });

  test("that fails frees its amount", async () => {
    const sale = await paidOrder();
    const { shop } = sale;
    sale.gateway.nextRefund = { kind: "failed", gatewayCode: "closed", gatewayRefundId: null };

    const failed = await refund(shop, sale.payment);
    const second = await refund(shop, sale.payment);

    expect([failed.status, failed.at("/status")]).toEqual([201, "failed"]);
    expect([second.status, second.at("/status")]).toEqual([201, "succeeded"]);
    expect((await eventCounts(shop, sale.placed.id))["order.refunded"]).toBe(1);
  });

  test("without an answer is polled until its outcome is known", async () => {
    const sale = await paidOrder(1, await openScriptedShop());
    await using shop = sale.shop;
    sale.gateway.nextRefund = { kind: "unknown" };

    const open = await refund(shop, sale.payment);
    await pass(shop, 3_600);

    expect(open.at("/status")).toBe("pending");
    const payment = await shop.get(`/v2/payments/${sale.payment.id}`);
    expect([payment.at("/status"), payment.at("/refunds/0/status")]).toEqual([
      "refunded",
      "succeeded",
    ]);
    expect(sale.gateway.refunds.size).toBe(1);
  });
});

describe("an order", () => {
  test("refunds the share of its lines, and shipped units can return to stock", async () => {
    const sale = await paidOrder(3);
    const { shop } = sale;
    const line = sale.placed.string("/line_items/0/id");
    const variant = sale.placed.string("/line_items/0/variant_id");
    const ship = { line_items: [{ line_item_id: line, quantity: 1 }] };
    await shop.put(`/v2/orders/${sale.placed.id}/fulfill`, ship);
    const before = await shop.get(`/v2/inventory/${variant}`);

    const made = await shop.post(`/v2/orders/${sale.placed.id}/refunds`, {
      line_items: [{ line_item_id: line, quantity: 1 }],
      restock: true,
    });

    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({
      amount: 12.5,
      refunds: [
        {
          status: "succeeded",
          line_items: [{ line_item_id: line, quantity: 1, amount: 12.5, restocked: 1 }],
        },
      ],
      order: {
        refunded_total: 12.5,
        payment_status: "partially_refunded",
        line_items: [{ fulfilled_quantity: 1, returned_quantity: 1, cancelled_quantity: 0 }],
      },
    });
    const after = await shop.get(`/v2/inventory/${variant}`);
    expect(after.number("/on_hand")).toBe(before.number("/on_hand") + 1);
    const refused = await Promise.all(
      [{ quantity: 3 }, { quantity: 1, from: "shipped" }, { quantity: 3, from: "open" }].map(
        (one) =>
          shop.post(`/v2/orders/${sale.placed.id}/refunds`, {
            line_items: [{ line_item_id: line, ...one }],
          }),
      ),
    );
    expect(refused.map((one) => one.faults)).toEqual([
      ["#/line_items/0/quantity more_than_left"],
      ["#/line_items/0/quantity more_than_shipped"],
      ["#/line_items/0/quantity more_than_open"],
    ]);
  });

  test("is refunded from each of its payments", async () => {
    const { shop } = shared;
    const placed = await (await orderCounter(shop))();
    const first = await initialize(shop, { order_id: placed.id, amount: 10 });
    await paidAtGateway(shared, first.id);
    const second = await initialize(shop, { order_id: placed.id });
    await paidAtGateway(shared, second.id);

    const made = await shop.post(`/v2/orders/${placed.id}/refunds`, { amount: 6 });

    expect(made.at("/amount")).toBe(6);
    const shares = made.list("/refunds").map((_, at) => made.at(`/refunds/${at}/amount_minor`));
    expect(shares).toEqual([250, 350]);
  });

  test("that is cancelled is refunded unless the request says otherwise", async () => {
    const { shop } = shared;
    const [returned, kept] = [await paidOrder(), await paidOrder()];

    await shop.put(`/v2/orders/${returned.placed.id}/cancel`, { reason: "customer" });
    await shop.put(`/v2/orders/${kept.placed.id}/cancel`, { refund: false });
    await settle(shop);

    const back = await shop.get(`/v2/orders/${returned.placed.id}`);
    const stays = await shop.get(`/v2/orders/${kept.placed.id}`);
    expect([back.at("/payment_status"), stays.at("/payment_status")]).toEqual(["refunded", "paid"]);
    expect((await eventCounts(shop, returned.placed.id))["order.refunded"]).toBe(1);
  });
});
