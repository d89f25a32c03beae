// The life of an order after the happy end: units are cancelled or come back, and the money follows.

import { describe, expect, test } from "bun:test";

import { cancel, fulfill, of, place, reread, stock } from "../sales/orders/counter.ts";
import { mug } from "../support/cast.ts";
import type { Answered } from "../support/shop.ts";
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
const { shop, gateway } = shared;

/** An order of so many mugs at 12.50, and its gateway. */
async function mugOrder(quantity: number, scripted = shared) {
  const placed = await (await orderCounter(scripted.shop))({}, quantity);
  return { ...scripted, placed, line: placed.string("/line_items/0/id") };
}

type Sale = Awaited<ReturnType<typeof mugOrder>>;

/** Pays the amount, or all that is due, and lets the gateway's notice arrive. */
async function pay({ placed }: Sale, amount?: number): Promise<Answered> {
  const payment = await initialize(shop, { order_id: placed.id, ...(amount && { amount }) });
  await paidAtGateway(shared, payment.id);
  return payment;
}

function refund({ placed }: Sale, body: object = {}): Promise<Answered> {
  return shop.post(`/v2/orders/${placed.id}/refunds`, body);
}

function giveBack({ placed }: Sale, body: object): Promise<Answered> {
  return shop.post(`/v2/orders/${placed.id}/returns`, body);
}

function cancelPart({ placed, line }: Sale, quantity: number, body: object = {}) {
  return shop.put(
    `/v2/orders/${placed.id}/cancel`,
    { line_items: [{ line_item_id: line, quantity }], ...body },
    { headers: { "Idempotency-Key": `part-${placed.id}-${quantity}` } },
  );
}

async function stockOf(order: Answered): Promise<unknown[]> {
  return stock(shop, { variantId: order.string("/line_items/0/variant_id"), productId: "" });
}

describe("a refund of everything", () => {
  test("cancels an order of which nothing has shipped, and releases its stock", async () => {
    const sale = await mugOrder(2);
    await pay(sale);

    const made = await refund(sale);

    expect(made.at("/order")).toMatchObject({
      status: "cancelled",
      payment_status: "refunded",
      line_items: [{ cancelled_quantity: 2 }],
      due: 0,
    });
    expect((await stockOf(sale.placed))[1]).toBe(0);
    const refused = await fulfill(shop, sale.placed);
    expect([refused.status, refused.code]).toEqual([409, "invalid_transition"]);
  });

  test("of a deposit ends the order: it is never announced as paid", async () => {
    const sale = await mugOrder(2);
    await pay(sale, 4);

    await refund(sale);

    expect(await eventCounts(shop, sale.placed.id)).toMatchObject({
      "order.cancelled": 1,
      "order.refunded": 1,
    });
    expect((await eventCounts(shop, sale.placed.id))["order.paid"]).toBeUndefined();
  });

  test("leaves shipped units with the customer", async () => {
    const sale = await mugOrder(3);
    await pay(sale);
    await fulfill(shop, sale.placed, { line_items: [{ line_item_id: sale.line, quantity: 1 }] });

    const made = await refund(sale);

    expect(made.at("/order")).toMatchObject({
      status: "completed",
      fulfillment_status: "fulfilled",
      payment_status: "refunded",
      line_items: [{ fulfilled_quantity: 1, cancelled_quantity: 2, returned_quantity: 0 }],
    });
    expect((await eventCounts(shop, sale.placed.id))["order.fulfilled"]).toBe(1);
  });
});

describe("a deposit", () => {
  test("that goes back by amount is due again, and the order ships once it is paid", async () => {
    const sale = await mugOrder(1);
    await pay(sale, 4);
    await refund(sale, { amount: 4 });

    expect((await reread(shop, sale.placed)).body).toMatchObject({
      status: "open",
      payment_status: "unpaid",
      due: 12.5,
    });

    await pay(sale);

    expect((await reread(shop, sale.placed)).body).toMatchObject({
      payment_status: "partially_refunded",
      due: 0,
    });
    const paid = (await shop.announced()).find(({ event }) => event === "order.paid");
    expect(paid?.data).toMatchObject({ total: 12.5, sale_refunded_total: 0 });
  });
});

