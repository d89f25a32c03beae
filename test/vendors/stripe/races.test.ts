// News of Stripe that crosses what the shop does at the same moment: its time to pay ends, its order is cancelled, or
// money goes back before the shop has heard that it came.

import { describe, expect, test } from "bun:test";

import { eventCounts, initialize, pass, settle } from "../../payments/scripted-shop.ts";
import { atOnce, statuses } from "../../support/at-once.ts";
import { strikeAfter } from "../strike-after.ts";
import {
  asked,
  deliver,
  eventsAbout,
  faultsOf,
  ofOrder,
  openStripeShop,
  payByCard,
  payOnPage,
  refundsOf,
  type StripeShop,
} from "./stripe-shop.ts";

const HOUR_S = 3_600;
const DAY_S = 86_400;
const BANK_ASKS = "pm_card_threeDSecure2Required";

const statusOf = async ({ shop }: StripeShop, payment: string) =>
  (await shop.get(`/v2/payments/${payment}`)).at("/status");

describe("while its time to pay ends", () => {
  test("a page that is paid just before it is closed has paid the order", async () => {
    await using opened = await openStripeShop();
    const { id } = await opened.order();
    const payment = await initialize(opened.shop, { order_id: id });
    const close = opened.face.block("POST /v1/checkout/sessions/{id}/expire");

    const passing = pass(opened.shop, HOUR_S);
    await asked(opened, "/expire");
    await payOnPage(opened);
    close();
    await passing;

    expect(await statusOf(opened, payment.id)).toBe("succeeded");
    expect(await ofOrder(opened, id)).toEqual(["paid", 12.5, 0]);
    expect((await eventCounts(opened.shop, id))["order.paid"]).toBe(1);
    expect(await faultsOf(opened)).toEqual([]);
  });

  test("a card whose bank approves just before it is cancelled has paid the order", async () => {
    await using opened = await openStripeShop();
    const { id } = await opened.order();
    const payment = await payByCard(opened, id, BANK_ASKS);
    const intent = opened.face.account.intents.all()[0]?.id ?? "";
    const cancel = opened.face.block("POST /v1/payment_intents/{id}/cancel");

    const passing = pass(opened.shop, HOUR_S);
    await asked(opened, "/cancel");
    await opened.face.answerBank(intent, "approve");
    cancel();
    await passing;

    expect(await statusOf(opened, payment.id)).toBe("succeeded");
    expect(await ofOrder(opened, id)).toEqual(["paid", 12.5, 0]);
    expect(await faultsOf(opened)).toEqual([]);
  });

  test("a page and its notices at the same moment pay the order once, or not at all", async () => {
    await using opened = await openStripeShop();
    const { id } = await opened.order();
    const payment = await initialize(opened.shop, { order_id: id });
    await pass(opened.shop, HOUR_S - 1);
    opened.shop.clock.advance(1_000);
    opened.face.notices.arePrompt = true;

    await Promise.all([settle(opened.shop), payOnPage(opened)]);
    opened.face.notices.arePrompt = false;
    await opened.told();

    const isPaid = opened.face.account.charges.all().length === 1;
    const ended = [await statusOf(opened, payment.id), ...(await ofOrder(opened, id))];
    expect(ended).toEqual(isPaid ? ["succeeded", "paid", 12.5, 0] : ["expired", "unpaid", 0, 0]);
    expect(await faultsOf(opened)).toEqual([]);
  });

  test("a page that is closed takes no money", async () => {
    await using opened = await openStripeShop();
    const { id } = await opened.order();
    const payment = await initialize(opened.shop, { order_id: id });
    await pass(opened.shop, HOUR_S);

    const page = await payOnPage(opened);

    expect([await statusOf(opened, payment.id), page]).toEqual([
      "expired",
      expect.stringContaining("This session is expired."),
    ]);
    expect(opened.face.account.charges.all()).toEqual([]);
  });
});

