// Deposits: a part of an order is paid first, the merchant starts to make it, and the rest is paid later.

import { describe, expect, test } from "bun:test";

import { cancel, fulfill, reread } from "../../sales/orders/counter.ts";
import type { Answered } from "../../support/shop.ts";
import { auditsOf, refundsSent } from "../refund-counter.ts";
import {
  eventCounts,
  initialize,
  openScriptedShop,
  orderCounter,
  paidAtGateway,
  pass,
  type ScriptedShop,
  settle,
  sharedScriptedShop,
} from "../scripted-shop.ts";

const shared = sharedScriptedShop();

const DAY_S = 86_400;

/** Has the shop ask for 30 percent first, and places an order of 25.00 in it. */
async function tableOrder(scripted: ScriptedShop, terms: Readonly<Record<string, unknown>> = {}) {
  await scripted.shop.put("/v2/store", { deposit_percent: 30 });
  const placed = await (await orderCounter(scripted.shop))(terms, 2);
  return { ...scripted, placed };
}

type Sale = Awaited<ReturnType<typeof tableOrder>>;

/** Pays what the request asks for, and lets the gateway's notice arrive. */
async function pay(sale: Sale, body: object): Promise<Answered> {
  const payment = await initialize(sale.shop, { order_id: sale.placed.id, ...body });
  await paidAtGateway(sale, payment.id);
  return payment;
}

describe("an order of a shop that takes deposits", () => {
  test("tells the deposit beside what is due", async () => {
    const sale = await tableOrder(shared);

    expect(sale.placed.body).toMatchObject({
      due: 25,
      deposit_due: 7.5,
      deposit_due_minor: 750,
    });
  });

  test("is paid its deposit first and the rest after it was shipped", async () => {
    const sale = await tableOrder(await openScriptedShop());
    await using shop = sale.shop;

    const deposit = await pay(sale, { deposit: true });
    const kept = await reread(shop, sale.placed);
    await pass(shop, 30 * DAY_S);
    await fulfill(shop, sale.placed);
    const rest = await pay(sale, {});

    expect([deposit.at("/amount"), rest.at("/amount")]).toEqual([7.5, 17.5]);
    expect(kept.body).toMatchObject({
      payment_status: "partially_paid",
      due: 17.5,
      deposit_due: 0,
      expires_at: null,
    });
    expect((await reread(shop, sale.placed)).body).toMatchObject({
      status: "completed",
      payment_status: "paid",
    });
    expect((await eventCounts(shop, sale.placed.id))["order.paid"]).toBe(1);
    expect(await auditsOf(shop)).toEqual([]);
  });

  test("is paid the part that is missing to the deposit after another one", async () => {
    const sale = await tableOrder(shared);
    const { shop } = sale;
    await pay(sale, { amount: 5 });

    const rest = await initialize(shop, { order_id: sale.placed.id, deposit: true });

    expect([rest.status, rest.at("/amount")]).toEqual([201, 2.5]);
  });

  test("expires with less than its deposit, and the money goes back", async () => {
    const sale = await tableOrder(await openScriptedShop());
    await using shop = sale.shop;
    await pay(sale, { amount: 7.49 });

    await pass(shop, 2 * DAY_S);

    expect((await reread(shop, sale.placed)).body).toMatchObject({
      status: "cancelled",
      cancel_reason: "expired",
      payment_status: "refunded",
    });
    expect(refundsSent(sale.gateway)).toEqual([749]);
    expect(await auditsOf(shop)).toEqual([]);
  });

  test("is kept once a write-off leaves no more owed than its deposit covers", async () => {
    const sale = await tableOrder(shared);
    const { shop } = sale;
    await pay(sale, { amount: 6 });

    await shop.post(`/v2/orders/${sale.placed.id}/write-off`, { amount: 5 });

    const order = await reread(shop, sale.placed);
    expect([order.at("/deposit_due"), order.at("/expires_at")]).toEqual([0, null]);
  });

  test("gives its deposit back when the merchant cancels it", async () => {
    const sale = await tableOrder(shared);
    const { shop } = sale;
    await pay(sale, { deposit: true });

    await cancel(shop, sale.placed);
    await settle(shop);

    expect(refundsSent(sale.gateway)).toEqual([750]);
  });

  test("leaves its deposit with the merchant when it is cancelled so", async () => {
    const sale = await tableOrder(await openScriptedShop());
    await using shop = sale.shop;
    await pay(sale, { deposit: true });

    await cancel(shop, sale.placed, { refund: false });
    await pass(shop, DAY_S);

    expect(refundsSent(sale.gateway)).toEqual([]);
    expect((await reread(shop, sale.placed)).at("/kept_total")).toBe(7.5);
  });

  test("keeps the share that it was placed with", async () => {
    const sale = await tableOrder(await openScriptedShop());
    await using shop = sale.shop;

    await shop.put("/v2/store", { deposit_percent: 50 });

    expect((await reread(shop, sale.placed)).at("/deposit_due")).toBe(7.5);
  });

  test("that comes from a cart has the deposit too", async () => {
    const sale = await tableOrder(shared);
    const { shop } = sale;
    const line_items = [{ variant_id: sale.placed.at("/line_items/0/variant_id"), quantity: 4 }];
    const cart = await shop.post("/v2/carts", { line_items });

    const placed = await shop.post(`/v2/carts/${cart.id}/complete`, {});

    expect([placed.at("/due"), placed.at("/deposit_due")]).toEqual([50, 15]);
  });

  test("has its deposit taken by hand, and is kept", async () => {
    const sale = await tableOrder(await openScriptedShop(), { payment_method: "bank_transfer" });
    await using shop = sale.shop;
    const deposit = await initialize(shop, { order_id: sale.placed.id, deposit: true });

    await shop.post(`/v2/payments/${deposit.id}/confirm`, { amount: 7.5 });
    await pass(shop, 30 * DAY_S);

    expect((await reread(shop, sale.placed)).body).toMatchObject({
      status: "open",
      payment_status: "partially_paid",
      due: 17.5,
    });
  });

  test("is answered the same deposit under its reference, open and paid", async () => {
    const sale = await tableOrder(shared);
    const { shop } = sale;
    const body = { deposit: true, reference: "table-1" };

    const open = await initialize(shop, { order_id: sale.placed.id, ...body });
    const paid = await pay(sale, body);
    const again = await initialize(shop, { order_id: sale.placed.id, ...body });

    expect([paid.id, again.id, again.at("/status")]).toEqual([open.id, open.id, "succeeded"]);
  });

  test("is paid one deposit when two requests ask for it at once", async () => {
    const sale = await tableOrder(shared);
    const { shop } = sale;
    const body = { order_id: sale.placed.id, deposit: true };

    const both = await Promise.all([initialize(shop, body), initialize(shop, body)]);

    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 201]);
    expect(new Set(both.map(({ id }) => id)).size).toBe(1);
  });
});

