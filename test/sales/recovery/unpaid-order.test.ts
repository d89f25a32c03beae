// Orders that a gateway should take and that are not paid: abandoned after an hour, cancelled after a day.

import { describe, expect, test } from "bun:test";

import { recordPayment } from "#sales/changing/settle-order.ts";
import { lockOrder } from "#sales/orders/lookups.ts";
import { noParts } from "#sales/rows/balance.ts";

import { ada, mug } from "../../support/cast.ts";
import { ScriptedGateway } from "../../support/scripted-gateway.ts";
import { type Answered, openTestShop, type TestShop } from "../../support/shop.ts";
import {
  abandonedCart,
  cartInCheckout,
  complete,
  DAY_MS,
  HOUR_MS,
  later,
  MINUTE_MS,
  tokenOf,
} from "../carts/basket.ts";
import { cancel, fulfill, of, place, reread, stock } from "../orders/counter.ts";

async function eventsDuring(shop: TestShop, milliseconds: number): Promise<string[]> {
  await shop.announced();
  await later(shop, milliseconds);
  return shop.announcedNames();
}

/** Records a payment, as payments do. */
async function pay(
  shop: TestShop,
  order: Answered,
  what: { readonly paidMinor: number },
): Promise<void> {
  const record = {
    refundingMinor: 0,
    refundedMinor: 0,
    openAttempts: 0,
    paymentsInReview: 0,
    method: null,
    parts: noParts,
    ...what,
  };
  await shop.test.database.write(async (tx) =>
    recordPayment(tx, await lockOrder(tx, `ord_${order.id.slice(4)}`), record),
  );
}

describe("an unpaid order", () => {
  test("is announced as an abandoned cart once, after an hour", async () => {
    await using shop = await openTestShop();
    const [cup, customer] = [await mug(shop), await ada(shop)];
    const order = await place(shop, [of(cup, 2)], { customer_id: customer });
    expect(await eventsDuring(shop, 59 * MINUTE_MS)).toEqual([]);

    await later(shop, MINUTE_MS);
    await later(shop, 22 * HOUR_MS);

    const [abandoned, ...more] = await shop.announced();
    expect(more).toEqual([]);
    expect(abandoned).toMatchObject({
      event: "cart.abandoned",
      data: {
        cart_id: null,
        order_id: order.id,
        source: "order",
        line_items: order.list("/line_items"),
        total: 25,
        currency: "USD",
        customer: { id: customer, email: "ada@example.com", name: "Ada Mensah" },
        recovery_url: expect.stringContaining(`${shop.url}/recover/${order.id}.`),
      },
    });
  });

  test("is cancelled after a day, and its stock can be sold again", async () => {
    await using shop = await openTestShop();
    const cup = await mug(shop);
    const order = await place(shop, [of(cup, 2)]);
    await later(shop, HOUR_MS);
    expect(await eventsDuring(shop, 23 * HOUR_MS - 1)).toEqual([]);

    await later(shop, 1);

    expect((await reread(shop, order)).body).toMatchObject({
      status: "cancelled",
      cancel_reason: "expired",
      cancelled_at: "2026-01-06T08:00:00.000Z",
      expires_at: null,
    });
    expect(await stock(shop, cup)).toEqual([10, 0, 10]);
    expect(await shop.announced()).toMatchObject([
      { event: "order.cancelled", data: { order_id: order.id, cancel_reason: "expired" } },
    ]);
    expect((await shop.events()).at(-1)?.actor).toEqual({ type: "system", id: null });
  });

  test("is announced before it is cancelled, even if a week passes at once", async () => {
    await using shop = await openTestShop();
    await place(shop, [of(await mug(shop))]);

    expect(await eventsDuring(shop, 7 * DAY_MS)).toEqual(["cart.abandoned", "order.cancelled"]);
  });

  test("has a recovery link that names it", async () => {
    await using shop = await openTestShop();
    const order = await place(shop, [of(await mug(shop))]);
    await shop.announced();
    await later(shop, HOUR_MS);
    const [abandoned] = await shop.announced();
    const url = String(Object(abandoned?.data).recovery_url);

    const refused = await shop.post("/v2/carts/recover", { token: tokenOf(url) });

    expect(refused.body).toMatchObject({ code: "cart_completed", order_id: order.id });
  });

  test("expires by the shop's settings, even within the hour", async () => {
    await using shop = await openTestShop();
    await shop.put("/v2/store", { order_expiry_minutes: 30 });
    const order = await place(shop, [of(await mug(shop))]);

    expect(await eventsDuring(shop, 30 * MINUTE_MS)).toEqual(["order.cancelled"]);
    expect(await eventsDuring(shop, DAY_MS)).toEqual([]);
    expect((await reread(shop, order)).at("/cancel_reason")).toBe("expired");
  });

  test("is announced before it expires at the same time", async () => {
    await using shop = await openTestShop();
    await shop.put("/v2/store", { order_expiry_minutes: 60 });
    await place(shop, [of(await mug(shop))]);

    expect(await eventsDuring(shop, HOUR_MS)).toEqual(["cart.abandoned", "order.cancelled"]);
  });

  test("never expires if the shop's settings turn expiry off", async () => {
    await using shop = await openTestShop();
    await shop.put("/v2/store", { order_expiry_minutes: null });
    const order = await place(shop, [of(await mug(shop))]);

    expect(await eventsDuring(shop, 365 * DAY_MS)).toEqual(["cart.abandoned"]);
    expect((await reread(shop, order)).at("/status")).toBe("open");
  });

  test("of a completed cart is announced once, in place of the cart", async () => {
    await using shop = await openTestShop();
    const cart = await cartInCheckout(shop, [of(await mug(shop))]);
    const order = await complete(shop, cart);
    await shop.announced();

    await later(shop, 2 * HOUR_MS);

    expect(await shop.announced()).toMatchObject([
      { event: "cart.abandoned", data: { source: "order", order_id: order.id } },
    ]);
  });

  test("of a cart that was abandoned is announced again: it is another checkout", async () => {
    await using shop = await openTestShop();
    const cart = await abandonedCart(shop, [of(await mug(shop))]);
    await complete(shop, cart);

    expect(await eventsDuring(shop, HOUR_MS)).toEqual(["cart.abandoned"]);
  });
});

