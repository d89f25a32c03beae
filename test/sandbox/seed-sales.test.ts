// The three weeks of sales of a seeded test shop: every state, true figures, and nothing left undone.

import { beforeAll, describe, expect, test } from "bun:test";

import { auditAnalytics } from "#analytics/summary/audit-analytics.ts";
import { auditStock } from "#catalog/inventory/audit-stock.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#kernel/time.ts";
import { auditPayments } from "#payments/reconciliation/audit-payments.ts";
import { auditOrders } from "#sales/history/audit-orders.ts";

import { exportedOrders, sumOf } from "../cli/exports/exported-orders.ts";
import { of } from "../sales/orders/counter.ts";
import { shipTo, tax } from "../sales/pricing/priced-shop.ts";
import { mug } from "../support/cast.ts";
import { MORNING_MS, openTestShop, sharedShop, type TestShop } from "../support/shop.ts";

/** Seeded once: these tests read. */
const seeded = sharedShop();
beforeAll(async () => {
  await seeded.post("/v2/test/seed");
});

/** The values of a member in a list, each once, in the order of the alphabet. */
async function valuesOf(shop: TestShop, path: string, member: string): Promise<string[]> {
  const rows = (await shop.get(`${path}?limit=100`)).list("/data");
  return [...new Set(rows.map((row) => String(Object(row)[member])))].toSorted();
}

/** The differences that `duka check` would report. */
function differences({ test: { database } }: TestShop): Promise<unknown[]> {
  return database.readTogether(async (read) => {
    const audits = [auditOrders, auditStock, auditPayments, auditAnalytics];
    return (await Promise.all(audits.map((audit) => Array.fromAsync(audit(read))))).flat();
  });
}

/** When the pending timers are due. */
async function timersOf(shop: TestShop): Promise<number[]> {
  const timers = (await shop.get("/v2/test/timers?limit=100")).list("/data");
  return timers.map((timer) => Date.parse(Object(timer).due_at));
}

/** The orders without ids and times, oldest first. */
async function ordersOf(shop: TestShop): Promise<unknown[]> {
  const rows = (await shop.get("/v2/orders?limit=100")).list("/data");
  return rows
    .map((row) => {
      const { number, status, payment_status, fulfillment_status, total, customer } = Object(row);
      return { number, status, payment_status, fulfillment_status, total, by: customer.email };
    })
    .toReversed();
}

describe("a seeded shop has", () => {
  test("orders in every status that test mode can reach", async () => {
    expect(await valuesOf(seeded, "/v2/orders", "status")).toEqual([
      "cancelled",
      "completed",
      "open",
    ]);
    expect(await valuesOf(seeded, "/v2/orders", "payment_status")).toEqual([
      "paid",
      "partially_paid",
      "partially_refunded",
      "pending",
      "refunded",
      "review",
      "unpaid",
    ]);
    expect(await valuesOf(seeded, "/v2/orders", "fulfillment_status")).toEqual([
      "fulfilled",
      "partially_fulfilled",
      "unfulfilled",
    ]);
  });

  test("orders that customers cancelled and orders that expired", async () => {
    expect(await valuesOf(seeded, "/v2/orders", "cancel_reason")).toEqual([
      "customer",
      "expired",
      "null",
    ]);
  });

  test("carts that were filled, left, recovered and completed", async () => {
    expect(await valuesOf(seeded, "/v2/carts", "status")).toEqual([
      "abandoned",
      "active",
      "checkout",
      "completed",
    ]);
    expect((await seeded.get("/v2/events?event=cart.recovered")).list("/data")).toHaveLength(2);
  });

  test("a payment in review and payments that failed", async () => {
    expect(await valuesOf(seeded, "/v2/payments", "status")).toEqual([
      "failed",
      "partially_refunded",
      "pending",
      "refunded",
      "review",
      "succeeded",
    ]);
  });

  test("a variant that is sold out", async () => {
    const { body } = await seeded.get("/v2/products?sku=BAG-WAX-YEL");

    expect(JSON.stringify(body)).toContain('"available":0');
  });
});

