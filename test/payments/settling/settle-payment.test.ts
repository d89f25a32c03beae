// Money is reported through several paths at once and is settled once, against what is due.

import { describe, expect, test } from "bun:test";

import fc from "fast-check";

import { pruneNoticesJob } from "#payments/routes/jobs.ts";

import { DAY_MS } from "../../sales/carts/basket.ts";
import { rowsBehind } from "../../support/behind-the-shop.ts";
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
} from "../scripted-shop.ts";

const shared = sharedScriptedShop();

describe("a payment", () => {
  test("is settled once, whichever path is first", async () => {
    const scripted = await openScriptedShop();
    await using shop = scripted.shop;
    const { gateway } = scripted;
    const order = await orderCounter(shop);
    const ways = fc.shuffledSubarray(
      ["return", "read", "notice", "copy", "other notice", "poll", "look"] as const,
      { minLength: 2 },
    );
    const turns = fc.array(fc.nat({ max: 4 }), { minLength: 40, maxLength: 40 });

    await fc.assert(
      fc.asyncProperty(ways, turns, async (taken, waits) => {
        const placed = await order();
        const payment = await initialize(shop, { order_id: placed.id });
        gateway.pay(payment.id);
        const rest = waits.values();
        const later = async () => {
          for (let left = rest.next().value ?? 0; left > 0; left -= 1) {
            await new Promise((resolve) => setImmediate(resolve));
          }
        };
        gateway.pause = later;
        const go = {
          return: () => shop.get(`/v2/payments/${payment.string("/reference")}`),
          read: () => shop.get(`/v2/payments/${payment.id}`),
          notice: () => notify(shop, gateway, { payment: payment.id, id: `${payment.id} a` }),
          copy: () => notify(shop, gateway, { payment: payment.id, id: `${payment.id} a` }),
          "other notice": () =>
            notify(shop, gateway, { payment: payment.id, id: `${payment.id} b` }),
          poll: () => settle(shop),
          look: () => shop.post(`/v2/payments/${payment.id}/cancel`),
        };

        shop.clock.advance(11_000);
        await Promise.all(
          taken.map(async (way) => {
            await later();
            await go[way]();
          }),
        );
        gateway.pause = async () => {};
        await pass(shop, 60);

        const emitted = await eventCounts(shop, placed.id);
        expect([
          emitted["order.paid"],
          emitted["payment.succeeded"],
          emitted["order.refunded"],
        ]).toEqual([1, 1, undefined]);
        const paid = await shop.get(`/v2/orders/${placed.id}`);
        expect([paid.at("/payment_status"), paid.at("/paid_total_minor")]).toEqual(["paid", 1250]);
      }),
      { numRuns: 60 },
    );
  }, 60_000);

  test("that is short goes to review, and counts when the merchant accepts it", async () => {
    const { shop } = shared;
    const placed = await (await orderCounter(shop))();
    const payment = await initialize(shop, { order_id: placed.id });
    await paidAtGateway(shared, payment.id, { amountMinor: 1000 });
    const doubted = await shop.get(`/v2/payments/${payment.id}`);
    const unpaid = await shop.get(`/v2/orders/${placed.id}`);

    const accepted = await shop.post(`/v2/payments/${payment.id}/accept`);

    expect([doubted.at("/status"), doubted.at("/received/amount")]).toEqual(["review", 10]);
    expect([unpaid.at("/payment_status"), unpaid.at("/paid_total")]).toEqual(["review", 0]);
    expect([accepted.status, accepted.at("/status")]).toEqual([200, "succeeded"]);
    const after = await shop.get(`/v2/orders/${placed.id}`);
    expect([after.at("/payment_status"), after.at("/due")]).toEqual(["partially_paid", 2.5]);
    const emitted = await eventCounts(shop, placed.id);
    expect([
      emitted["payment.review"],
      emitted["payment.succeeded"],
      emitted["order.paid"],
    ]).toEqual([1, 1, undefined]);
  });

  // Regression: money that the gateway reported after an acceptance in review failed as a bug.
  test("that was accepted before its outcome was known is not captured twice when it is reported", async () => {
    const scripted = await openScriptedShop();
    await using shop = scripted.shop;
    const { id } = await initialize(shop, { amount: 12.5, currency: "USD" });
    scripted.gateway.pause = () => Promise.reject(new Error("broken off"));
    await pass(shop, 73 * 3_600);
    const unknown = await shop.get(`/v2/payments/${id}`);
    const accepted = await shop.post(`/v2/payments/${id}/accept`);
    scripted.gateway.pause = async () => {};
    scripted.gateway.pay(id);

    const response = await notify(shop, scripted.gateway, { payment: id, id: "late" });
    await pass(shop, 60);

    const { body } = await shop.get(`/v2/payments/${id}`);
    const emitted = (await shop.announcedNames()).filter((name) => name === "payment.succeeded");
    expect([unknown.at("/status"), accepted.at("/received"), response.status]).toEqual([
      "review",
      null,
      200,
    ]);
    expect(body).toMatchObject({ status: "succeeded", received: { amount_minor: 1250 } });
    expect(emitted).toHaveLength(1);
  });

  test.each([
    [0, "amount_too_small"],
    [1.005, "amount_precision"],
    [1, "amount_not_whole"],
  ])("in review answers a refund of %p with %s", async (amount, code) => {
    const { shop } = shared;
    const payment = await initialize(shop, { amount: 12.5, currency: "USD" });
    await paidAtGateway(shared, payment.id, { amountMinor: 1000 });

    const refused = await shop.post(`/v2/payments/${payment.id}/refunds`, { amount });

    expect([refused.status, refused.faults]).toEqual([422, [`#/amount ${code}`]]);
  });

  test("in review is refunded in the digits of the currency that arrived", async () => {
    const { shop } = shared;
    const payment = await initialize(shop, { amount: 12.5, currency: "USD" });
    await paidAtGateway(shared, payment.id, { currency: "UGX" });

    const refused = await shop.post(`/v2/payments/${payment.id}/refunds`, { amount: 12.5 });
    const refunded = await shop.post(`/v2/payments/${payment.id}/refunds`, { amount: 1250 });

    expect(refused.faults).toEqual(["#/amount amount_precision"]);
    expect([refunded.at("/amount"), refunded.at("/currency")]).toEqual([1250, "UGX"]);
  });

  test("in another currency goes to review, and is refunded in full", async () => {
    const { shop } = shared;
    const placed = await (await orderCounter(shop))();
    const payment = await initialize(shop, { order_id: placed.id });
    await paidAtGateway(shared, payment.id, { currency: "GHS" });

    const refunded = await shop.post(`/v2/payments/${payment.id}/refunds`);

    expect([refunded.status, refunded.at("/currency"), refunded.at("/amount")]).toEqual([
      201,
      "GHS",
      12.5,
    ]);
    const after = await shop.get(`/v2/payments/${payment.id}`);
    expect(after.at("/status")).toBe("refunded");
    const order = await shop.get(`/v2/orders/${placed.id}`);
    expect([order.at("/paid_total"), order.at("/refunded_total")]).toEqual([0, 0]);
  });

  test("of more than was due is captured, and the rest goes back", async () => {
    const { shop } = shared;
    const placed = await (await orderCounter(shop))();
    const payment = await initialize(shop, { order_id: placed.id });

    await paidAtGateway(shared, payment.id, { amountMinor: 1500 });

    const order = await shop.get(`/v2/orders/${placed.id}`);
    expect(order.body).toMatchObject({
      payment_status: "partially_refunded",
      paid_total: 15,
      refunded_total: 2.5,
      due: 0,
    });
    const names = await eventCounts(shop, placed.id);
    expect([names["order.paid"], names["order.refunded"]]).toEqual([1, 1]);
  });
});