describe("a part of an order that cannot be had", () => {
  test("is refunded, cancelled and released, and the order is completed", async () => {
    const sale = await mugOrder(5);
    await pay(sale);
    await fulfill(shop, sale.placed, { line_items: [{ line_item_id: sale.line, quantity: 3 }] });

    const made = await refund(sale, { line_items: [{ line_item_id: sale.line, quantity: 2 }] });

    expect(made.body).toMatchObject({
      amount: 25,
      order: {
        status: "completed",
        fulfillment_status: "fulfilled",
        credited_total: 25,
        line_items: [{ fulfilled_quantity: 3, cancelled_quantity: 2 }],
      },
    });
    expect((await stockOf(sale.placed))[1]).toBe(0);
  });

  test("is cancelled, and its money goes back by itself", async () => {
    const sale = await mugOrder(4);
    await pay(sale);

    const cancelled = await cancelPart(sale, 1);
    await settle(shop);

    expect(cancelled.body).toMatchObject({ status: "open", credited_total: 12.5 });
    expect((await reread(shop, sale.placed)).body).toMatchObject({
      status: "open",
      payment_status: "partially_refunded",
      refunded_total: 12.5,
      line_items: [{ quantity: 4, cancelled_quantity: 1 }],
    });
    const updated = (await shop.announced()).find(({ event }) => event === "order.updated");
    expect(updated?.data).toMatchObject({
      changed: ["line_items"],
      cancelled_line_items: [{ line_item_id: sale.line, quantity: 1 }],
    });
    expect((await stockOf(sale.placed))[1]).toBe(3);
  });

  test("makes the rest paid: the sale is what is left", async () => {
    const sale = await mugOrder(2);
    await pay(sale, 12.5);

    await cancelPart(sale, 1);

    const paid = (await shop.announced()).find(({ event }) => event === "order.paid");
    expect(paid?.data).toMatchObject({
      total: 12.5,
      order_total: 25,
      subtotal: 12.5,
      line_items: [{ quantity: 1, total: 12.5 }],
    });
    expect((await reread(shop, sale.placed)).at("/payment_status")).toBe("paid");
  });

  test("is not cancelled twice by a request that was sent twice", async () => {
    const sale = await mugOrder(3);

    await Promise.all([cancelPart(sale, 1), cancelPart(sale, 1)]);
    const unguarded = await cancel(shop, sale.placed, {
      line_items: [{ line_item_id: sale.line, quantity: 1 }],
    });

    expect(unguarded.faults).toEqual(["#/line_items guard_required"]);
    expect((await reread(shop, sale.placed)).at("/line_items/0/cancelled_quantity")).toBe(1);
  });

  test("is refused beyond its open units, twice, and of another order", async () => {
    const [sale, other] = [await mugOrder(1), await mugOrder(1)];
    const before = await reread(shop, sale.placed);

    const refused = await shop.put(
      `/v2/orders/${sale.placed.id}/cancel`,
      {
        line_items: [
          { line_item_id: sale.line, quantity: 3 },
          { line_item_id: sale.line, quantity: 1 },
          { line_item_id: other.line, quantity: 1 },
        ],
      },
      { headers: { "Idempotency-Key": "wrong" } },
    );

    expect(refused.faults).toEqual([
      "#/line_items/0/quantity more_than_open",
      "#/line_items/1/line_item_id duplicate",
      "#/line_items/2/line_item_id unknown_line_item",
    ]);
    expect(refused.string("/errors/0/detail")).toBe("This line item has 1 open unit.");
    expect((await reread(shop, sale.placed)).text).toBe(before.text);
  });
});

describe("what a cancellation keeps", () => {
  test("is owed, so the order is not overpaid", async () => {
    const sale = await mugOrder(2);
    await pay(sale);

    await cancel(shop, sale.placed, { refund: "20.00" });
    await settle(shop);

    expect((await reread(shop, sale.placed)).body).toMatchObject({
      status: "cancelled",
      payment_status: "partially_refunded",
      refunded_total: 20,
      kept_total: 5,
      credited_total: 25,
    });
  });

  test("cannot be negative: more than was paid is refused", async () => {
    const sale = await mugOrder(2);
    await pay(sale);
    const before = await reread(shop, sale.placed);

    const refused = await cancelPart(sale, 1, { refund: 12.51 });

    expect(refused.faults).toEqual(["#/refund more_than_paid"]);
    expect((await reread(shop, sale.placed)).text).toBe(before.text);
  });
});

