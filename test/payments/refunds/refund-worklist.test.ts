// The worklist of refunds: those that failed or need attention are listed, retried and closed, and each is
// announced.

import { describe, expect, test } from "bun:test";

import { atOnce, statuses } from "../../support/at-once.ts";
import type { Answered, TestShop } from "../../support/shop.ts";
import { auditsOf, dayPasses, paidMug, refundsSent } from "../refund-counter.ts";
import {
  eventCounts,
  initialize,
  openScriptedShop,
  orderCounter,
  paidAtGateway,
  pass,
  settle,
  sharedScriptedShop,
} from "../scripted-shop.ts";

const shared = sharedScriptedShop();

const failure = { kind: "failed", gatewayCode: "account_closed", gatewayRefundId: null } as const;
const question = { kind: "needs_attention", gatewayRefundId: "r-1" } as const;

/** A paid mug whose refund the gateway answers so. */
async function refundedMug(answer: typeof failure | typeof question, scripted = shared) {
  const sale = await paidMug(scripted);
  sale.gateway.nextRefund = answer;
  const refund = await sale.shop.post(`/v2/payments/${sale.payment.id}/refunds`, {
    note: "Broken",
  });
  return { ...sale, refund };
}

const retry = (shop: TestShop, refund: Answered) => shop.post(`/v2/refunds/${refund.id}/retry`);
const close = (shop: TestShop, refund: Answered, note = "In cash") =>
  shop.post(`/v2/refunds/${refund.id}/close`, { note });

describe("a refund that fails", () => {
  test("is announced once, with its order, its customer and its reason", async () => {
    const sale = await refundedMug(failure, await openScriptedShop());
    await using shop = sale.shop;
    await dayPasses(shop);

    const events = (await shop.announced()).filter(({ event }) => event === "refund.failed");

    expect(events).toMatchObject([
      {
        data: {
          refund_id: sale.refund.id,
          payment_id: sale.payment.id,
          order_id: sale.placed.id,
          amount: 12.5,
          amount_minor: 1250,
          currency: "USD",
          channel: "online_store",
          customer: { email: "ada@example.com" },
          reason: null,
          refund: { status: "failed", failure_reason: "account_closed", note: "Broken" },
        },
      },
    ]);
  });

  test("is retried as a new try, which the gateway pays", async () => {
    const sale = await refundedMug(failure);
    const { shop } = sale;

    const retried = await retry(shop, sale.refund);

    expect([retried.status, retried.at("/status"), retried.at("/failure_reason")]).toEqual([
      200,
      "succeeded",
      null,
    ]);
    expect(refundsSent(sale.gateway)).toEqual([1250]);
    expect([...sale.gateway.refunds.keys()]).not.toContain(sale.refund.id);
    const order = await shop.get(`/v2/orders/${sale.placed.id}`);
    expect([order.at("/payment_status"), order.at("/refunded_total")]).toEqual(["refunded", 12.5]);
    expect(await auditsOf(shop)).toEqual([]);
  });

  test("keeps one name at the gateway while a retry has no answer", async () => {
    const sale = await refundedMug(failure, await openScriptedShop());
    await using shop = sale.shop;
    sale.gateway.nextRefund = { kind: "unknown" };

    const retried = await retry(shop, sale.refund);
    await pass(shop, 3_600);

    expect(retried.at("/status")).toBe("pending");
    expect((await shop.get(`/v2/refunds/${sale.refund.id}`)).at("/status")).toBe("succeeded");
    expect(refundsSent(sale.gateway)).toEqual([1250]);
    expect(sale.gateway.payouts).toBe(3);
  });

  test("fails again and is announced again", async () => {
    const sale = await refundedMug(failure);
    const { shop } = sale;
    sale.gateway.nextRefund = failure;

    const retried = await retry(shop, sale.refund);

    expect([retried.status, retried.at("/status")]).toEqual([200, "failed"]);
    expect((await eventCounts(shop, sale.placed.id))["refund.failed"]).toBe(2);
    expect((await shop.get(`/v2/orders/${sale.placed.id}`)).at("/payment_status")).toBe("paid");
  });

  test("is neither retried nor closed once its amount was refunded otherwise", async () => {
    const sale = await refundedMug(failure);
    const { shop } = sale;
    await shop.post(`/v2/payments/${sale.payment.id}/refunds`, { amount: 5 });
    await shop.announced();

    const refused = [await retry(shop, sale.refund), await close(shop, sale.refund)];

    expect(refused.map((one) => [one.status, one.code, one.at("/refundable_minor")])).toEqual([
      [409, "refund_exceeds_captured", 750],
      [409, "refund_exceeds_captured", 750],
    ]);
    expect(await shop.announcedNames()).toEqual([]);
    expect((await shop.get(`/v2/refunds/${sale.refund.id}`)).at("/status")).toBe("failed");
  });

  test.each([
    ["with what goes back of the next unit", {}, [1250, 1250]],
    ["alone where the money of the next unit is kept", { refund: false }, [1250]],
  ])("is tried again %s, and no one can pay it a second time", async (_, body, sent) => {
    const { shop, gateway } = shared;
    const placed = await (await orderCounter(shop))({}, 2);
    const { id: paymentId } = await initialize(shop, { order_id: placed.id });
    await paidAtGateway(shared, paymentId);
    gateway.nextRefund = failure;
    const line_items = [{ line_item_id: placed.string("/line_items/0/id"), quantity: 1 }];
    const headers = { "Idempotency-Key": placed.id };
    await shop.put(`/v2/orders/${placed.id}/cancel`, { line_items }, { headers });
    await settle(shop);
    const worklist = async () =>
      (await shop.get(`/v2/refunds?status=failed&order_id=${placed.id}`)).list("/data");
    const before = await worklist();

    await shop.put(`/v2/orders/${placed.id}/cancel`, body);
    await settle(shop);

    expect([before.length, await worklist()]).toEqual([1, []]);
    expect(refundsSent(gateway)).toEqual(sent);
    expect((await shop.get(`/v2/refunds?order_id=${placed.id}`)).list("/data")).toHaveLength(
      sent.length,
    );
    expect(await auditsOf(shop)).toEqual([]);
  });

  test("of a payment link is announced without an order", async () => {
    const sale = await paidMug(shared, { isLink: true });
    const { shop } = sale;
    sale.gateway.nextRefund = failure;

    const refund = await shop.post(`/v2/payments/${sale.payment.id}/refunds`, {});

    expect((await shop.announced()).at(-1)).toMatchObject({
      event: "refund.failed",
      data: {
        refund_id: refund.id,
        order_id: null,
        number: null,
        channel: null,
        customer: { id: null, email: null },
      },
    });
  });
});

