// Payments at two programs that share one shop: each call to the gateway is made by one of them.

import { expect, test } from "bun:test";

import type { Initiation } from "#payments/port/gateway.ts";
import { auditPayments } from "#payments/reconciliation/audit-payments.ts";
import { auditOrders } from "#sales/history/audit-orders.ts";

import { atOnce, statuses } from "../support/at-once.ts";
import type { TestShop } from "../support/shop.ts";
import {
  endLeases,
  eventCounts,
  initialize,
  notify,
  orderCounter,
  pass,
  settle,
} from "./scripted-shop.ts";
import { openTwoPrograms, paused } from "./two-programs.ts";

const page = {
  kind: "redirect",
  url: "https://pay.example/slow",
  expiresAt: null,
  names: [],
} as const satisfies Initiation;

/** The differences that the audits find. */
async function faults(shop: TestShop): Promise<unknown[]> {
  const { read } = shop.test.database;
  return [
    ...(await Array.fromAsync(auditOrders(read))),
    ...(await Array.fromAsync(auditPayments(read))),
  ];
}

test("an attempt that one program is sending is not sent by the other", async () => {
  await using programs = await openTwoPrograms();
  const { one, other, gateway } = programs;
  const placed = await (await orderCounter(one))();
  const call = paused<Initiation>(page);
  gateway.nextAnswer = call.answer;
  const first = initialize(one, { order_id: placed.id });
  await call.begun;

  const second = await initialize(other, { order_id: placed.id });
  call.end();

  expect([second.status, second.at("/status"), second.id]).toEqual([
    200,
    "pending",
    (await first).id,
  ]);
  expect((await first).at("/authorization_url")).toBe("https://pay.example/slow");
  expect(gateway.initiations).toBe(1);
});

test("an attempt of a stopped program is sent by the other, a minute later", async () => {
  await using programs = await openTwoPrograms();
  const { one, other, gateway, directory } = programs;
  const placed = await (await orderCounter(one))();
  const call = paused<Initiation>(page);
  gateway.nextAnswer = call.answer;
  const lost = initialize(one, { order_id: placed.id });
  await call.begun;
  await endLeases(directory);

  const again = await initialize(other, { order_id: placed.id });
  call.end();

  expect([again.status, again.at("/status"), again.id]).toEqual([
    200,
    "requires_action",
    (await lost).id,
  ]);
  expect(gateway.initiations).toBe(2);
});

test("an attempt whose answer cannot be saved is sent by the other at once", async () => {
  await using programs = await openTwoPrograms();
  const { one, other, gateway } = programs;
  const placed = await (await orderCounter(one))();
  gateway.nextAnswer = async () => ({
    ...page,
    names: [{ kind: "charge", name: "what no column takes: \u0000" }],
  });
  const lost = await initialize(one, { order_id: placed.id });
  gateway.nextAnswer = async () => page;

  const again = await initialize(other, { order_id: placed.id });

  expect([lost.status, again.status, again.at("/status")]).toEqual([500, 200, "requires_action"]);
  expect(gateway.initiations).toBe(2);
});

test("concurrent requests at both programs make one attempt", async () => {
  await using programs = await openTwoPrograms();
  const { one, other, gateway } = programs;
  const placed = await (await orderCounter(one))();

  const answers = await atOnce(8, (index) =>
    initialize(index % 2 === 0 ? one : other, { order_id: placed.id }),
  );

  expect(statuses(answers)).toEqual([200, 200, 200, 200, 200, 200, 200, 201]);
  expect(gateway.initiations).toBe(1);
  expect(await faults(one)).toEqual([]);
});

test("one key at both programs makes one attempt", async () => {
  await using programs = await openTwoPrograms();
  const { one, other, gateway } = programs;
  const body = { amount: 5, currency: "USD" };
  const headers = { "Idempotency-Key": "basket-1" };

  const answers = await atOnce(6, (index) =>
    (index % 2 === 0 ? one : other).post("/v2/payments/initialize", body, {
      headers,
      key: one.key,
    }),
  );

  const refused = answers.filter(({ status }) => status !== 201);
  expect(new Set(refused.map(({ code }) => code))).toEqual(new Set(["idempotency_in_progress"]));
  expect(gateway.initiations).toBe(1);
  expect((await one.get("/v2/payments")).list("/data")).toHaveLength(1);
});

test("a refund that one program sends is not sent by the other", async () => {
  await using programs = await openTwoPrograms();
  const { one, other, gateway } = programs;
  const link = await initialize(one, { amount: 5, currency: "USD" });
  gateway.pay(link.id);
  await pass(one, 15);
  const call = paused<void>(undefined);
  gateway.pause = call.answer;
  const refunding = one.post(`/v2/payments/${link.id}/refunds`, {});
  await call.begun;

  const fired = settle(other);
  await fired;
  call.end();

  expect([(await refunding).status, (await refunding).at("/status")]).toEqual([201, "succeeded"]);
  await settle(other);
  expect(gateway.payouts).toBe(1);
});

test("a refund whose answer cannot be saved is sent by the other at once", async () => {
  await using programs = await openTwoPrograms();
  const { one, other, gateway } = programs;
  const link = await initialize(one, { amount: 5, currency: "USD" });
  gateway.pay(link.id);
  await pass(one, 15);
  gateway.nextRefund = { kind: "succeeded", gatewayRefundId: "what no column takes: \u0000" };
  const lost = await one.post(`/v2/payments/${link.id}/refunds`, {});

  await pass(other, 3_600);

  const payment = await other.get(`/v2/payments/${link.id}`);
  expect([lost.status, payment.at("/status")]).toEqual([500, "refunded"]);
});

test("a payment that is reported to both programs is settled once", async () => {
  await using programs = await openTwoPrograms();
  const { one, other, gateway } = programs;
  const placed = await (await orderCounter(one))();
  const payment = await initialize(one, { order_id: placed.id });
  gateway.pay(payment.id);
  one.clock.advance(16_000);
  other.clock.advance(16_000);

  await Promise.all([
    one.get(`/v2/payments/${payment.id}`),
    other.get(`/v2/payments/${payment.id}`),
    notify(one, gateway, { payment: payment.id, id: "a" }),
    notify(other, gateway, { payment: payment.id, id: "a" }),
    settle(one),
    settle(other),
  ]);
  await Promise.all([settle(one), settle(other)]);

  const emitted = await eventCounts(one, placed.id);
  expect([emitted["payment.succeeded"], emitted["order.paid"]]).toEqual([1, 1]);
  expect(await faults(one)).toEqual([]);
});

test("of two payments of one order at two programs, one is refunded", async () => {
  await using programs = await openTwoPrograms();
  const { one, other, gateway } = programs;
  const placed = await (await orderCounter(one))();
  const first = await initialize(one, { order_id: placed.id });
  const second = await initialize(other, {
    order_id: placed.id,
    method: "mobile_money",
    phone: "+233551234000",
  });
  gateway.pay(first.id);
  gateway.pay(second.id);

  await Promise.all([
    notify(one, gateway, { payment: first.id, id: "a" }).then(() => settle(one)),
    notify(other, gateway, { payment: second.id, id: "b" }).then(() => settle(other)),
  ]);
  await Promise.all([settle(one), settle(other)]);

  const order = await one.get(`/v2/orders/${placed.id}`);
  expect([order.at("/paid_total"), order.at("/refunded_total")]).toEqual([25, 12.5]);
  expect(gateway.payouts).toBe(1);
  expect((await eventCounts(one, placed.id))["order.paid"]).toBe(1);
  expect(await faults(one)).toEqual([]);
});
