// Payments that are initialized, settled and refunded concurrently. Invariant: in any order of events
// `order.paid` is emitted once, and no money is refunded twice.

import { describe, expect, test } from "bun:test";

import { auditPayments } from "#payments/reconciliation/audit-payments.ts";
import { auditOrders } from "#sales/history/audit-orders.ts";

import { atOnce, statuses } from "../support/at-once.ts";
import type { TestShop } from "../support/shop.ts";
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
} from "./scripted-shop.ts";

const shared = sharedScriptedShop();

const HOUR_S = 3_600;
const DAY_S = 86_400;
const phone = { method: "mobile_money", phone: "+233551234000" };

/** The differences that the audits find. */
async function faults(shop: TestShop): Promise<unknown[]> {
  const { read } = shop.test.database;
  return [
    ...(await Array.fromAsync(auditOrders(read))),
    ...(await Array.fromAsync(auditPayments(read))),
  ];
}

const paymentsOf = async (shop: TestShop) =>
  (await shop.get("/v2/payments?limit=100")).list("/data").length;

describe("initialized at once", () => {
  test("by one customer, an order has one attempt, and its gateway is called once", async () => {
    const { shop, gateway } = shared;
    const placed = await (await orderCounter(shop))();

    const answers = await atOnce(6, () => initialize(shop, { order_id: placed.id }));

    expect(statuses(answers)).toEqual([200, 200, 200, 200, 200, 201]);
    expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
    expect(gateway.initiations).toBe(1);
    expect((await eventCounts(shop, placed.id))["payment.initialized"]).toBe(1);
    expect(await faults(shop)).toEqual([]);
  });

  test("by several phones, an order has an attempt of each", async () => {
    const { shop, gateway } = shared;
    const placed = await (await orderCounter(shop))();

    const answers = await atOnce(5, (index) =>
      initialize(shop, { order_id: placed.id, ...phone, phone: `+23355123400${index}` }),
    );

    expect(statuses(answers)).toEqual([201, 201, 201, 201, 201]);
    expect(gateway.charges.size).toBe(5);
    expect(await faults(shop)).toEqual([]);
  });

  test("by one reference, a link is one payment", async () => {
    const { shop, gateway } = shared;
    const link = { amount: 5, currency: "USD", reference: "INV-1" };
    const before = await paymentsOf(shop);

    const answers = await atOnce(5, () => initialize(shop, link));

    expect(statuses(answers)).toEqual([200, 200, 200, 200, 201]);
    expect((await paymentsOf(shop)) - before).toBe(1);
    expect(gateway.charges.size).toBe(1);
  });

  test("by one key, a link is one payment", async () => {
    const { shop, gateway } = shared;
    const before = await paymentsOf(shop);
    const refusal = Promise.withResolvers<void>();
    // Else all could come after the first was answered, and have its answer.
    gateway.nextAnswer = async () => {
      await refusal.promise;
      return { kind: "redirect", url: "https://pay.example/key-1", expiresAt: null, names: [] };
    };

    const answers = await atOnce(5, async () => {
      const answer = await initialize(shop, { amount: 5, currency: "USD" }, "key-1");
      if (answer.status !== 201) refusal.resolve();
      return answer;
    });

    const refused = answers.filter(({ status }) => status !== 201);
    expect(new Set(refused.map(({ code }) => code))).toEqual(new Set(["idempotency_in_progress"]));
    expect((await paymentsOf(shop)) - before).toBe(1);
    expect(gateway.charges.size).toBe(1);
  });

  test("while its lines are changed, an order is charged its total", async () => {
    const { shop } = shared;
    const order = await orderCounter(shop);
    const orders = await atOnce(6, () => order());

    const answers = await Promise.all(
      orders.map(async (placed) => {
        const line = { variant_id: placed.string("/line_items/0/variant_id"), quantity: 3 };
        const [answer] = await Promise.all([
          initialize(shop, { order_id: placed.id }),
          shop.put(`/v2/orders/${placed.id}`, { line_items: [line] }),
        ]);
        return answer;
      }),
    );

    const totals = await Promise.all(
      orders.map(async ({ id }) => (await shop.get(`/v2/orders/${id}`)).at("/total")),
    );
    expect(answers.map((answer) => answer.at("/amount"))).toEqual(totals);
    expect(await faults(shop)).toEqual([]);
  });
});