describe("a refund that needs attention", () => {
  test("is announced once, however often the gateway says so", async () => {
    const sale = await refundedMug(question, await openScriptedShop());
    await using shop = sale.shop;
    sale.gateway.nextRefund = question;
    await pass(shop, 3_600);

    const events = (await shop.announced()).filter((one) => one.event.startsWith("refund."));

    expect(events).toMatchObject([
      { event: "refund.needs_attention", data: { reason: "gateway", refund: { amount: 12.5 } } },
    ]);
  });

  test("is closed, and then counts as refunded", async () => {
    const sale = await refundedMug(question);
    const { shop } = sale;

    const closed = await close(shop, sale.refund, "By M-Pesa, QGH7");

    expect(closed.status).toBe(200);
    expect(closed.body).toMatchObject({
      status: "closed",
      attention: null,
      note: "Broken",
      close_note: "By M-Pesa, QGH7",
      succeeded_at: null,
    });
    const payment = await shop.get(`/v2/payments/${sale.payment.id}`);
    expect([payment.at("/status"), payment.at("/refunded_total")]).toEqual(["refunded", 12.5]);
    const order = await shop.get(`/v2/orders/${sale.placed.id}`);
    expect([order.at("/payment_status"), order.at("/refunded_total")]).toEqual(["refunded", 12.5]);
    expect((await eventCounts(shop, sale.placed.id))["order.refunded"]).toBe(1);
    expect(await auditsOf(shop)).toEqual([]);
  });

  test("and was closed is announced as paid twice, once, when the gateway pays it later", async () => {
    const sale = await refundedMug(question, await openScriptedShop());
    await using shop = sale.shop;
    await close(shop, sale.refund);
    await shop.announced();

    await dayPasses(shop);

    expect(await shop.announced()).toMatchObject([
      {
        event: "refund.needs_attention",
        data: { reason: "paid_twice", refund: { status: "closed", attention: "paid_twice" } },
      },
    ]);
    const order = await shop.get(`/v2/orders/${sale.placed.id}`);
    expect([order.at("/refunded_total"), order.at("/due")]).toEqual([12.5, 0]);
    expect((await shop.get("/v2/test/timers")).text).not.toContain("send_refund");
    expect(await auditsOf(shop)).toEqual([]);
  });

  test("is announced as paid twice when it is closed while the gateway pays it", async () => {
    const sale = await refundedMug(question, await openScriptedShop());
    await using shop = sale.shop;
    const asked = Promise.withResolvers<void>();
    const answered = Promise.withResolvers<void>();
    sale.gateway.pause = () => (asked.resolve(), answered.promise);

    shop.clock.advance(3_600_000);
    const polled = settle(shop);
    await asked.promise;
    const closed = await close(shop, sale.refund);
    answered.resolve();
    await polled;

    expect(closed.at("/status")).toBe("closed");
    const after = await shop.get(`/v2/refunds/${sale.refund.id}`);
    expect([after.at("/status"), after.at("/attention")]).toEqual(["closed", "paid_twice"]);
    expect((await eventCounts(shop, sale.placed.id))["order.refunded"]).toBe(1);
  });

  test("stands there after the last poll without an outcome", async () => {
    const sale = await refundedMug(failure, await openScriptedShop());
    await using shop = sale.shop;
    sale.gateway.refund = async () => ({ kind: "unknown" });
    await retry(shop, sale.refund);

    await pass(shop, 31 * 86_400);

    const stuck = await shop.get(`/v2/refunds/${sale.refund.id}`);
    expect([stuck.at("/status"), stuck.at("/attention")]).toEqual([
      "needs_attention",
      "no_outcome",
    ]);
    expect((await close(shop, sale.refund)).at("/status")).toBe("closed");
  });
});