describe("units that come back", () => {
  test("are on the shelf again with restock, and their money goes back", async () => {
    const sale = await mugOrder(2);
    await pay(sale);
    await fulfill(shop, sale.placed);
    const [onHand] = await stockOf(sale.placed);

    const made = await giveBack(sale, {
      line_items: [{ line_item_id: sale.line, quantity: 1 }],
      restock: true,
      reason: "damaged",
    });
    await settle(shop);

    expect(made.body).toMatchObject({
      reason: "damaged",
      refund: 12.5,
      line_items: [{ quantity: 1, restocked: 1 }],
      order: { status: "completed", line_items: [{ returned_quantity: 1 }] },
    });
    expect((await stockOf(sale.placed))[0]).toBe(Number(onHand) + 1);
    expect((await reread(shop, sale.placed)).at("/refunded_total")).toBe(12.5);
    const returned = (await shop.announced()).find(({ event }) => event === "order.returned");
    expect(returned?.data).toMatchObject({ return: { id: made.id } });
    const listed = await shop.get(`/v2/orders/${sale.placed.id}/returns`);
    expect(listed.at("/data/0/id")).toBe(made.id);
  });

  test("without their money leave it with the shop", async () => {
    const sale = await mugOrder(1);
    await pay(sale);
    await fulfill(shop, sale.placed);

    await giveBack(sale, {
      line_items: [{ line_item_id: sale.line, quantity: 1 }],
      refund: false,
    });
    await settle(shop);

    expect((await reread(shop, sale.placed)).body).toMatchObject({
      payment_status: "paid",
      kept_total: 12.5,
      refunding_total: 0,
    });
  });

  test("cannot be more than were shipped", async () => {
    const sale = await mugOrder(2);
    await fulfill(shop, sale.placed, { line_items: [{ line_item_id: sale.line, quantity: 1 }] });

    const refused = await giveBack(sale, {
      line_items: [{ line_item_id: sale.line, quantity: 2 }],
    });

    expect(refused.faults).toEqual(["#/line_items/0/quantity more_than_shipped"]);
  });

  test("need the right to change orders and payments", async () => {
    const sale = await mugOrder(1);
    const key = await shop.createKey({ scopes: ["orders:write"] });

    const refused = await shop.post(
      `/v2/orders/${sale.placed.id}/returns`,
      { line_items: [{ line_item_id: sale.line, quantity: 1 }] },
      { key },
    );

    expect([refused.status, refused.code]).toEqual([403, "scope_missing"]);
  });
});

describe("cash on delivery", () => {
  test("that is refused at the door ends with the return, shipping included", async () => {
    const placed = await place(shop, [of(await mug(shop), 2)], {
      payment_method: "cash_on_delivery",
      shipping: { label: "Motorbike", amount: 3 },
    });
    await fulfill(shop, placed);

    const made = await shop.post(`/v2/orders/${placed.id}/returns`, {
      line_items: [{ line_item_id: placed.string("/line_items/0/id"), quantity: 2 }],
      restock: true,
      reason: "refused_at_door",
    });

    expect(made.body).toMatchObject({
      written_off: 3,
      order: { status: "completed", due: 0, written_off_total: 3, payment_status: "unpaid" },
    });
    expect((await shop.announcedNames()).includes("order.paid")).toBe(false);
  });

  test("is written off where the customer is gone", async () => {
    const placed = await place(shop, [of(await mug(shop), 2)], {
      payment_method: "cash_on_delivery",
    });
    await fulfill(shop, placed);
    const path = `/v2/orders/${placed.id}/write-off`;

    const tooMuch = await shop.post(path, { amount: 25.01 });
    const part = await shop.post(path, { amount: 5, note: "Moved away" });
    const rest = await shop.post(path, { amount: 20 });
    const again = await shop.post(path, { amount: 1 });

    expect(tooMuch.faults).toEqual(["#/amount amount_exceeds_due"]);
    expect([part.at("/due"), part.at("/status")]).toEqual([20, "open"]);
    expect([rest.at("/due"), rest.at("/status")]).toEqual([0, "completed"]);
    expect([again.status, again.code]).toEqual([409, "invalid_transition"]);
  });
});