describe("paid", () => {
  test("twice at the same moment, an order keeps what is due and refunds the rest", async () => {
    const scripted = await openScriptedShop();
    await using shop = scripted.shop;
    const placed = await (await orderCounter(shop))();
    const page = await initialize(shop, { order_id: placed.id });
    const push = await initialize(shop, { order_id: placed.id, ...phone });
    scripted.gateway.pay(page.id);
    scripted.gateway.pay(push.id);
    shop.clock.advance(11_000);

    await Promise.all([
      shop.get(`/v2/payments/${page.id}`),
      shop.get(`/v2/payments/${push.id}`),
      notify(shop, scripted.gateway, { payment: page.id, id: "a" }),
      notify(shop, scripted.gateway, { payment: push.id, id: "b" }),
      settle(shop),
    ]);
    await pass(shop, 60);

    const order = await shop.get(`/v2/orders/${placed.id}`);
    expect([order.at("/paid_total"), order.at("/refunded_total")]).toEqual([25, 12.5]);
    expect(scripted.gateway.refunds.size).toBe(1);
    expect((await eventCounts(shop, placed.id))["order.paid"]).toBe(1);
    expect(await faults(shop)).toEqual([]);
  });

  test("and cancelled at the same moment, an order is refunded in full, once", async () => {
    const scripted = await openScriptedShop();
    await using shop = scripted.shop;
    const order = await orderCounter(shop);
    const orders = await atOnce(5, () => order());
    const payments = await Promise.all(orders.map(({ id }) => initialize(shop, { order_id: id })));
    payments.forEach(({ id }) => scripted.gateway.pay(id));
    shop.clock.advance(11_000);

    await Promise.all([
      ...payments.map(({ id }) => shop.get(`/v2/payments/${id}`)),
      ...orders.map(({ id }) => shop.put(`/v2/orders/${id}/cancel`)),
    ]);
    await pass(shop, 600);

    const after = await Promise.all(orders.map(({ id }) => shop.get(`/v2/orders/${id}`)));
    expect(after.map((one) => [one.at("/status"), one.at("/payment_status")])).toEqual(
      orders.map(() => ["cancelled", "refunded"]),
    );
    expect(scripted.gateway.refunds.size).toBe(5);
    expect(await faults(shop)).toEqual([]);
  });

  test("at the moment it expires, an order is paid, or cancelled and refunded", async () => {
    const scripted = await openScriptedShop();
    await using shop = scripted.shop;
    const order = await orderCounter(shop);
    const orders = await atOnce(4, () => order());
    const payments = await Promise.all(orders.map(({ id }) => initialize(shop, { order_id: id })));
    await pass(shop, DAY_S - 1);
    payments.forEach(({ id }) => scripted.gateway.pay(id));
    shop.clock.advance(1_000);

    await Promise.all([
      settle(shop),
      ...payments.map(({ id }, index) =>
        notify(shop, scripted.gateway, { payment: id, id: `${index}` }),
      ),
    ]);
    await pass(shop, DAY_S);

    const after = await Promise.all(orders.map(({ id }) => shop.get(`/v2/orders/${id}`)));
    const ends = new Set(
      after.map((one) => `${one.string("/status")} ${one.string("/payment_status")}`),
    );
    expect([...ends].filter((end) => end !== "open paid" && end !== "cancelled refunded")).toEqual(
      [],
    );
    expect(await faults(shop)).toEqual([]);
  });

  test("at the moment it counts as abandoned, an order is paid, and its timers are cleared", async () => {
    const scripted = await openScriptedShop();
    await using shop = scripted.shop;
    const order = await orderCounter(shop);
    const orders = await atOnce(4, () => order());
    const payments = await Promise.all(orders.map(({ id }) => initialize(shop, { order_id: id })));
    await pass(shop, HOUR_S - 1);
    payments.forEach(({ id }) => scripted.gateway.pay(id));
    shop.clock.advance(1_000);

    await Promise.all([settle(shop), ...payments.map(({ id }) => shop.get(`/v2/payments/${id}`))]);
    await pass(shop, DAY_S);

    const after = await Promise.all(orders.map(({ id }) => shop.get(`/v2/orders/${id}`)));
    expect(after.map((one) => one.at("/payment_status"))).toEqual(orders.map(() => "paid"));
    expect((await shop.get("/v2/test/timers")).text).not.toContain("_order");
    expect(await faults(shop)).toEqual([]);
  });

  test("in cash that is confirmed several times at once, an order is paid once", async () => {
    const { shop } = shared;
    const placed = await (await orderCounter(shop))({ payment_method: "cash_on_delivery" });
    const cash = await initialize(shop, { order_id: placed.id });
    const counted = { amount: "12.50", currency: "USD" };

    const answers = await atOnce(5, () => shop.post(`/v2/payments/${cash.id}/confirm`, counted));

    expect(statuses(answers)).toEqual([200, 200, 200, 200, 200]);
    expect((await eventCounts(shop, placed.id))["order.paid"]).toBe(1);
    expect((await shop.get(`/v2/orders/${placed.id}`)).at("/paid_total")).toBe(12.5);
  });
});