describe("at once", () => {
  test("two retries send a refund once", async () => {
    const sale = await refundedMug(failure);
    const { shop } = sale;

    const answers = await atOnce(4, () => retry(shop, sale.refund));

    expect(statuses(answers)).toEqual([200, 409, 409, 409]);
    expect(refundsSent(sale.gateway)).toEqual([1250]);
    expect(await auditsOf(shop)).toEqual([]);
  });

  test("a retry and a close give the money back once", async () => {
    const sale = await refundedMug(failure);
    const { shop } = sale;

    const answers = await Promise.all([retry(shop, sale.refund), close(shop, sale.refund)]);

    expect(statuses(answers)).toEqual([200, 409]);
    const order = await shop.get(`/v2/orders/${sale.placed.id}`);
    expect(order.at("/refunded_total")).toBe(12.5);
    expect((await eventCounts(shop, sale.placed.id))["order.refunded"]).toBe(1);
    expect(await auditsOf(shop)).toEqual([]);
  });

  test("two closes end a refund once", async () => {
    const sale = await refundedMug(question);
    const { shop } = sale;

    const answers = await atOnce(3, () => close(shop, sale.refund));

    expect(statuses(answers)).toEqual([200, 200, 200]);
    expect((await eventCounts(shop, sale.placed.id))["order.refunded"]).toBe(1);
  });

  test("two closes with other notes end a refund once, and one of them learns of it", async () => {
    const sale = await refundedMug(question);
    const { shop } = sale;
    const notes = ["In cash", "By transfer"];

    const answers = await Promise.all(notes.map((note) => close(shop, sale.refund, note)));

    expect(statuses(answers)).toEqual([200, 409]);
    expect((await eventCounts(shop, sale.placed.id))["order.refunded"]).toBe(1);
  });
});

test("a refund that is closed again with the same note stays as it is, unannounced", async () => {
  const sale = await refundedMug(failure);
  const { shop } = sale;
  const closed = await close(shop, sale.refund);
  await shop.announced();

  const again = await close(shop, sale.refund);
  const other = await close(shop, sale.refund, "By transfer");

  expect([again.status, again.body]).toEqual([200, closed.body]);
  expect([other.status, other.at("/from")]).toEqual([409, "closed"]);
  expect(await shop.announcedNames()).toEqual([]);
});

describe("the list of refunds", () => {
  test("is filtered by status, order, payment and time, newest first", async () => {
    const sale = await refundedMug(failure, await openScriptedShop());
    await using shop = sale.shop;
    const paid = await shop.post(`/v2/payments/${sale.payment.id}/refunds`, { amount: 5 });
    const ids = async (query: string) => {
      const page = await shop.get(`/v2/refunds?${query}`);
      return page.list("/data").map((_, at) => page.string(`/data/${at}/id`));
    };

    const both = [paid.id, sale.refund.id];
    expect(await ids("")).toEqual(both);
    expect(await ids("status=failed,needs_attention")).toEqual([sale.refund.id]);
    expect(await ids(`order_id=${sale.placed.id}`)).toEqual(both);
    expect(await ids(`payment=${sale.payment.string("/reference")}&status=succeeded`)).toEqual([
      paid.id,
    ]);
    expect(await ids(`payment=${sale.payment.id}`)).toEqual(both);
    expect(await ids("payment=of-another-shop")).toEqual([]);
    expect(await ids("created_at[gt]=2027-01-01T00:00:00Z")).toEqual([]);
    const first = await shop.get("/v2/refunds?limit=1");
    expect(await ids(`limit=1&cursor=${first.string("/next_cursor")}`)).toEqual([sale.refund.id]);
  });

  test("needs a key that may read payments, and its actions one that may write them", async () => {
    const sale = await refundedMug(failure);
    const { shop } = sale;
    const clerk = await shop.createKey({ scopes: ["payments:read"] });
    const packer = await shop.createKey({ scopes: ["orders:write"] });

    const answers = await Promise.all([
      shop.get("/v2/refunds", { key: clerk }),
      shop.get(`/v2/refunds/${sale.refund.id}`, { key: packer }),
      shop.post(`/v2/refunds/${sale.refund.id}/retry`, undefined, { key: clerk }),
      shop.post(`/v2/refunds/${sale.refund.id}/close`, {}, { key: clerk }),
    ]);

    expect(answers.map(({ status }) => status)).toEqual([200, 403, 403, 403]);
  });

  test("has no refund of an unknown id", async () => {
    const sale = await paidMug(shared);
    const { shop } = sale;
    const id = "ref_01kf0000000000000000000001";

    const answers = await Promise.all([
      shop.get(`/v2/refunds/${id}`),
      shop.post(`/v2/refunds/${id}/retry`),
      shop.post(`/v2/refunds/${id}/close`, {}),
    ]);

    expect(answers.map(({ status, code }) => [status, code])).toEqual(
      answers.map(() => [404, "refund_not_found"]),
    );
  });
});
