// Refunds that the shop did not make, or that come back: the gateway's books are taken over.

import { describe, expect, test } from "bun:test";

import type { RefundOutcome } from "#payments/port/gateway.ts";
import { paymentTimers } from "#payments/routes/jobs.ts";
import { paymentTimerNames } from "#payments/rows/payment.ts";
import { dueTimeOf } from "#platform/scheduler/timers.ts";

import { notSent, type ScriptedGateway } from "../../support/scripted-gateway.ts";
import type { TestShop } from "../../support/shop.ts";
import {
  initialize,
  notify,
  openScriptedShop,
  orderCounter,
  paidAtGateway,
  pass,
  settle,
  sharedScriptedShop,
} from "../scripted-shop.ts";

const shared = sharedScriptedShop();

/** An order of 25.00 that is paid. */
async function paidOrder(scripted = shared) {
  const { shop, gateway } = scripted;
  const order = await (await orderCounter(shop))({}, 2);
  const payment = await initialize(shop, { order_id: order.id });
  await paidAtGateway(scripted, payment.id);
  await shop.announced();
  const reported = async (id = "reported") => {
    // By then the gateway is polled again.
    shop.clock.advance(11_000);
    await notify(shop, gateway, {
      payment: payment.id,
      id: `${payment.id} ${id}`,
      topic: "refund",
    });
    await settle(shop);
  };
  return { shop, gateway, orderId: order.id, paymentId: payment.id, reported };
}

const ofOrder = async (shop: TestShop, id: string) => {
  const order = await shop.get(`/v2/orders/${id}`);
  return [order.at("/payment_status"), order.at("/refunded_total"), order.at("/due")];
};

const ofPayment = async (shop: TestShop, id: string) => {
  const payment = await shop.get(`/v2/payments/${id}`);
  return [payment.at("/status"), payment.at("/refunded_total")];
};

describe("a refund that was made in the gateway's dashboard", () => {
  test("is on the payment and its order once its notice came, and moves no units", async () => {
    const opened = await paidOrder();
    const { shop } = opened;
    opened.gateway.refundElsewhere(opened.paymentId, 1000);

    await opened.reported();
    await opened.reported("again");

    expect(await ofPayment(shop, opened.paymentId)).toEqual(["partially_refunded", 10]);
    expect((await ofOrder(shop, opened.orderId)).slice(0, 2)).toEqual(["partially_refunded", 10]);
    const { body } = await shop.get(`/v2/payments/${opened.paymentId}`);
    expect(body).toMatchObject({
      refunds: [{ external: true, status: "succeeded", amount: 10, line_items: [] }],
    });
    expect(await shop.announcedNames()).toEqual(["order.refunded"]);
    expect(opened.gateway.payouts).toBe(0);
    const events = await shop.get(`/v2/orders/${opened.orderId}/events`);
    const refunded = events
      .list("/data")
      .map(Object)
      .find(({ type }) => type === "order.refunded");
    expect(refunded.actor).toEqual({ type: "gateway", id: "scripted", name: null });
  });

  test("beside one of the shop's own is taken over once, and the own one is not doubled", async () => {
    const opened = await paidOrder();
    const { shop } = opened;
    await shop.post(`/v2/payments/${opened.paymentId}/refunds`, { amount: 5 });
    opened.gateway.refundElsewhere(opened.paymentId, 500);

    await opened.reported();

    expect(await ofPayment(shop, opened.paymentId)).toEqual(["partially_refunded", 10]);
    const { body } = await shop.get(`/v2/payments/${opened.paymentId}`);
    expect(body).toMatchObject({ refunds: [{ external: false }, { external: true }] });
  });

  test("leaves that much less to refund", async () => {
    const opened = await paidOrder();
    const { shop } = opened;
    opened.gateway.refundElsewhere(opened.paymentId, 2000);
    await opened.reported();

    const more = await shop.post(`/v2/payments/${opened.paymentId}/refunds`, { amount: 5.01 });
    const rest = await shop.post(`/v2/payments/${opened.paymentId}/refunds`, { amount: 5 });

    expect([more.status, more.code]).toEqual([409, "refund_exceeds_captured"]);
    expect(rest.status).toBe(201);
    expect(await ofPayment(shop, opened.paymentId)).toEqual(["refunded", 25]);
  });

  test("and is not done yet is polled, not sent, until it is", async () => {
    const opened = await paidOrder(await openScriptedShop());
    await using shop = opened.shop;
    const asked: string[] = [];
    opened.gateway.refundElsewhere(opened.paymentId, 1000);
    opened.gateway.elsewhereIs = "processing";
    opened.gateway.verifyRefund = async ({ gatewayRefundId }) => {
      asked.push(gatewayRefundId ?? "");
      return { kind: "succeeded", gatewayRefundId };
    };
    await opened.reported();
    const before = await ofPayment(shop, opened.paymentId);

    await pass(shop, 3600);

    expect(before).toEqual(["succeeded", 0]);
    expect(asked).toEqual(["elsewhere-0"]);
    expect(await ofPayment(shop, opened.paymentId)).toEqual(["partially_refunded", 10]);
    expect(opened.gateway.payouts).toBe(0);
  });

  test("while one of the shop's is on its way is not taken for it, and never sent", async () => {
    const opened = await paidOrder(await openScriptedShop());
    await using shop = opened.shop;
    opened.gateway.nextRefund = { kind: "unknown" };
    await shop.post(`/v2/payments/${opened.paymentId}/refunds`, { amount: 5 });
    opened.gateway.refundElsewhere(opened.paymentId, 700);

    await opened.reported();
    await pass(shop, 3600);

    expect(await ofPayment(shop, opened.paymentId)).toEqual(["partially_refunded", 12]);
    expect(opened.gateway.refunds.size).toBe(1);
  });
});