describe("no timer changes an order", () => {
  test.each(["cash_on_delivery", "cash"])("that is paid by %s", async (payment_method) => {
    await using shop = await openTestShop();
    await place(shop, [of(await mug(shop))], { payment_method });

    expect(await eventsDuring(shop, 7 * DAY_MS)).toEqual([]);
  });

  test("with a total of zero", async () => {
    await using shop = await openTestShop();
    await place(shop, [of(await mug(shop, { price: 0 }))]);

    expect(await eventsDuring(shop, 7 * DAY_MS)).toEqual([]);
  });

  test("that was cancelled", async () => {
    await using shop = await openTestShop();
    await cancel(shop, await place(shop, [of(await mug(shop))]));

    expect(await eventsDuring(shop, 7 * DAY_MS)).toEqual([]);
    expect(await shop.fireDue()).toEqual([]);
  });

  test("of which any unit was shipped", async () => {
    await using shop = await openTestShop();
    const cup = await mug(shop);
    const order = await place(shop, [of(cup, 2)]);
    await fulfill(shop, order, {
      line_items: [{ line_item_id: order.at("/line_items/0/id"), quantity: 1 }],
    });

    expect(await eventsDuring(shop, 7 * DAY_MS)).toEqual([]);
    expect(await stock(shop, cup)).toEqual([9, 1, 8]);
  });

  test("that was paid, or of which the deposit was", async () => {
    await using shop = await openTestShop();
    await shop.put("/v2/store", { deposit_percent: 4 });
    const cup = await mug(shop);
    await pay(shop, await place(shop, [of(cup)]), { paidMinor: 1250 });
    await pay(shop, await place(shop, [of(cup)]), { paidMinor: 50 });

    expect(await eventsDuring(shop, 7 * DAY_MS)).toEqual([]);
  });
});

describe("while an attempt is open at a gateway", () => {
  test("the order is not abandoned, and is checked again every 15 minutes", async () => {
    await using shop = await openTestShop({ gateways: [new ScriptedGateway()] });
    const order = await place(shop, [of(await mug(shop))]);
    await later(shop, 40 * MINUTE_MS);
    const payment = await shop.post("/v2/payments/initialize", { order_id: order.id });
    expect(await eventsDuring(shop, 20 * MINUTE_MS)).toEqual([]);
    expect(await eventsDuring(shop, 15 * MINUTE_MS)).toEqual([]);
    await shop.post(`/v2/payments/${payment.id}/cancel`);

    expect(await eventsDuring(shop, 15 * MINUTE_MS)).toEqual(["cart.abandoned"]);
    expect(await eventsDuring(shop, HOUR_MS)).toEqual([]);
  });

  test("the order does not expire, but does once the attempt has failed", async () => {
    const gateway = new ScriptedGateway();
    await using shop = await openTestShop({ gateways: [gateway] });
    const order = await place(shop, [of(await mug(shop))]);
    await later(shop, HOUR_MS);
    await unanswered(shop, gateway, order);

    expect(await eventsDuring(shop, 10 * MINUTE_MS)).toEqual([]);
    expect(await eventsDuring(shop, 15 * MINUTE_MS)).toEqual(["payment.failed", "order.cancelled"]);
  });

  test("the order stays open, and for good once the attempt has succeeded", async () => {
    const gateway = new ScriptedGateway();
    await using shop = await openTestShop({ gateways: [gateway] });
    const order = await place(shop, [of(await mug(shop))]);
    await later(shop, HOUR_MS);
    const payment = await unanswered(shop, gateway, order);
    await later(shop, 10 * MINUTE_MS);
    gateway.pay(payment.id);
    await later(shop, 15 * MINUTE_MS);

    expect(await eventsDuring(shop, 7 * DAY_MS)).toEqual([]);
    expect((await reread(shop, order)).at("/payment_status")).toBe("paid");
  });
});

/** An attempt ten minutes before the end of a day-old order, to which the gateway gave no answer yet. */
async function unanswered(
  shop: TestShop,
  gateway: ScriptedGateway,
  order: Answered,
): Promise<Answered> {
  await later(shop, 22 * HOUR_MS + 50 * MINUTE_MS);
  gateway.nextAnswer = () => Promise.resolve({ kind: "unknown" });
  return shop.post("/v2/payments/initialize", { order_id: order.id });
}