describe("a page that Stripe did not close when its time was over, and that is paid after it", () => {
  async function openExpired() {
    const opened = await openStripeShop();
    const { id } = await opened.order();
    const payment = await initialize(opened.shop, { order_id: id });
    const expire = { call: "POST /v1/checkout/sessions/{id}/expire" };
    opened.face.faults.plan({ moment: "before", fault: { kind: "reset" } }, expire);
    await pass(opened.shop, HOUR_S);
    return { opened, orderId: id, before: await statusOf(opened, payment.id) };
  }

  test("pays the order that still waits for it", async () => {
    const { opened, orderId, before } = await openExpired();
    await using _ = opened;

    await payOnPage(opened);
    await opened.told();

    expect(before).toBe("expired");
    expect(await ofOrder(opened, orderId)).toEqual(["paid", 12.5, 0]);
    expect((await eventCounts(opened.shop, orderId))["order.paid"]).toBe(1);
    expect(await faultsOf(opened)).toEqual([]);
  });

  test("pays the order although the notice was lost", async () => {
    const { opened, orderId } = await openExpired();
    await using _ = opened;

    await payOnPage(opened);
    opened.face.notices.lose();
    await pass(opened.shop, 2 * HOUR_S);

    expect(await ofOrder(opened, orderId)).toEqual(["paid", 12.5, 0]);
  });

  test("gives the money back, once, where the order has expired as well", async () => {
    const { opened, orderId } = await openExpired();
    await using _ = opened;
    await pass(opened.shop, DAY_S);

    await payOnPage(opened);
    await opened.told();
    await pass(opened.shop, HOUR_S);

    expect((await opened.shop.get(`/v2/orders/${orderId}`)).at("/status")).toBe("cancelled");
    expect(await ofOrder(opened, orderId)).toEqual(["refunded", 12.5, 12.5]);
    expect(opened.face.account.refunds.all()).toHaveLength(1);
    expect(await faultsOf(opened)).toEqual([]);
  });
});

describe("an order that is cancelled while its card is charged", () => {
  test("before Stripe has begun takes no money", async () => {
    await using opened = await openStripeShop();
    const { id } = await opened.order();
    const confirm = opened.face.block("POST /v1/payment_intents/{id}/confirm");
    const paying = payByCard(opened, id);
    await asked(opened, "/confirm");

    await opened.shop.put(`/v2/orders/${id}/cancel`);
    await settle(opened.shop);
    confirm();
    await paying;
    await pass(opened.shop, HOUR_S);

    expect(opened.face.account.charges.all()).toEqual([]);
    expect(await ofOrder(opened, id)).toEqual(["unpaid", 0, 0]);
    expect(await faultsOf(opened)).toEqual([]);
  });

  test("before the shop has heard of it gives the money back, once", async () => {
    await using opened = await openStripeShop();
    const { id } = await opened.order();
    strikeAfter(opened.gateway, "initiate", () => opened.shop.put(`/v2/orders/${id}/cancel`));

    await payByCard(opened, id);
    await opened.told();
    await pass(opened.shop, HOUR_S);

    expect(await ofOrder(opened, id)).toEqual(["refunded", 12.5, 12.5]);
    expect(opened.face.account.refunds.all()).toHaveLength(1);
    expect(await faultsOf(opened)).toEqual([]);
  });

  test("whose answer is lost gives the money back, once", async () => {
    await using opened = await openStripeShop();
    const { id } = await opened.order();

    await opened.shop.beforeTimers(async () => {
      await payByCard(opened, id, "pm_test_timeoutPaid");
      await opened.shop.put(`/v2/orders/${id}/cancel`);
      opened.face.pass(5_000);
    });
    await opened.told();
    await pass(opened.shop, HOUR_S);

    expect(await ofOrder(opened, id)).toEqual(["refunded", 12.5, 12.5]);
    expect(opened.face.account.refunds.all()).toHaveLength(1);
    expect(await faultsOf(opened)).toEqual([]);
  });
});

