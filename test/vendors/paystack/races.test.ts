// News of Paystack that crosses what the shop does at the same moment. There is no key that makes a second call to
// Paystack harmless, so that everything is asked for once.

import { describe, expect, test } from "bun:test";

import { eventCounts, initialize, settle } from "../../payments/scripted-shop.ts";
import { atOnce, statuses } from "../../support/at-once.ts";
import { strikeAfter } from "../strike-after.ts";
import {
  faultsOf,
  ofOrder,
  openPaystackShop,
  payByPhone,
  payOnPage,
  type PaystackShop,
} from "./paystack-shop.ts";

const HOUR_S = 3_600;
const DAY_S = 86_400;

const askedFor = ({ face }: PaystackShop, call: string) =>
  face.server.asked.filter(({ method, path }) => `${method} ${path}` === call).length;

const statusOf = async ({ shop }: PaystackShop, payment: string) =>
  (await shop.get(`/v2/payments/${payment}`)).at("/status");

/** What the vendor calls the newest transaction. */
const referenceIn = ({ face }: PaystackShop) => [...face.account.transactions.keys()].at(-1) ?? "";

async function openPaid(given: Parameters<typeof openPaystackShop>[0] = {}) {
  const opened = await openPaystackShop(given);
  const { id } = await opened.order({}, 2);
  const { id: payment } = await payByPhone(opened, id, "80");
  await opened.told();
  return { ...opened, id, payment };
}

/** The refunds of a payment: how each stands, its amount, and whether the shop did not make it. */
async function refundsOf({ shop }: PaystackShop, payment: string): Promise<string[]> {
  const whole = await shop.get(`/v2/payments/${payment}`);
  return whole
    .list("/refunds")
    .map(Object)
    .map(({ status, amount, external }) => `${status} ${amount}${external ? " elsewhere" : ""}`);
}

describe("a payment", () => {
  test("is paid once, though notices, readers, the customer and a poll come at once", async () => {
    await using opened = await openPaystackShop();
    const { shop, face } = opened;
    const { id } = await opened.order();
    const payment = await initialize(shop, { order_id: id });
    const back = payOnPage(opened) ?? "";
    shop.clock.advance(16_000);

    await Promise.all([
      face.notices.send(3),
      settle(shop),
      fetch(back, { redirect: "manual" }),
      ...[1, 2, 3].map(() => shop.get(`/v2/payments/${payment.id}`)),
    ]);
    await opened.told();

    expect(await ofOrder(opened, id)).toEqual(["paid", 12.5, 0]);
    const counts = await eventCounts(shop, id);
    expect([counts["order.paid"], counts["payment.succeeded"]]).toEqual([1, 1]);
    expect(await faultsOf(opened)).toEqual([]);
  });

  test("whose notice comes before the answer to the charge is paid once", async () => {
    await using opened = await openPaystackShop();
    const { id } = await opened.order();
    strikeAfter(opened.gateway, "initiate", () => opened.face.notices.send());

    await payByPhone(opened, id, "80");
    await opened.told();

    expect(await ofOrder(opened, id)).toEqual(["paid", 12.5, 0]);
    expect((await eventCounts(opened.shop, id))["order.paid"]).toBe(1);
    expect(await faultsOf(opened)).toEqual([]);
  });

  test("that is asked for six times by one key prompts the phone once", async () => {
    await using opened = await openPaystackShop();
    const phone = { method: "mobile_money", provider: "mtn", phone: "+233551234987" };
    const link = { amount: 5, currency: "GHS", ...phone };

    await atOnce(6, () => initialize(opened.shop, link, "key-1"));

    expect(askedFor(opened, "POST /charge")).toBe(1);
    expect(opened.face.account.transactions.size).toBe(1);
  });

  test("whose code is entered twice at once has it sent once", async () => {
    await using opened = await openPaystackShop();
    const { id } = await opened.order();
    const payment = await payByPhone(opened, id, "85");

    await atOnce(2, () => opened.shop.post(`/v2/payments/${payment.id}/otp`, { otp: "123456" }));
    await opened.told();

    expect(askedFor(opened, "POST /charge/submit_otp")).toBe(1);
    expect(await ofOrder(opened, id)).toEqual(["paid", 12.5, 0]);
  });

  test("on a page whose time is over gives the money back, once, where its order has expired", async () => {
    await using opened = await openPaystackShop();
    const { id } = await opened.order();
    await initialize(opened.shop, { order_id: id });
    await opened.pass(DAY_S + HOUR_S);

    payOnPage(opened);
    await opened.told();
    await opened.pass(HOUR_S);

    expect((await opened.shop.get(`/v2/orders/${id}`)).at("/status")).toBe("cancelled");
    expect(await ofOrder(opened, id)).toEqual(["refunded", 12.5, 12.5]);
    expect(opened.face.account.refunds).toHaveLength(1);
    expect(await faultsOf(opened)).toEqual([]);
  });

  test("by two phones that both approve keeps one and gives the other back, once", async () => {
    await using opened = await openPaystackShop();
    const { id } = await opened.order();
    await payByPhone(opened, id, "87");
    await initialize(opened.shop, { order_id: id });
    payOnPage(opened);

    opened.face.pass(5_000);
    await opened.told();
    await opened.pass(HOUR_S);

    expect(opened.face.account.refunds).toHaveLength(1);
    const order = await opened.shop.get(`/v2/orders/${id}`);
    expect([order.at("/paid_total"), order.at("/refunded_total"), order.at("/due")]).toEqual([
      25, 12.5, 0,
    ]);
    expect((await eventCounts(opened.shop, id))["order.paid"]).toBe(1);
    expect(await faultsOf(opened)).toEqual([]);
  });
});