test("the summary of a seeded shop tells discounts, a code among them, and the three taxes of Ghana", async () => {
  const summary = await seeded.get("/v2/analytics/summary");
  const names = (list: string, name: string) =>
    summary.list(`/currencies/0/${list}`).map((row) => String(Object(row)[name]));

  expect(names("discounts", "code").toSorted()).toEqual(["AKWAABA10", "null"]);
  expect(names("taxes", "name").toSorted()).toEqual(["GETFund levy", "NHIL", "VAT"]);
});

test("each column of the file for the accounts adds up to that of the orders, and refunds to what went back", async () => {
  const rows = await exportedOrders(seeded, { mode: "test" });

  const orders = (await seeded.get("/v2/orders?limit=100")).list("/data").map(Object);
  const total = (member: string) => orders.reduce((sum, order) => sum + Number(order[member]), 0);
  const sales = rows.filter(({ row }) => row === "sale");
  const refunds = rows.filter(({ row }) => row === "refund");
  const columns = ["goods", "discount", "shipping", "net", "tax_total", "tax_amount", "total"];
  const further = ["credited", "kept", "written_off", "paid", "refunded"];
  const taxMinor = total("tax_total_minor") + total("included_tax_total_minor");
  expect(taxMinor).toBeGreaterThan(0);
  expect(new Set(sales.map((row) => row["order_number"])).size).toBe(orders.length);
  expect([...columns, ...further].map((column) => [column, sumOf(sales, column)])).toEqual([
    ["goods", total("subtotal_minor")],
    ["discount", total("discount_total_minor")],
    ["shipping", total("shipping_total_minor")],
    ["net", total("total_minor") - taxMinor],
    ["tax_total", taxMinor],
    ["tax_amount", taxMinor],
    ["total", total("total_minor")],
    ["credited", total("credited_total_minor")],
    ["kept", total("kept_total_minor")],
    ["written_off", total("written_off_total_minor")],
    ["paid", total("paid_total_minor")],
    ["refunded", total("refunded_total_minor")],
  ]);
  expect(sumOf(refunds, "total")).toBe(-total("refunded_total_minor"));
  expect(sumOf(refunds, "net") + sumOf(refunds, "tax_amount")).toBe(sumOf(refunds, "total"));
});

test("every order of the seed that ships has a shipping option", async () => {
  const orders = (await seeded.get("/v2/orders?limit=100")).list("/data").map(Object);
  const labels = (isSent: boolean) =>
    orders
      .filter(({ channel }) => (channel !== "pos") === isSent)
      .map(({ shipping }) => String(shipping?.label));

  expect([...new Set(labels(true))].toSorted()).toEqual(["Courier", "Osu shop", "Same-day rider"]);
  expect([...new Set(labels(false))]).toEqual(["undefined"]);
});

test("a shop that ships to Ghana already keeps its rates, and gets those of the seed", async () => {
  await using own = await openTestShop();
  await shipTo(own, ["GH"]);
  await tax(own, "GH", { rates: [{ name: "VAT", rate: 10 }] });

  const answer = await own.post("/v2/test/seed");

  expect(answer.status).toBe(200);
  expect((await own.get("/v2/shipping-zones")).list("/data")).toHaveLength(1);
  expect((await own.get("/v2/shipping-rates")).list("/data")).toHaveLength(3);
  expect((await own.get("/v2/tax-rates")).list("/data")).toHaveLength(1);
  expect(await differences(own)).toEqual([]);
});

test("the events of the seed are in the order of time, over three weeks that end now", async () => {
  const times: number[] = [];
  for (let after = 0; ;) {
    const page = (await seeded.get(`/v2/events?after=${after}&limit=100`)).list("/data");
    times.push(...page.map((event) => Date.parse(Object(event).created_at)));
    if (page.length < 100) break;
    after += 100;
  }

  expect(times).toEqual(times.toSorted((one, other) => one - other));
  expect(times[0]).toBeLessThan(MORNING_MS - 21 * DAY_MS);
  expect(times.at(-1)).toBeGreaterThan(MORNING_MS - 30 * MINUTE_MS);
  expect(times.at(-1)).toBeLessThanOrEqual(MORNING_MS);
});

test("the summary counts the sales of the seed", async () => {
  const paid = await seeded.get("/v2/events?event=order.paid&limit=100");
  const summary = await seeded.get("/v2/analytics/summary");

  expect(summary.at("/currencies/0/orders")).toEqual({
    placed: 71,
    paid: paid.list("/data").length,
    fulfilled: 54,
    cancelled: 2,
    expired: 3,
  });
});