describe("a refund made elsewhere that is more than an open one of the shop leaves", () => {
  /** A refund of 20.00 that the gateway answers so, and one of 25.00 in its dashboard. */
  async function openExceeded(answer: RefundOutcome) {
    const opened = await paidOrder(await openScriptedShop());
    opened.gateway.nextRefund = answer;
    await opened.shop.post(`/v2/payments/${opened.paymentId}/refunds`, { amount: 20 });
    await opened.shop.announced();
    opened.gateway.refundElsewhere(opened.paymentId, 2500);
    await opened.reported();
    return opened;
  }

  const refundsOf = async (shop: TestShop, id: string) =>
    (await shop.get(`/v2/payments/${id}`))
      .list("/refunds")
      .map(Object)
      .map(({ status, attention, amount, failure_reason }) =>
        [amount, status, attention, failure_reason].join(" "),
      );

  test("has the open one seen to by a person, who is told why, once", async () => {
    const opened = await openExceeded({ kind: "processing", gatewayRefundId: "r-1" });
    await using shop = opened.shop;
    await opened.reported("again");

    expect(await refundsOf(shop, opened.paymentId)).toEqual([
      "20 needs_attention gateway refunded_elsewhere",
    ]);
    const announced = await shop.announced();
    expect(announced).toMatchObject([
      { event: "refund.needs_attention", data: { reason: "gateway", amount: 20 } },
    ]);
  });

  test("is taken over as soon as the open one failed", async () => {
    const opened = await openExceeded({ kind: "processing", gatewayRefundId: "r-1" });
    await using shop = opened.shop;
    opened.gateway.nextRefund = { kind: "failed", gatewayCode: "spent", gatewayRefundId: "r-1" };

    await pass(shop, 3_700);

    expect(await refundsOf(shop, opened.paymentId)).toEqual(["20 failed  spent", "25 succeeded  "]);
    expect(await ofPayment(shop, opened.paymentId)).toEqual(["refunded", 25]);
  });

  test("is taken over as soon as the gateway's list shows that it never had the open one", async () => {
    const opened = await openExceeded({ kind: "unknown" });
    await using shop = opened.shop;

    await pass(shop, 1_800);

    expect(await refundsOf(shop, opened.paymentId)).toEqual([
      "20 failed  refunded_elsewhere",
      "25 succeeded  ",
    ]);
    expect(await ofPayment(shop, opened.paymentId)).toEqual(["refunded", 25]);
  });

  test("is taken over where the open one was not sent yet, which is not sent any more", async () => {
    const opened = await openExceeded(notSent);
    await using shop = opened.shop;
    const before = opened.gateway.payouts;

    await pass(shop, 2 * 86_400);

    expect(await refundsOf(shop, opened.paymentId)).toEqual([
      "20 failed  refunded_elsewhere",
      "25 succeeded  ",
    ]);
    expect(await ofPayment(shop, opened.paymentId)).toEqual(["refunded", 25]);
    expect(opened.gateway.payouts).toBe(before);
  });
});