test("an order that is cancelled while its phone approves gives the money back, once", async () => {
  await using opened = await openPaystackShop();
  const { id } = await opened.order();
  strikeAfter(opened.gateway, "initiate", () => opened.shop.put(`/v2/orders/${id}/cancel`));

  await payByPhone(opened, id, "80");
  await opened.told();
  await opened.pass(HOUR_S);

  expect(await ofOrder(opened, id)).toEqual(["refunded", 12.5, 12.5]);
  expect(opened.face.account.refunds).toHaveLength(1);
  expect(await faultsOf(opened)).toEqual([]);
});

describe("a refund", () => {
  test("in full that is asked for four times at once is made once", async () => {
    await using opened = await openPaid();

    const answers = await atOnce(4, () =>
      opened.shop.post(`/v2/payments/${opened.payment}/refunds`, {}),
    );
    await opened.told();

    expect(statuses(answers)).toEqual([201, 409, 409, 409]);
    expect(opened.face.account.refunds).toHaveLength(1);
    expect(await ofOrder(opened, opened.id)).toEqual(["refunded", 25, 25]);
    expect(await faultsOf(opened)).toEqual([]);
  });

  test("that is reported before the answer to it counts once", async () => {
    await using opened = await openPaid();
    strikeAfter(opened.gateway, "refund", () => opened.face.notices.send(2));

    await opened.shop.post(`/v2/payments/${opened.payment}/refunds`, { amount: 5 });
    await opened.told();

    expect(await refundsOf(opened, opened.payment)).toEqual(["succeeded 5"]);
    expect((await eventCounts(opened.shop, opened.id))["order.refunded"]).toBe(1);
    expect(await faultsOf(opened)).toEqual([]);
  });

  test("of the dashboard that is reported before the payment is paid and refunded", async () => {
    await using opened = await openPaystackShop();
    const { id } = await opened.order({}, 2);
    await initialize(opened.shop, { order_id: id });
    payOnPage(opened);
    opened.face.refundInDashboard(referenceIn(opened), 500);
    opened.face.notices.lose("charge.success");

    await opened.told();
    await opened.pass(60);

    expect(await ofOrder(opened, id)).toEqual(["partially_refunded", 25, 5]);
    const counts = await eventCounts(opened.shop, id);
    expect([counts["order.paid"], counts["order.refunded"]]).toEqual([1, 1]);
    expect(await faultsOf(opened)).toEqual([]);
  });

  test("as much as another, whose notice is equal, counts beside it", async () => {
    await using opened = await openPaid();

    const made = await atOnce(2, () =>
      opened.shop.post(`/v2/payments/${opened.payment}/refunds`, { amount: 5 }),
    );
    await opened.face.notices.send(3);
    await opened.told();

    expect(statuses(made)).toEqual([201, 201]);
    expect(await refundsOf(opened, opened.payment)).toEqual(["succeeded 5", "succeeded 5"]);
    expect(opened.face.account.refunds).toHaveLength(2);
    expect(await faultsOf(opened)).toEqual([]);
  });

  test("of the dashboard while the shop's is on its way is taken over beside it", async () => {
    await using opened = await openPaid({ refundMs: HOUR_S * 1000 });
    await opened.shop.post(`/v2/payments/${opened.payment}/refunds`, { amount: 5 });

    opened.face.refundInDashboard(referenceIn(opened), 700);
    await opened.told();
    await opened.pass(2 * HOUR_S);
    await opened.told();

    expect((await refundsOf(opened, opened.payment)).toSorted()).toEqual([
      "succeeded 5",
      "succeeded 7 elsewhere",
    ]);
    expect(await ofOrder(opened, opened.id)).toEqual(["partially_refunded", 25, 12]);
    expect(await faultsOf(opened)).toEqual([]);
  });

  test("at the moment of a dispute is not sent", async () => {
    await using opened = await openPaid();
    opened.face.dispute(referenceIn(opened));

    const [refund] = await Promise.all([
      opened.shop.post(`/v2/payments/${opened.payment}/refunds`, {}),
      opened.told(),
    ]);
    await opened.pass(HOUR_S);

    expect(refund.status === 409 || refund.at("/failure_reason") === "payment_disputed").toBe(true);
    expect(opened.face.account.refunds).toEqual([]);
    expect(await statusOf(opened, opened.payment)).toBe("succeeded");
  });
});