test("no timer of the seed is overdue", async () => {
  const dueAt = await timersOf(seeded);

  expect(dueAt.length).toBeGreaterThan(0);
  expect(Math.min(...dueAt)).toBeGreaterThanOrEqual(MORNING_MS);
});

test("stock, orders, payments and analytics of a seeded shop agree", async () => {
  await seeded.get("/v2/analytics/summary");

  expect(await differences(seeded)).toEqual([]);
});

test("a shop that has sales of its own keeps them, and all of its figures agree", async () => {
  await using own = await openTestShop();
  const order = await own.post("/v2/orders", { line_items: [of(await mug(own))] });

  const answer = await own.post("/v2/test/seed");

  expect(answer.status).toBe(200);
  expect((await own.get(`/v2/orders/${order.id}`)).body).toEqual(order.body);
  const summary = await own.get("/v2/analytics/summary");
  expect(summary.at("/currencies/0/orders/placed")).toBe(72);
  expect(await differences(own)).toEqual([]);
});

test.each([
  ["without minor units", { currency: "JPY" }],
  ["with three digits", { currency: "KWD" }],
  ["whose unpaid orders never expire", { order_expiry_minutes: null }],
  ["whose unpaid orders expire soon", { order_expiry_minutes: 30 }],
])("figures agree and no timer is overdue in a shop %s", async (_, settings) => {
  await using own = await openTestShop();
  await own.put("/v2/store", settings);

  const answer = await own.post("/v2/test/seed");
  await own.get("/v2/analytics/summary");

  expect(answer.status).toBe(200);
  expect(await differences(own)).toEqual([]);
  expect(Math.min(...(await timersOf(own)))).toBeGreaterThan(MORNING_MS);
});

test.each([
  ["after midnight", 10 * MINUTE_MS],
  ["early in the morning", 6 * HOUR_MS - 1],
  ["late in the evening", 23 * HOUR_MS],
])("a shop seeded %s has the same orders", async (_, afterMidnight) => {
  await using own = await openTestShop();
  own.clock.advance(DAY_MS - 8 * HOUR_MS + afterMidnight);

  await own.post("/v2/test/seed");

  expect(await ordersOf(own)).toEqual(await ordersOf(seeded));
});

describe("the gateway knows the payments of the seed:", () => {
  const shop = sharedShop();
  beforeAll(async () => {
    await shop.post("/v2/test/seed");
  });

  test("one that succeeded can be refunded", async () => {
    const paid = await shop.get("/v2/payments?status=succeeded&method=mobile_money&limit=1");

    const refund = await shop.post(`/v2/payments/${paid.string("/data/0/id")}/refunds`, {});

    expect([refund.status, refund.at("/status")]).toEqual([201, "succeeded"]);
  });

  test("one that was refunded cannot be refunded again", async () => {
    const refunded = await shop.get("/v2/payments?status=refunded&limit=1");

    const again = await shop.post(`/v2/payments/${refunded.string("/data/0/id")}/refunds`, {});

    expect(again.status).toBe(409);
  });
});

test("what the seed left open goes on when the clock moves", async () => {
  await using own = await openTestShop();
  await own.post("/v2/test/seed");

  await own.post("/v2/test/clock/advance", { seconds: 2 * 86_400 });

  const carts = await own.get("/v2/carts?status=checkout");
  const expired = (await own.get("/v2/orders?status=cancelled")).list("/data");
  expect(carts.list("/data")).toEqual([]);
  expect(expired.filter((order) => Object(order).cancel_reason === "expired")).toHaveLength(4);
  expect(await differences(own)).toEqual([]);
});

test("a shop that takes cards by hand and no mobile money is seeded, and keeps its ways to pay", async () => {
  await using own = await openTestShop();
  const payment_methods = { card: { by: "hand" }, mobile_money: { enabled: false } };
  const before = await own.put("/v2/store", { payment_methods });

  const answer = await own.post("/v2/test/seed");

  expect(answer.status).toBe(200);
  expect((await own.get("/v2/store")).at("/payment_methods")).toEqual(
    before.at("/payment_methods"),
  );
});