describe("a refund that could not be sent", () => {
  /** One of 5.00, that waits for the gateway to be reached. */
  async function openUnsent() {
    const opened = await paidOrder(await openScriptedShop());
    opened.gateway.nextRefund = notSent;
    const path = `/v2/payments/${opened.paymentId}/refunds`;
    const refund = await opened.shop.post(path, { amount: 5 });
    return { ...opened, refundId: refund.id };
  }

  test("is not sent once as much was refunded in the dashboard, and a person may send it", async () => {
    const opened = await openUnsent();
    await using shop = opened.shop;
    opened.gateway.refundElsewhere(opened.paymentId, 500);
    await opened.reported();

    await pass(shop, 7_200);
    const refund = await shop.get(`/v2/refunds/${opened.refundId}`);
    const meanwhile = await ofPayment(shop, opened.paymentId);
    await shop.post(`/v2/refunds/${opened.refundId}/retry`);

    expect([refund.at("/status"), refund.at("/failure_reason")]).toEqual([
      "failed",
      "refunded_elsewhere",
    ]);
    expect(meanwhile).toEqual(["partially_refunded", 5]);
    expect(await ofPayment(shop, opened.paymentId)).toEqual(["partially_refunded", 10]);
  });

  test("is not sent again by a timer that fired before the call ended", async () => {
    const opened = await openUnsent();
    await using shop = opened.shop;
    const work = paymentTimers.find(({ name }) => name === paymentTimerNames.refund);
    if (work === undefined || !("runWith" in work)) throw new Error("Refunds go to a gateway.");
    const claimedUntil = shop.clock.now() + 60_000;

    await work.runWith(
      shop.test,
      opened.refundId,
      async (tx) => (await dueTimeOf(tx, work.name, opened.refundId)) === claimedUntil,
    );

    expect(opened.gateway.payouts).toBe(1);
  });

  test("is sent beside another amount that was refunded in the dashboard", async () => {
    const opened = await openUnsent();
    await using shop = opened.shop;
    opened.gateway.refundElsewhere(opened.paymentId, 400);
    await opened.reported();

    await pass(shop, 7_200);

    expect(await ofPayment(shop, opened.paymentId)).toEqual(["partially_refunded", 9]);
  });
});

/** The customer's bank sends back a refund of the shop. */
function bounce(gateway: ScriptedGateway): void {
  for (const reference of gateway.refunds.keys()) gateway.bounced.add(`r-${reference}`);
}

