// What came in on a day, by method and by who took it.

import { describe, expect, test } from "bun:test";

import { requireBooked } from "#books/books-shop.ts";
import { booksProjection } from "#books/project-bookings.ts";
import { Refusal } from "#kernel/refusal.ts";
import { CatchUp, type CaughtUp } from "#platform/event-log/catch-up.ts";

import { errorOf } from "../support/database.ts";
import { MORNING_MS, openTestShop, sharedShop, type TestShop } from "../support/shop.ts";
import { openStripeShop, payByCard } from "../vendors/stripe/stripe-shop.ts";

const shared = sharedShop();

const DAY_MS = 24 * 3_600_000;
const HOUR_MS = 3_600_000;

interface CountedPayment {
  readonly method: string;
  readonly currency: string;
  readonly captured_total_minor: number;
  readonly succeeded_at: string | null;
  readonly refunds: readonly {
    readonly order_id: string | null;
    readonly amount_minor: number;
    readonly succeeded_at: string | null;
    readonly closed_at: string | null;
  }[];
}

/** Every payment of the shop, by the list of payments. */
async function allPayments(shop: TestShop): Promise<CountedPayment[]> {
  const found: CountedPayment[] = [];
  let cursor = "";
  for (let hasMore = true; hasMore;) {
    const page = await shop.get(`/v2/payments?limit=100${cursor}`);
    found.push(...Object(page.body).data);
    hasMore = page.at("/has_more") === true;
    cursor = `&cursor=${String(page.at("/next_cursor"))}`;
  }
  return found;
}

/** The sums of a day in UTC, counted from the list of payments, by currency and method. */
function counted(payments: readonly CountedPayment[], day: string): Record<string, number[]> {
  const sums: Record<string, number[]> = {};
  const isOfDay = (at: string | null) => at?.startsWith(day) === true;
  const add = ({ currency, method }: CountedPayment, sum: readonly number[]) => {
    const key = `${currency} ${method}`;
    sums[key] = (sums[key] ?? [0, 0, 0, 0]).map((one, index) => one + (sum[index] ?? 0));
  };
  for (const payment of payments.filter((one) => one.captured_total_minor > 0)) {
    if (isOfDay(payment.succeeded_at)) add(payment, [1, payment.captured_total_minor, 0, 0]);
    for (const refund of payment.refunds.filter(({ order_id: of }) => of !== null)) {
      if (isOfDay(refund.succeeded_at ?? refund.closed_at))
        add(payment, [0, 0, 1, refund.amount_minor]);
    }
  }
  return sums;
}

/** The same as the cash-up answers it. */
async function answered(shop: TestShop, day: string): Promise<Record<string, number[]>> {
  const { body, status } = await shop.get(`/v2/cash-up?day=${day}`);
  expect(status).toBe(200);
  const sums: Record<string, number[]> = {};
  for (const { currency, by_method: methods } of Object(body).currencies) {
    for (const one of methods) {
      const { method, payments, received_minor: received, refunds, refunded_minor: back } = one;
      sums[`${currency} ${method}`] = [payments, received, refunds, back];
    }
  }
  return sums;
}

/** Sells at the counter for an amount with a key. */
async function sell(shop: TestShop, amount: string, { method = "cash", key = shop.key } = {}) {
  const sold = await shop.post(
    "/v2/orders",
    {
      line_items: [{ name: "Mug", unit_price: amount, quantity: 1 }],
      channel: "pos",
      paid: { method },
      fulfilled: true,
    },
    { key },
  );
  expect(sold.status).toBe(201);
  return sold;
}

/** Corrects the only payment of an order. */
async function correct(shop: TestShop, orderId: string, amount: string): Promise<void> {
  const payment = (await shop.get(`/v2/payments?order_id=${orderId}`)).string("/data/0/id");
  const corrected = await shop.post(`/v2/payments/${payment}/correct`, { amount });
  expect(corrected.status).toBe(200);
}

test("each of three weeks of sales equals a count of its payments and refunds", async () => {
  await using shop = await openTestShop();
  await shop.post("/v2/test/seed", {});
  const payments = await allPayments(shop);

  let moves = 0;
  for (let ago = 0; ago < 22; ago += 1) {
    const day = new Date(MORNING_MS - ago * DAY_MS).toISOString().slice(0, 10);
    const expected = counted(payments, day);
    moves += Object.values(expected).length;
    expect(await answered(shop, day)).toEqual(expected);
  }
  expect(moves).toBeGreaterThan(20);
});

