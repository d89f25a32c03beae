// Money that came past the gateways is recorded on its order, whatever became of the order since.

import { describe, expect, test } from "bun:test";

import { fulfill, reread } from "../../sales/orders/counter.ts";
import type { Answered } from "../../support/shop.ts";
import { auditsOf } from "../refund-counter.ts";
import {
  eventCounts,
  initialize,
  openScriptedShop,
  orderCounter,
  paidAtGateway,
  pass,
  settle,
  sharedScriptedShop,
} from "../scripted-shop.ts";

const shared = sharedScriptedShop();
const { shop } = shared;

const DAY_S = 86_400;

/** An order of two mugs, 25.00 together, that is paid by transfer. */
async function twoMugs(): Promise<Answered> {
  return (await orderCounter(shop))({ payment_method: "bank_transfer" }, 2);
}

function record({ id }: Answered, amount: number, body: object = {}): Promise<Answered> {
  return shop.post(`/v2/orders/${id}/payments`, { method: "bank_transfer", amount, ...body });
}

/** The money of the order, and that it adds up. */
async function moneyOf(order: Answered): Promise<unknown[]> {
  const now = await reread(shop, order);
  expect(await auditsOf(shop)).toEqual([]);
  return ["/status", "/payment_status", "/paid_total", "/due"].map((at) => now.at(at));
}