describe("money that goes back in Stripe's dashboard before the shop has heard that it came", () => {
  async function openReturned() {
    const opened = await openStripeShop();
    const { id } = await opened.order({}, 2);
    await initialize(opened.shop, { order_id: id });
    await payOnPage(opened);
    const intent = opened.face.account.intents.all()[0]?.id ?? "";
    opened.face.dashboard.refund(intent, { amountMinor: 500 });
    opened.face.notices.lose();
    opened.shop.clock.advance(11_000);
    return { opened, orderId: id };
  }

  const returned = /^(?:refund\.|charge\.refunded$)/;
  const paid = /^(?:payment_intent\.succeeded|checkout\.session\.completed)$/;

  test("is paid and refunded where the refund is reported first", async () => {
    const { opened, orderId } = await openReturned();
    await using _ = opened;

    await deliver(opened, ...eventsAbout(opened, returned));
    await settle(opened.shop);
    await deliver(opened, ...eventsAbout(opened, paid));
    await settle(opened.shop);

    expect(await ofOrder(opened, orderId)).toEqual(["partially_refunded", 25, 5]);
    const counts = await eventCounts(opened.shop, orderId);
    expect([counts["order.paid"], counts["order.refunded"]]).toEqual([1, 1]);
    expect(await faultsOf(opened)).toEqual([]);
  });

  test("is paid and refunded where nothing but the refund is reported", async () => {
    const { opened, orderId } = await openReturned();
    await using _ = opened;

    await deliver(opened, ...eventsAbout(opened, returned));
    await pass(opened.shop, 60);

    expect(await ofOrder(opened, orderId)).toEqual(["partially_refunded", 25, 5]);
    expect(await faultsOf(opened)).toEqual([]);
  });
});

describe("two refunds of one amount", () => {
  test("that the shop makes at once are paid once each", async () => {
    await using opened = await openStripeShop();
    const { id } = await opened.order({}, 2);
    const payment = await payByCard(opened, id);

    const made = await atOnce(2, () =>
      opened.shop.post(`/v2/payments/${payment.id}/refunds`, { amount: 5 }),
    );
    await opened.face.notices.send({ copies: 3 });
    await opened.told();

    expect(statuses(made)).toEqual([201, 201]);
    expect(await refundsOf(opened, payment.id)).toEqual(["succeeded 5", "succeeded 5"]);
    expect(opened.face.account.refunds.all()).toHaveLength(2);
    expect(await ofOrder(opened, id)).toEqual(["partially_refunded", 25, 10]);
    expect(await faultsOf(opened)).toEqual([]);
  });

  test("that are made in the dashboard are taken over once each, however often they are reported", async () => {
    await using opened = await openStripeShop();
    const { id } = await opened.order({}, 2);
    const payment = await payByCard(opened, id);
    await opened.told();
    const intent = opened.face.account.intents.all()[0]?.id ?? "";

    opened.face.dashboard.refund(intent, { amountMinor: 500 });
    opened.face.dashboard.refund(intent, { amountMinor: 500 });
    await opened.face.notices.send({ copies: 3, order: "reversed" });
    await opened.told();

    expect(await refundsOf(opened, payment.id)).toEqual([
      "succeeded 5 elsewhere",
      "succeeded 5 elsewhere",
    ]);
    expect((await eventCounts(opened.shop, id))["order.refunded"]).toBe(2);
    expect(await faultsOf(opened)).toEqual([]);
  });
});

test("six requests of one key open one page at Stripe", async () => {
  await using opened = await openStripeShop();
  const link = { amount: 5, currency: "USD" };

  await atOnce(6, () => initialize(opened.shop, link, "key-1"));

  expect(opened.face.account.sessions.all()).toHaveLength(1);
  expect((await opened.shop.get("/v2/payments")).list("/data")).toHaveLength(1);
});
