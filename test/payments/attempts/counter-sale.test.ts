// A sale at a counter: placed, paid and taken along in one request.

import { describe, expect, test } from "bun:test";

import { stock } from "../../sales/orders/counter.ts";
import { type Goods, kanga, mug } from "../../support/cast.ts";
import { openTestShop, sharedShop } from "../../support/shop.ts";

const shop = sharedShop();

const of = ({ variantId }: Goods, quantity = 1) => ({ variant_id: variantId, quantity });

const sell = (goods: Goods, terms: object, where = shop) =>
  where.post("/v2/orders", { line_items: [of(goods, 2)], ...terms });

describe("a sale at a counter", () => {
  test("is placed, paid and fulfilled by one request", async () => {
    const cup = await mug(shop);

    const sold = await sell(cup, { paid: { method: "cash" }, fulfilled: true });

    expect(sold.status).toBe(201);
    expect(sold.body).toMatchObject({
      status: "completed",
      payment_status: "paid",
      fulfillment_status: "fulfilled",
      payment_method: "cash",
      paid_total: 25,
      due: 0,
      expires_at: null,
    });
    expect(sold.body).not.toHaveProperty("change");
    expect(await stock(shop, cup)).toEqual([8, 0, 8]);
    expect((await shop.get(`/v2/orders/${sold.id}`)).at("/version")).toBe(sold.at("/version"));
  });

  test("is announced as placed, then paid, then fulfilled", async () => {
    const cup = await mug(shop);
    await shop.announced();

    await sell(cup, { paid: { method: "cash" }, fulfilled: true });

    expect(await shop.announcedNames()).toEqual([
      "order.placed",
      "payment.initialized",
      "payment.succeeded",
      "order.paid",
      "order.fulfilled",
    ]);
  });

  test("answers the change of what the customer handed over", async () => {
    const sold = await sell(await mug(shop), { paid: { method: "cash", tendered: "50.00" } });

    expect(sold.body).toMatchObject({ paid_total: 25, change: 25, change_minor: 2500 });
    expect(sold.text).toContain('"change":25.00,');
  });

  test("by a card at the merchant's own terminal calls no gateway", async () => {
    const sold = await sell(await mug(shop), { paid: { method: "card" }, fulfilled: true });

    expect(sold.at("/status")).toBe("completed");
    expect((await shop.get(`/v2/payments?order_id=${sold.id}`)).at("/data/0")).toMatchObject({
      order_id: sold.id,
      method: "card",
      gateway: null,
      status: "succeeded",
    });
  });

  test("may be paid in part and taken along: the rest stays due", async () => {
    const sold = await sell(await mug(shop), {
      paid: { method: "cash", amount: 10 },
      fulfilled: true,
    });

    expect(sold.body).toMatchObject({
      status: "open",
      payment_status: "partially_paid",
      fulfillment_status: "fulfilled",
      due: 15,
    });
  });

  test("may be paid and fetched later", async () => {
    const sold = await sell(await mug(shop), { paid: { method: "cash" } });

    expect(sold.body).toMatchObject({ payment_status: "paid", fulfillment_status: "unfulfilled" });
  });

  test("may be taken along and paid later", async () => {
    const sold = await sell(await mug(shop), { payment_method: "cash", fulfilled: true });

    expect(sold.body).toMatchObject({ payment_status: "unpaid", fulfillment_status: "fulfilled" });
  });

  test("of no amount takes no payment", async () => {
    const sold = await sell(await mug(shop, { price: 0 }), {
      paid: { method: "cash", tendered: 0 },
      fulfilled: true,
    });

    expect(sold.body).toMatchObject({ status: "completed", change: 0 });
    expect((await shop.get(`/v2/payments?order_id=${sold.id}`)).list("/data")).toEqual([]);
  });

  test("sent twice with one idempotency key is one sale with the same change", async () => {
    const cup = await mug(shop);
    const paid = { method: "cash", tendered: 30 };
    const body = { line_items: [of(cup, 2)], paid, fulfilled: true };
    const options = { headers: { "Idempotency-Key": "till-1" } };

    const answers = [
      await shop.post("/v2/orders", body, options),
      await shop.post("/v2/orders", body, options),
    ];

    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
    const payments = await shop.get(`/v2/payments?order_id=${answers[0]?.id}`);
    expect(payments.list("/data")).toHaveLength(1);
    expect(await stock(shop, cup)).toEqual([8, 0, 8]);
  });

  test("is counted in the day's sales as cash", async () => {
    await using own = await openTestShop();
    await sell(await mug(own), { paid: { method: "cash" }, fulfilled: true }, own);

    const summary = await own.get("/v2/analytics/summary");

    expect(summary.text).toContain('"payment_method":"cash"');
  });
});

describe("refused, with nothing changed, is", () => {
  test.each([
    [{ method: "cash", amount: 25.01 }, ["#/paid/amount amount_exceeds_due"]],
    [{ method: "cash", amount: 0 }, ["#/paid/amount amount_too_small"]],
    [{ method: "cash", amount: "1.005" }, ["#/paid/amount amount_precision"]],
    [{ method: "cash", tendered: 20 }, ["#/paid/tendered too_small"]],
    [
      { method: "cash", amount: 30, tendered: 20 },
      ["#/paid/amount amount_exceeds_due", "#/paid/tendered too_small"],
    ],
    [{ amount: 20 }, ["#/paid/method required"]],
  ])("money of %j", async (paid, faults) => {
    const cup = await mug(shop);
    await shop.announced();

    const refused = await sell(cup, { paid, fulfilled: true });

    expect([refused.status, refused.faults]).toEqual([422, faults]);
    expect(await stock(shop, cup)).toEqual([10, 0, 10]);
    expect(await shop.announced()).toEqual([]);
  });

  test("less money than is paid, with the amount that must be tendered", async () => {
    const refused = await sell(await mug(shop), { paid: { method: "cash", tendered: 20 } });

    expect(refused.at("/errors/0")).toEqual({
      pointer: "#/paid/tendered",
      code: "too_small",
      detail: "This must be at least the amount of 25.00 USD.",
    });
  });

  test("a method that the shop disabled", async () => {
    await using own = await openTestShop();
    await own.put("/v2/store", { payment_methods: { cash: { enabled: false } } });
    const terms = { payment_method: "card", paid: { method: "cash" } };

    const refused = await sell(await mug(own), terms, own);

    expect([refused.status, refused.code]).toEqual([409, "payment_method_unavailable"]);
  });

  test.each([
    [{ paid: { method: "cash" } }, ["orders:create", "payments:write"], "orders:write"],
    [{ paid: { method: "cash" } }, ["orders:write"], "payments:write"],
    [{ fulfilled: true }, ["orders:create", "payments:write"], "orders:write"],
  ])("%j from a key of %j, for it lacks %s", async (...[terms, scopes, missing]) => {
    const cup = await kanga(shop);
    const key = await shop.createKey({ scopes });
    const body = { line_items: [of(cup)], ...terms };

    const refused = await shop.post("/v2/orders", body, { key });

    expect([refused.status, refused.code]).toEqual([403, "scope_missing"]);
    expect(refused.at("/scopes")).toEqual([missing]);
    expect(await stock(shop, cup)).toEqual([5, 0, 5]);
  });
});