describe("a refund that fails after it succeeded", () => {
  test("is failed, and the payment and its order have the money again", async () => {
    const opened = await paidOrder();
    const { shop } = opened;
    await shop.post(`/v2/payments/${opened.paymentId}/refunds`, { amount: 25 });
    await shop.announced();
    bounce(opened.gateway);

    await opened.reported();

    expect(await ofPayment(shop, opened.paymentId)).toEqual(["succeeded", 0]);
    expect((await ofOrder(shop, opened.orderId)).slice(0, 2)).toEqual(["paid", 0]);
    expect(await shop.announcedNames()).toEqual(["refund.failed"]);
  });

  test("in part leaves what other refunds gave back", async () => {
    const opened = await paidOrder();
    const { shop } = opened;
    await shop.post(`/v2/payments/${opened.paymentId}/refunds`, { amount: 15 });
    bounce(opened.gateway);
    await shop.post(`/v2/payments/${opened.paymentId}/refunds`, { amount: 10 });

    await opened.reported();

    expect(await ofPayment(shop, opened.paymentId)).toEqual(["partially_refunded", 10]);
  });

  test("can be sent again, as a new try", async () => {
    const opened = await paidOrder();
    const { shop } = opened;
    const made = await shop.post(`/v2/payments/${opened.paymentId}/refunds`, { amount: 25 });
    bounce(opened.gateway);
    await opened.reported();

    const again = await shop.post(`/v2/refunds/${made.id}/retry`);

    expect(again.at("/status")).toBe("succeeded");
    expect(await ofPayment(shop, opened.paymentId)).toEqual(["refunded", 25]);
    expect(opened.gateway.refunds.size).toBe(2);
  });

  test("and was made at the gateway cannot be sent by the shop, and can be closed", async () => {
    const opened = await paidOrder();
    const { shop } = opened;
    opened.gateway.refundElsewhere(opened.paymentId, 1000);
    await opened.reported();
    opened.gateway.bounced.add("elsewhere-0");
    await opened.reported("bounced");
    const payment = await shop.get(`/v2/payments/${opened.paymentId}`);
    const id = payment.string("/refunds/0/id");

    const again = await shop.post(`/v2/refunds/${id}/retry`);
    const closed = await shop.post(`/v2/refunds/${id}/close`, { note: "Handed over in cash." });

    expect([again.status, again.code]).toEqual([409, "invalid_transition"]);
    expect(closed.at("/status")).toBe("closed");
    expect(opened.gateway.payouts).toBe(0);
  });
});

describe("a refund that succeeded at a gateway whose refunds may fail late", () => {
  const WEEK_SECONDS = 7 * 86_400;

  async function openRefunded(refundsFailLate = true) {
    const opened = await paidOrder(await openScriptedShop());
    opened.gateway.refundsFailLate = refundsFailLate;
    await opened.shop.post(`/v2/payments/${opened.paymentId}/refunds`, { amount: 25 });
    await opened.shop.announced();
    return opened;
  }

  test("is found failed within a week, though no notice came", async () => {
    const opened = await openRefunded();
    await using shop = opened.shop;
    await pass(shop, 3 * WEEK_SECONDS);
    bounce(opened.gateway);

    await pass(shop, WEEK_SECONDS);

    expect(await ofPayment(shop, opened.paymentId)).toEqual(["succeeded", 0]);
    expect(await shop.announcedNames()).toEqual(["refund.failed"]);
  });

  test("is found failed though as much went back elsewhere", async () => {
    const opened = await openRefunded();
    await using shop = opened.shop;
    bounce(opened.gateway);
    opened.gateway.refundElsewhere(opened.paymentId, 2500);

    await pass(shop, WEEK_SECONDS);

    expect(await ofPayment(shop, opened.paymentId)).toEqual(["refunded", 25]);
    expect(await shop.announcedNames()).toEqual(["refund.failed", "order.refunded"]);
  });

  test("is polled for 35 days", async () => {
    const opened = await openRefunded();
    await using shop = opened.shop;
    const before = opened.gateway.polls;

    await pass(shop, 12 * WEEK_SECONDS);

    expect(opened.gateway.polls - before).toBe(5);
  });

  test("is polled from anew once it was sent again", async () => {
    const opened = await openRefunded();
    await using shop = opened.shop;
    await pass(shop, 4 * WEEK_SECONDS);
    bounce(opened.gateway);
    await pass(shop, WEEK_SECONDS);
    const payment = await shop.get(`/v2/payments/${opened.paymentId}`);
    await shop.post(`/v2/refunds/${payment.string("/refunds/0/id")}/retry`);
    const before = opened.gateway.polls;

    await pass(shop, 12 * WEEK_SECONDS);

    expect(opened.gateway.polls - before).toBe(5);
  });

  test("is not polled at a gateway whose refunds are final", async () => {
    const opened = await openRefunded(false);
    await using shop = opened.shop;
    const before = opened.gateway.polls;

    await pass(shop, 12 * WEEK_SECONDS);

    expect(opened.gateway.polls).toBe(before);
  });
});