describe("in a shop that asks for all", () => {
  test("the deposit is all that is due", async () => {
    const { shop } = await openScriptedShop();
    await using _ = shop;
    const placed = await (await orderCounter(shop))();

    const payment = await initialize(shop, { order_id: placed.id, deposit: true });

    expect([placed.at("/deposit_due"), payment.at("/amount")]).toEqual([12.5, 12.5]);
  });
});

describe("a storefront", () => {
  /** An order of 25.00 with a deposit of 7.50, and a key that is public in a web page. */
  async function storefront() {
    const sale = await tableOrder(shared);
    const key = await sale.shop.createKey({ scopes: ["storefront"] });
    const ask = (body: object) =>
      sale.shop.post("/v2/payments/initialize", { order_id: sale.placed.id, ...body }, { key });
    return { ...sale, ask };
  }

  test.each([
    [{ deposit: true }, 7.5],
    [{ amount: "7.50" }, 7.5],
    [{ amount: 25 }, 25],
    [{}, 25],
  ])("may ask for %j", async (body, amount) => {
    const { ask } = await storefront();

    const payment = await ask(body);

    expect([payment.status, payment.at("/amount")]).toEqual([201, amount]);
  });

  test.each([[7.49], [7.51], [24.99]])(
    "may not ask for another part, such as %p",
    async (amount) => {
      const { ask } = await storefront();

      const refused = await ask({ amount });

      expect([refused.status, refused.faults]).toEqual([422, ["#/amount amount_below_due"]]);
    },
  );
});

describe("a deposit is refused", () => {
  test("beside an amount", async () => {
    const sale = await tableOrder(shared);
    const { shop } = sale;

    const body = { order_id: sale.placed.id, deposit: true, amount: 7.5 };
    const refused = await initialize(shop, body);

    expect([refused.status, refused.faults]).toEqual([422, ["#/deposit conflicting_fields"]]);
  });

  test("under the reference of an open attempt to pay all", async () => {
    const sale = await tableOrder(shared);
    const { shop } = sale;
    const body = { order_id: sale.placed.id, reference: "table-2" };
    const whole = await initialize(shop, body);

    const refused = await initialize(shop, { ...body, deposit: true });

    expect([refused.status, refused.code, refused.at("/payment_id")]).toEqual([
      409,
      "attempt_open",
      whole.id,
    ]);
  });

  test("once it is paid", async () => {
    const sale = await tableOrder(shared);
    const { shop } = sale;
    await pay(sale, { deposit: true });

    const refused = await initialize(shop, { order_id: sale.placed.id, deposit: true });

    expect([refused.status, refused.faults]).toEqual([422, ["#/deposit deposit_paid"]]);
  });

  test("of a payment link", async () => {
    const { shop } = shared;

    const refused = await initialize(shop, { amount: 5, currency: "USD", deposit: true });

    expect([refused.status, refused.faults]).toEqual([422, ["#/order_id required"]]);
  });
});