describe("refunded", () => {
  test("by the order and by the payment at once, money never exceeds what was received", async () => {
    const { shop, gateway } = shared;
    const placed = await (await orderCounter(shop))();
    const payment = await initialize(shop, { order_id: placed.id });
    await paidAtGateway(shared, payment.id);

    const answers = await atOnce(12, (index) =>
      shop.post(
        index % 2 === 0 ? `/v2/payments/${payment.id}/refunds` : `/v2/orders/${placed.id}/refunds`,
        { amount: 2 },
      ),
    );

    const made = answers.filter(({ status }) => status === 201);
    expect([made.length, answers.length - made.length]).toEqual([6, 6]);
    const sent = [...gateway.refunds.values()].map(({ amountMinor }) => amountMinor);
    expect(sent.reduce((sum, amountMinor) => sum + amountMinor, 0)).toBe(1200);
    expect((await eventCounts(shop, placed.id))["order.refunded"]).toBe(6);
    expect(await faults(shop)).toEqual([]);
  });

  test("in full several times at once, a payment is refunded once", async () => {
    const { shop, gateway } = shared;
    const link = await initialize(shop, { amount: 5, currency: "USD" });
    await paidAtGateway(shared, link.id);

    const answers = await atOnce(5, () => shop.post(`/v2/payments/${link.id}/refunds`, {}));

    expect(statuses(answers)).toEqual([201, 409, 409, 409, 409]);
    expect(gateway.refunds.size).toBe(1);
    expect(await faults(shop)).toEqual([]);
  });

  test("while the order is cancelled, all of it is refunded, once", async () => {
    const { shop, gateway } = shared;
    const placed = await (await orderCounter(shop))();
    const payment = await initialize(shop, { order_id: placed.id });
    await paidAtGateway(shared, payment.id);

    await Promise.all([
      shop.post(`/v2/orders/${placed.id}/refunds`, { amount: 5 }),
      shop.put(`/v2/orders/${placed.id}/cancel`),
      settle(shop),
    ]);
    await settle(shop);

    const order = await shop.get(`/v2/orders/${placed.id}`);
    expect([order.at("/payment_status"), order.at("/refunded_total")]).toEqual(["refunded", 12.5]);
    const sent = [...gateway.refunds.values()].map(({ amountMinor }) => amountMinor);
    expect(sent.reduce((sum, amountMinor) => sum + amountMinor, 0)).toBe(1250);
    expect(await faults(shop)).toEqual([]);
  });
});