describe("a day", () => {
  test("has the sums of each method and of all, and what each person took by hand", async () => {
    await using shop = await openTestShop();
    const till = await shop.createKey({ name: "Till" });
    await sell(shop, "10.00");
    await sell(shop, "5.00", { key: till });
    await sell(shop, "7.50", { key: till });
    const returned = await sell(shop, "2.00", { method: "bank_transfer", key: till });
    await shop.post(`/v2/orders/${returned.id}/refunds`, { amount: "0.50" });

    const { body } = await shop.get("/v2/cash-up");

    const [block] = Object(body).currencies;
    expect(body).toMatchObject({ day: "2026-01-05", from: "2026-01-05T00:00:00.000Z" });
    expect(block).toMatchObject({ payments: 4, received: 24.5, refunded: 0.5, net: 24 });
    expect(block.by_method).toMatchObject([
      { method: "cash", payments: 3, received: 22.5, refunds: 0, net: 22.5 },
      { method: "bank_transfer", payments: 1, received: 2, refunds: 1, refunded: 0.5, net: 1.5 },
    ]);
    expect(
      block.by_hand.map((one: { method: string; actor: { name: string }; net: number }) => [
        one.actor.name,
        one.method,
        one.net,
      ]),
    ).toEqual([
      ["Till", "cash", 12.5],
      [expect.any(String), "cash", 10],
      ["Till", "bank_transfer", 2],
      [expect.any(String), "bank_transfer", -0.5],
    ]);
  });

  test("counts a refund that the bank sent back, and that was sent again", async () => {
    await using opened = await openStripeShop();
    const { shop, face } = opened;
    const { id } = await payByCard(opened, (await opened.order()).id);
    const refund = await shop.post(`/v2/payments/${id}/refunds`, { amount: 5 });
    for (const { id: sent } of face.account.refunds.all()) face.dashboard.failRefund(sent);
    await opened.told();

    await shop.post(`/v2/refunds/${refund.id}/retry`);

    expect((await shop.get("/v2/cash-up")).at("/currencies/0")).toMatchObject({
      received: 12.5,
      refunded: 5,
      net: 7.5,
    });
  });

  test("has what corrections took off beside what was received", async () => {
    await using shop = await openTestShop();
    const sold = await sell(shop, "10.00");

    await correct(shop, sold.id, "8.00");

    const sums = { payments: 1, received: 10, corrected: -2, corrected_minor: -200, net: 8 };
    const { body } = await shop.get("/v2/cash-up");
    expect(Object(body).currencies).toMatchObject([
      { ...sums, by_method: [{ method: "cash", ...sums }], by_hand: [{ method: "cash", ...sums }] },
    ]);
  });

  test("that is over stays as it was when one of its payments is corrected", async () => {
    await using shop = await openTestShop();
    const sold = await sell(shop, "10.00");
    shop.clock.advance(DAY_MS);

    await correct(shop, sold.id, "12.50");

    expect(await answered(shop, "2026-01-05")).toEqual({ "USD cash": [1, 1_000, 0, 0] });
    expect((await shop.get("/v2/cash-up")).at("/currencies/0")).toMatchObject({
      payments: 0,
      received: 0,
      corrected: 2.5,
      net: 2.5,
    });
  });

  test("has the money that came on it, and was recorded later", async () => {
    await using shop = await openTestShop();
    const order = await shop.post("/v2/orders", {
      line_items: [{ name: "Mug", unit_price: "10.00", quantity: 1 }],
    });
    shop.clock.advance(DAY_MS);

    await shop.post(`/v2/orders/${order.id}/payments`, {
      method: "bank_transfer",
      amount: 10,
      received_on: "2026-01-05",
    });

    expect(await answered(shop, "2026-01-05")).toEqual({ "USD bank_transfer": [1, 1_000, 0, 0] });
    expect(await answered(shop, "2026-01-06")).toEqual({});
  });

  test("has a card's refund that was handed over as a transfer of who handed it over", async () => {
    await using opened = await openStripeShop();
    const { shop } = opened;
    const till = await shop.createKey({ name: "Till" });
    const { id: orderId } = await opened.order();
    const paid = await payByCard(opened, orderId, "pm_test_refundNeedsAttention");
    const { id } = await shop.post(`/v2/payments/${paid.id}/refunds`, {});

    await shop.post(`/v2/refunds/${id}/close`, { note: "By transfer" }, { key: till });

    expect((await shop.get("/v2/cash-up")).at("/currencies/0")).toMatchObject({
      by_method: [
        { method: "card", received: 12.5, refunds: 0, net: 12.5 },
        { method: "bank_transfer", payments: 0, refunds: 1, refunded: 12.5, net: -12.5 },
      ],
      by_hand: [{ method: "bank_transfer", actor: { name: "Till" }, refunded: 12.5 }],
    });
  });

  test("is not answered before all of its events are booked", async () => {
    await using shop = await openTestShop();
    await sell(shop, "10.00");
    const booksCatchUp = new (class extends CatchUp {
      override async run(): Promise<CaughtUp> {
        return { ...(await super.run(0)), behind: 3 };
      }
    })(shop.test.database, async () => booksProjection);

    const refused = await errorOf(requireBooked({ ...shop.test, booksCatchUp }));

    if (!(refused instanceof Refusal)) throw new Error("Nothing was refused.");
    expect(refused.definition.code).toBe("analytics_behind");
    expect(refused.details.headers).toEqual({ "Retry-After": "2" });
    expect(refused.message).toStartWith("3 events are not counted yet.");
  });

  test("is one of the shop's time zone", async () => {
    await using shop = await openTestShop();
    await shop.put("/v2/store", { timezone: "Pacific/Auckland" });
    await sell(shop, "10.00");
    shop.clock.advance(5 * HOUR_MS);
    await sell(shop, "20.00");

    const here = await shop.get("/v2/cash-up");

    expect(here.body).toMatchObject({ day: "2026-01-06", from: "2026-01-05T11:00:00.000Z" });
    expect(await answered(shop, "2026-01-05")).toEqual({ "USD cash": [1, 1_000, 0, 0] });
    expect(await answered(shop, "2026-01-06")).toEqual({ "USD cash": [1, 2_000, 0, 0] });
  });

  test("without money has no sums", async () => {
    expect((await shared.get("/v2/cash-up?day=0001-01-01")).list("/currencies")).toEqual([]);
    expect((await shared.get("/v2/cash-up?day=9999-12-31")).list("/currencies")).toEqual([]);
  });

  test("that is none is refused", async () => {
    expect((await shared.get("/v2/cash-up?day=2026-02-31")).code).toBe("query_invalid");
  });
});