describe("late money", () => {
  test("for a cancelled order is refunded once", async () => {
    const scripted = await openScriptedShop();
    await using shop = scripted.shop;
    const placed = await (await orderCounter(shop))();
    const payment = await initialize(shop, { order_id: placed.id });
    await shop.put(`/v2/orders/${placed.id}/cancel`);
    await pass(shop, 1);
    scripted.gateway.pay(payment.id);

    await pass(shop, 3600);
    await notify(shop, scripted.gateway, { payment: payment.id, id: "late" });
    await pass(shop, 60);

    const order = await shop.get(`/v2/orders/${placed.id}`);
    expect([order.at("/status"), order.at("/payment_status")]).toEqual(["cancelled", "refunded"]);
    expect(scripted.gateway.refunds.size).toBe(1);
    const emitted = await eventCounts(shop, placed.id);
    expect([emitted["order.refunded"], emitted["order.paid"]]).toEqual([1, undefined]);
  });

  test("of a second attempt is refunded, and the first is kept", async () => {
    const { shop, gateway } = shared;
    const placed = await (await orderCounter(shop))();
    const first = await initialize(shop, { order_id: placed.id });
    const other = { method: "mobile_money", phone: "+233551234000" };
    const second = await initialize(shop, { order_id: placed.id, ...other });
    gateway.pay(first.id);
    gateway.pay(second.id);

    await notify(shop, gateway, { payment: first.id, id: `${first.id} a` });
    await notify(shop, gateway, { payment: second.id, id: `${second.id} a` });
    await settle(shop);

    const order = await shop.get(`/v2/orders/${placed.id}`);
    expect([order.at("/paid_total"), order.at("/refunded_total")]).toEqual([25, 12.5]);
    const states = await Promise.all(
      [first, second].map(async ({ id }) => (await shop.get(`/v2/payments/${id}`)).at("/status")),
    );
    expect(new Set(states)).toEqual(new Set(["refunded", "succeeded"]));
    expect((await eventCounts(shop, placed.id))["order.paid"]).toBe(1);
  });

  test.each([2, 12.5])(
    "of a second attempt is refunded whole, also after %p of the first was given back",
    async (amount) => {
      const { shop } = shared;
      const placed = await (await orderCounter(shop))();
      const first = await initialize(shop, { order_id: placed.id });
      const other = { method: "mobile_money", phone: "+233551234000" };
      const second = await initialize(shop, { order_id: placed.id, ...other });
      await paidAtGateway(shared, first.id);
      await shop.post(`/v2/payments/${first.id}/refunds`, { amount });

      await paidAtGateway(shared, second.id);

      const { body } = await shop.get(`/v2/payments/${second.id}`);
      expect(body).toMatchObject({ status: "refunded", refunded_total: 12.5 });
      const order = await shop.get(`/v2/orders/${placed.id}`);
      expect(order.at("/refunded_total")).toBe(12.5 + amount);
    },
  );

  test("after the attempt expired is captured while it is still due", async () => {
    const scripted = await openScriptedShop();
    await using shop = scripted.shop;
    const placed = await (await orderCounter(shop))();
    const payment = await initialize(shop, { order_id: placed.id });
    await pass(shop, 3700);
    const expired = await shop.get(`/v2/payments/${payment.id}`);
    scripted.gateway.pay(payment.id);

    await pass(shop, 3 * 3600);

    expect(expired.at("/status")).toBe("expired");
    const order = await shop.get(`/v2/orders/${placed.id}`);
    expect(order.at("/payment_status")).toBe("paid");
    const emitted = await eventCounts(shop, placed.id);
    expect([
      emitted["payment.failed"],
      emitted["payment.succeeded"],
      emitted["order.paid"],
    ]).toEqual([1, 1, 1]);
  });
});