describe("an order whose money went back by amount", () => {
  test("ships only if the merchant insists", async () => {
    const sale = await mugOrder(1);
    await pay(sale);
    await refund(sale, { amount: 12.5 });

    const refused = await fulfill(shop, sale.placed);
    const forced = await fulfill(shop, sale.placed, { force: true });

    expect([refused.status, refused.code]).toEqual([409, "order_refunded"]);
    expect([forced.status, forced.at("/fulfillment_status")]).toEqual([200, "fulfilled"]);
  });
});

describe("two part payments of more than the order", () => {
  test("leave the order paid, and the rest goes back", async () => {
    const sale = await mugOrder(1);
    const first = await initialize(shop, { order_id: sale.placed.id, amount: 8 });
    const other = { method: "mobile_money", phone: "+233551234000", amount: 8 };
    const second = await initialize(shop, { order_id: sale.placed.id, ...other });
    gateway.pay(first.id);
    gateway.pay(second.id);

    await notify(shop, gateway, { payment: first.id, id: `${first.id} a` });
    await notify(shop, gateway, { payment: second.id, id: `${second.id} a` });
    await settle(shop);

    expect((await reread(shop, sale.placed)).body).toMatchObject({
      paid_total: 16,
      refunded_total: 3.5,
      due: 0,
    });
    expect(await eventCounts(shop, sale.placed.id)).toMatchObject({
      "order.paid": 1,
      "order.refunded": 1,
    });
  });
});

describe("tracking that comes in the evening", () => {
  test("is added to the shipment, and announced", async () => {
    const sale = await mugOrder(1);
    const shipped = await fulfill(shop, sale.placed);
    const path = `/v2/orders/${sale.placed.id}/fulfillments/${shipped.string("/fulfillments/0/id")}`;
    const tracking = { carrier: "DHL", number: "1", url: null };

    const updated = await shop.put(path, { tracking });
    const unknown = await shop.put(`/v2/orders/${sale.placed.id}/fulfillments/ful_x`, { tracking });

    expect(updated.at("/fulfillments/0/tracking")).toEqual(tracking);
    expect([unknown.status, unknown.code]).toEqual([404, "fulfillment_not_found"]);
    const last = (await shop.announced()).at(-1);
    expect(last).toMatchObject({
      event: "order.updated",
      data: { changed: ["fulfillments"], fulfillment: { tracking } },
    });
  });
});

describe("an open attempt", () => {
  test("is answered again for the same amount, and refuses another one", async () => {
    const sale = await mugOrder(1);
    const first = await initialize(shop, { order_id: sale.placed.id, amount: 5 });

    const same = await initialize(shop, { order_id: sale.placed.id, amount: 5 });
    const other = await initialize(shop, { order_id: sale.placed.id, amount: 6 });

    expect([same.status, same.id]).toEqual([200, first.id]);
    expect([other.status, other.code, other.at("/reference")]).toEqual([
      409,
      "attempt_open",
      first.id,
    ]);
  });
});

describe("money in review", () => {
  /** An order of 12.50 for which 10.00 arrived. */
  async function doubted(scripted = shared): Promise<Sale> {
    const sale = await mugOrder(1, scripted);
    const payment = await initialize(sale.shop, { order_id: sale.placed.id });
    await paidAtGateway(scripted, payment.id, { amountMinor: 1000 });
    return sale;
  }

  test("keeps a storefront from charging a second time, and not the merchant", async () => {
    const sale = await doubted();
    const key = await shop.createKey({ scopes: ["storefront"] });
    const body = { order_id: sale.placed.id };

    const refused = await shop.post("/v2/payments/initialize", body, { key });
    const allowed = await shop.post("/v2/payments/initialize", body);

    expect([refused.status, refused.code]).toEqual([409, "payment_in_review"]);
    expect(allowed.status).toBe(201);
  });

  test("stops the clock of its order for a week", async () => {
    await using own = await openScriptedShop();
    const sale = await doubted(own);

    await pass(own.shop, 3 * 86_400);
    const waiting = await reread(own.shop, sale.placed);
    const emitted = await eventCounts(own.shop, sale.placed.id);
    await pass(own.shop, 5 * 86_400);

    expect([waiting.at("/status"), waiting.at("/payment_status")]).toEqual(["open", "review"]);
    expect((await reread(own.shop, sale.placed)).body).toMatchObject({
      status: "cancelled",
      cancel_reason: "expired",
      payment_status: "review",
    });
    expect(emitted["cart.abandoned"]).toBeUndefined();
  });
});