describe("money by hand", () => {
  test("that comes in parts pays an order that was not paid, and it is sold once", async () => {
    const order = await twoMugs();

    const first = await record(order, 10);
    expect(first.status).toBe(201);
    expect(first.body).toMatchObject({ status: "succeeded", gateway: null, captured_total: 10 });
    expect(await moneyOf(order)).toEqual(["open", "partially_paid", 10, 15]);

    await record(order, 15, { method: "cash" });
    expect(await moneyOf(order)).toEqual(["open", "paid", 25, 0]);
    expect(await eventCounts(shop, order.id)).toMatchObject({
      "payment.initialized": 2,
      "payment.succeeded": 2,
      "order.paid": 1,
    });
  });

  test("that is more than an order costs shows it as overpaid", async () => {
    const order = await twoMugs();
    await record(order, 25);

    await record(order, 5);

    expect(await moneyOf(order)).toEqual(["open", "overpaid", 30, 0]);
    const refunds = await shop.get(`/v2/refunds?order_id=${order.id}`);
    expect(refunds.list("/data")).toEqual([]);
  });

  test("of a cancelled order waits to be handed back", async () => {
    const order = await twoMugs();
    await shop.post(`/v2/orders/${order.id}/cancel`);

    const payment = await record(order, 25);

    expect(payment.at("/status")).toBe("succeeded");
    const refunds = await shop.get(`/v2/refunds?order_id=${order.id}`);
    expect(refunds.list("/data")).toMatchObject([
      { status: "needs_attention", attention: "by_hand", amount: 25, reason: "order_cancelled" },
    ]);
    await shop.post(`/v2/refunds/${refunds.string("/data/0/id")}/close`);
    expect(await moneyOf(order)).toEqual(["cancelled", "refunded", 25, 0]);
    expect((await eventCounts(shop, order.id))["order.paid"]).toBeUndefined();
  });

  test("of an order that expired waits to be handed back", async () => {
    await using scripted = await openScriptedShop();
    const order = await (await orderCounter(scripted.shop))({ payment_method: "bank_transfer" });
    await pass(scripted.shop, 4 * DAY_S);
    const expired = await reread(scripted.shop, order);
    expect([expired.at("/status"), expired.at("/cancel_reason")]).toEqual(["cancelled", "expired"]);

    const body = { method: "bank_transfer", amount: 12.5 };
    await scripted.shop.post(`/v2/orders/${order.id}/payments`, body);

    const refunds = await scripted.shop.get(`/v2/refunds?order_id=${order.id}`);
    expect(refunds.list("/data")).toMatchObject([{ attention: "by_hand", amount: 12.5 }]);
    expect(await auditsOf(scripted.shop)).toEqual([]);
  });

  test("takes back what was written off before anything is overpaid", async () => {
    const order = await twoMugs();
    await record(order, 20);
    await shop.post(`/v2/orders/${order.id}/write-off`, { amount: 5 });

    await record(order, 3);
    expect((await reread(shop, order)).at("/written_off_total")).toBe(2);
    expect(await moneyOf(order)).toEqual(["open", "paid", 23, 0]);

    await record(order, 3);
    expect((await reread(shop, order)).at("/written_off_total")).toBe(0);
    expect(await moneyOf(order)).toEqual(["open", "overpaid", 26, 0]);
    expect((await eventCounts(shop, order.id))["order.paid"]).toBe(1);
  });

  test("completes an order that was sent before it was paid, and is overpaid after that", async () => {
    const order = await twoMugs();
    await fulfill(shop, order);

    await record(order, 25);
    expect(await moneyOf(order)).toEqual(["completed", "paid", 25, 0]);

    await record(order, 1);
    expect(await moneyOf(order)).toEqual(["completed", "overpaid", 26, 0]);
  });

  test("of an order whose goods came back is overpaid", async () => {
    const order = await twoMugs();
    await record(order, 25);
    await fulfill(shop, order);
    const line_items = [{ line_item_id: order.string("/line_items/0/id"), quantity: 2 }];
    await shop.post(
      `/v2/orders/${order.id}/returns`,
      { line_items },
      { headers: { "Idempotency-Key": order.id } },
    );

    await record(order, 4);

    expect(await moneyOf(order)).toEqual(["completed", "overpaid", 29, 0]);
  });

  test("pays the rest beside a payment at a gateway, and closes what asks for more than is due", async () => {
    const order = await twoMugs();
    const part = await initialize(shop, { order_id: order.id, method: "card", amount: 10 });
    await paidAtGateway(shared, part.id);
    const open = await initialize(shop, { order_id: order.id, method: "card" });

    await record(order, 15);
    await settle(shop);

    expect(await moneyOf(order)).toEqual(["open", "paid", 25, 0]);
    expect((await shop.get(`/v2/payments/${open.id}`)).at("/status")).toBe("cancelled");
  });

  test("is recorded once by a request that was sent twice", async () => {
    const order = await twoMugs();
    const headers = { "Idempotency-Key": `twice-${order.id}` };
    const body = { method: "cash", amount: 10 };

    const sent = [1, 2].map(() => shop.post(`/v2/orders/${order.id}/payments`, body, { headers }));
    const [one, other] = await Promise.all(sent);

    expect(one?.id).toBe(String(other?.id));
    expect(await moneyOf(order)).toEqual(["open", "partially_paid", 10, 15]);
  });

  test("tells on which day it came, its name at the bank and a note", async () => {
    const order = await twoMugs();
    const told = { received_on: "2000-01-01", transaction_reference: "FT-0815", note: "By Kofi" };
    const timezone = (await shop.get("/v2/store")).string("/timezone");
    const now = Date.parse((await shop.get("/v2/test/clock")).string("/now"));
    const days = [-367, -366, 0, 1].map((daysLater) =>
      Temporal.Instant.fromEpochMilliseconds(now)
        .toZonedDateTimeISO(timezone)
        .toPlainDate()
        .add({ days: daysLater })
        .toString(),
    );

    const [tooOld, first, today, tomorrow] = await Promise.all(
      days.map((received_on) => record(order, 1, { ...told, received_on, seen: true })),
    );

    expect(first?.body).toMatchObject({ ...told, received_on: days[1] });
    expect(today?.at("/received_on")).toBe(days[2] ?? "");
    for (const refused of [tooOld, tomorrow]) {
      expect(refused?.faults).toEqual(["#/received_on date_invalid"]);
    }
    expect(await moneyOf(order)).toEqual(["open", "partially_paid", 2, 23]);
  });

  test("of nothing, on no day and of a card number is refused, with all that is wrong", async () => {
    const order = await twoMugs();

    const unread = await record(order, 10, {
      received_on: "2026-02-30",
      transaction_reference: "4242 4242 4242 4242",
    });
    const refused = await record(order, 0, { received_on: "1999-01-01" });
    const unknown = await shop.post("/v2/orders/ord_none/payments", { method: "cash", amount: 1 });

    expect([unread.status, unread.faults.length]).toEqual([422, 2]);
    expect(refused.faults).toEqual(["#/amount amount_too_small", "#/received_on date_invalid"]);
    expect([unknown.status, unknown.code]).toEqual([404, "order_not_found"]);
    expect(await moneyOf(order)).toEqual(["open", "unpaid", 0, 25]);
  });

  test("is recorded by who may write payments", async () => {
    const order = await twoMugs();
    const key = await shop.createKey({ scopes: ["orders:write", "payments:read"] });

    const body = { method: "cash", amount: 1 };
    const refused = await shop.post(`/v2/orders/${order.id}/payments`, body, { key });

    expect([refused.status, refused.code]).toEqual([403, "scope_missing"]);
  });
});

describe("a payment by hand that is confirmed", () => {
  test("may have come on another day", async () => {
    const order = await twoMugs();
    const payment = await initialize(shop, { order_id: order.id, method: "bank_transfer" });
    const confirm = (received_on: string) =>
      shop.post(`/v2/payments/${payment.id}/confirm`, { amount: 25, received_on });
    const today = (await shop.get("/v2/test/clock")).string("/now").slice(0, 10);

    const refused = await confirm("1999-01-01");
    const confirmed = await confirm(today);

    expect(refused.faults).toEqual(["#/received_on date_invalid"]);
    expect([confirmed.at("/status"), confirmed.at("/received_on")]).toEqual(["succeeded", today]);
  });
});
