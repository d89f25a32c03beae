// What Stripe cannot do, or would take for something else, is refused before it is asked, with a code and the field.

import { beforeAll, describe, expect, test } from "bun:test";

import { openStripe } from "#payments/gateways/stripe/stripe.ts";

import { initialize, pass, settle } from "../../payments/scripted-shop.ts";
import { shared } from "../../support/shared.ts";
import { openTestShop } from "../../support/shop.ts";
import { WEBHOOK_SECRET } from "./adapter.ts";
import {
  deliver,
  eventsAbout,
  ofOrder,
  openStripeShop,
  payOnPage,
  refundsOf,
} from "./stripe-shop.ts";

describe("a refund of a fraction that Stripe cannot give back", () => {
  const opened = shared(openStripeShop);

  beforeAll(async () => {
    await opened.shop.put("/v2/store", { currency: "KWD" });
  });

  /** An order that is paid: 12.340 KWD by default, which Stripe takes and gives back in tens of fils. */
  async function payDinars(price = "12.340", quantity = 1) {
    const { shop } = opened;
    const made = await shop.post("/v2/products", { name: "Lamp", price, stock: 5 });
    const line_items = [{ variant_id: made.string("/variants/0/id"), quantity }];
    const shipping = { label: "Courier", amount: "1.010" };
    const order = await shop.post("/v2/orders", { line_items, shipping });
    const { id: orderId } = order;
    const lineId = order.string("/line_items/0/id");
    const card = { method: "card", card_token: "pm_card_visa" };
    const { id: paymentId } = await initialize(shop, { order_id: orderId, ...card });
    return { paymentId, orderId, lineId };
  }

  test.each(["payments", "orders"] as const)("is refused of %s", async (noun) => {
    const { paymentId, orderId } = await payDinars();
    const id = noun === "payments" ? paymentId : orderId;

    const refused = await opened.shop.post(`/v2/${noun}/${id}/refunds`, { amount: "1.005" });

    expect([refused.status, refused.faults]).toEqual([422, ["#/amount amount_precision"]]);
    expect(refused.text).toContain("multiples of 0.010 KWD");
    expect(await refundsOf(opened, paymentId)).toEqual([]);
  });

  test("is refused for a unit that costs one, which stays in the order, and so is its preview", async () => {
    const { paymentId, orderId, lineId } = await payDinars("7.005", 2);
    const { shop } = opened;
    const path = `/v2/orders/${orderId}/refunds`;
    const body = { line_items: [{ line_item_id: lineId, quantity: 1 }] };

    const refused = [await shop.post(`${path}/preview`, body), await shop.post(path, body)];
    const whole = await shop.post(path, { line_items: [{ line_item_id: lineId, quantity: 2 }] });

    expect(refused.map(({ status, faults }) => [status, faults])).toEqual([
      [422, ["#/line_items amount_precision"]],
      [422, ["#/line_items amount_precision"]],
    ]);
    expect(whole.status).toBe(201);
    expect(await refundsOf(opened, paymentId)).toEqual(["succeeded 14.01"]);
  });

  test("is refused for a part of the shipping", async () => {
    const { paymentId, orderId } = await payDinars();

    const refused = await opened.shop.post(`/v2/orders/${orderId}/refunds`, { shipping: "0.505" });

    expect([refused.status, refused.faults]).toEqual([422, ["#/shipping amount_precision"]]);
    expect(await refundsOf(opened, paymentId)).toEqual([]);
  });

  test("is handed back of money in another currency", async () => {
    const { shop } = opened;
    const card = { method: "card", card_token: "pm_test_wrongCurrency" };
    const { id } = await initialize(shop, { amount: "12.340", currency: "KWD", ...card });
    await shop.post(`/v2/payments/${id}/accept`, { amount: "12.345" });

    const made = await shop.post(`/v2/payments/${id}/refunds`, { amount: "1.005" });

    expect([made.status, made.at("/attention")]).toEqual([201, "by_hand"]);
  });

  test.each(["payments", "orders"] as const)("is made of %s without it", async (noun) => {
    const { paymentId, orderId } = await payDinars();
    const id = noun === "payments" ? paymentId : orderId;

    const made = await opened.shop.post(`/v2/${noun}/${id}/refunds`, { amount: "1.010" });

    expect(made.status).toBe(201);
    expect(await refundsOf(opened, paymentId)).toEqual(["succeeded 1.01"]);
  });
});

test("a test card is refused by a live gateway before Stripe is called", async () => {
  const gateway = openStripe({
    mode: "live",
    clock: { now: () => Date.now() },
    secret: "sk_live_3Fa03Fa03Fa0",
    webhookSecrets: [WEBHOOK_SECRET],
    address: "http://127.0.0.1:9",
  });
  await using shop = await openTestShop({ gateways: [gateway] });
  const key = await shop.createKey({ mode: "live" });
  const body = { amount: 5, currency: "EUR", card_token: "tok_refundFail" };

  const refused = await shop.post("/v2/payments/initialize", body, { key });

  expect([refused.status, refused.faults]).toEqual([422, ["#/card_token test_token_in_live_mode"]]);
});

test("a notice of an older version of the API has the payment read in this one", async () => {
  await using opened = await openStripeShop();
  const { id } = await opened.order();
  await initialize(opened.shop, { order_id: id });
  await payOnPage(opened);
  opened.face.notices.lose();
  opened.shop.clock.advance(11_000);
  const events = eventsAbout(opened, /^checkout\.session\.completed$/);

  const statuses = await deliver(
    opened,
    ...events.map((event) => ({ ...event, api_version: "2019-02-11" })),
  );
  await settle(opened.shop);

  expect(statuses).toEqual([200]);
  expect(await ofOrder(opened, id)).toEqual(["paid", 12.5, 0]);
});

test("an amount below what Stripe makes of its minimum fails, says why, and calls the operator", async () => {
  const lines: string[] = [];
  await using opened = await openStripeShop({
    writeLog: (line) => void lines.push(line),
    settings: { DUKA_LOG_LEVEL: "warn" },
  });

  // The account is paid out in another currency, in which it comes to less.
  const failed = await initialize(opened.shop, { amount: "0.30", currency: "GBP" });
  await pass(opened.shop, 60);

  expect(failed.body).toMatchObject({
    status: "failed",
    failure_code: "other",
    gateway_code: "amount_too_small",
  });
  expect(lines.join("\n")).toContain("A gateway is in trouble.");
});