describe("a notice", () => {
  test("that the gateway did not sign changes nothing", async () => {
    const { shop, gateway } = shared;
    const placed = await (await orderCounter(shop))();
    const payment = await initialize(shop, { order_id: placed.id });
    gateway.pay(payment.id);

    const answer = await notify(shop, gateway, {
      payment: payment.id,
      id: "a",
      signature: "wrong",
    });
    await settle(shop);

    expect(answer.status).toBe(401);
    expect(gateway.polls).toBe(0);
  });

  test("is kept for 90 days, and then deleted", async () => {
    const { shop: opened, gateway } = await openScriptedShop();
    await using shop = opened;
    const payment = await initialize(shop, { amount: 5, currency: "USD" });
    const remembered = async () =>
      (await rowsBehind(shop.folder.path, "SELECT dedup_key FROM gateway_notices")).length;
    await notify(shop, gateway, { payment: payment.id, id: "a" });
    shop.clock.advance(90 * DAY_MS);
    await notify(shop, gateway, { payment: payment.id, id: "b" });

    await pruneNoticesJob([shop.test]).run();
    const kept = await remembered();
    shop.clock.advance(1);
    await pruneNoticesJob([shop.test]).run();

    expect([kept, await remembered()]).toEqual([2, 1]);
  });

  test("causes one poll, however often it arrives", async () => {
    const { shop, gateway } = shared;
    const placed = await (await orderCounter(shop))();
    const payment = await initialize(shop, { order_id: placed.id });
    gateway.pay(payment.id);

    const answers = [];
    for (const id of ["a", "a", "a"]) {
      answers.push((await notify(shop, gateway, { payment: payment.id, id })).status);
      await settle(shop);
    }

    expect(answers).toEqual([200, 200, 200]);
    expect(gateway.polls).toBe(1);
    expect((await shop.get(`/v2/orders/${placed.id}`)).at("/payment_status")).toBe("paid");
  });
});
