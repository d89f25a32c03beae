// Disputes: what a customer's bank asks back is stored and announced, and is not refunded as well. By two vendors.

import { describe, expect, test } from "bun:test";

import { arrow } from "#kernel/machine.ts";
import { Fields } from "#payments/gateways/answers/fields.ts";
import { foundDisputeOf } from "#payments/gateways/paystack/returns.ts";
import { disputeLife } from "#payments/rows/dispute-life.ts";

import { openTestShop, type TestShop } from "../../support/shop.ts";
import {
  openPaystackShop,
  payByPhone,
  type PaystackShop,
} from "../../vendors/paystack/paystack-shop.ts";
import { strikeAfter } from "../../vendors/strike-after.ts";
import { openStripeShop, payByCard, payOnPage } from "../../vendors/stripe/stripe-shop.ts";
import { eventCounts, initialize, pass } from "../scripted-shop.ts";

const DAY_S = 86_400;

async function openDisputed() {
  const opened = await openPaystackShop();
  const { id } = await opened.order();
  const { id: payment } = await payByPhone(opened, id, "80");
  const dispute = opened.face.dispute(referenceIn(opened));
  await opened.told();
  return { ...opened, id, payment, dispute };
}

/** What the vendor calls the only payment. */
function referenceIn({ face }: PaystackShop): string {
  const [transaction] = face.account.transactions.values();
  return transaction?.reference ?? "";
}

async function statesIn(shop: TestShop): Promise<string[]> {
  const found = (await shop.get("/v2/disputes")).list("/data").map(Object);
  return found.map(({ status, money }) => `${status} ${money}`).toSorted();
}

describe("a dispute", () => {
  test("is stored with its amount and the day until which it can be answered", async () => {
    await using opened = await openDisputed();

    const found = await opened.shop.get("/v2/disputes?status=open");

    expect(found.list("/data")).toMatchObject([
      {
        payment_id: opened.payment,
        order_id: opened.id,
        gateway: "paystack",
        gateway_dispute_id: opened.dispute.id,
        status: "open",
        money: "none",
        amount: 12.5,
        currency: "GHS",
        reason: "general",
      },
    ]);
    const [id] = found.list("/data").map((row) => String(Object(row).id));
    const one = await opened.shop.get(`/v2/disputes/${id}`);
    expect(Date.parse(one.string("/due_at"))).toBeGreaterThan(0);
  });

  test("is announced once, however often its notice comes, and once more when it is decided", async () => {
    await using opened = await openDisputed();
    const { bytes, headers } = opened.face.notices.all.at(-1) ?? { bytes: new Uint8Array() };
    const again = { method: "POST", body: Uint8Array.from(bytes), ...(headers && { headers }) };
    await fetch(opened.face.notices.url ?? "", again);
    await opened.told();
    const before = await eventCounts(opened.shop, opened.id);

    opened.face.account.resolve(opened.dispute, "auto-accepted");
    await opened.told();
    const after = await eventCounts(opened.shop, opened.id);

    expect([before["payment.disputed"], before["payment.dispute_closed"]]).toEqual([1, undefined]);
    expect([after["payment.disputed"], after["payment.dispute_closed"]]).toEqual([1, 1]);
    const [lost] = (await opened.shop.get("/v2/disputes")).list("/data");
    expect(lost).toMatchObject({ status: "lost", money: "withdrawn" });
  });

  test("is found decided a day later where the notice was lost", async () => {
    await using opened = await openDisputed();
    opened.face.account.resolve(opened.dispute, "declined");
    opened.face.notices.lose("charge.dispute.resolve");

    await opened.pass(DAY_S + 60);

    const [won] = (await opened.shop.get("/v2/disputes")).list("/data");
    expect(won).toMatchObject({ status: "won", money: "none" });
  });

  test("that could not be read when it was reported is read later", async () => {
    await using opened = await openPaystackShop();
    const { id } = await opened.order();
    await payByPhone(opened, id, "80");
    opened.face.dispute(referenceIn(opened));
    const call = "GET /dispute/transaction/{id}";
    opened.face.faults.plan({ moment: "after", fault: { kind: "broken" } }, { call });

    await opened.told();
    const before = (await opened.shop.get("/v2/disputes")).list("/data");
    await opened.pass(600);

    expect(before).toEqual([]);
    expect((await opened.shop.get("/v2/disputes")).list("/data")).toHaveLength(1);
  });

  test("that could not be read for more than a day is read when the vendor answers again", async () => {
    await using opened = await openPaystackShop();
    const { id } = await opened.order();
    await payByPhone(opened, id, "80");
    await opened.told();
    opened.face.dispute(referenceIn(opened));
    opened.face.refusesAddress = true;
    await opened.told();
    await opened.pass(DAY_S + 3_600);

    opened.face.refusesAddress = false;
    await opened.pass(DAY_S + 3_600);

    expect(await statesIn(opened.shop)).toEqual(["open none"]);
  });

  test("that is reported while the end of another is read is stored", async () => {
    await using opened = await openDisputed();
    opened.face.account.resolve(opened.dispute, "declined");
    strikeAfter(opened.gateway, "findDisputes", async () => {
      opened.face.dispute(referenceIn(opened));
      await opened.face.notices.send();
    });

    await opened.told();
    await opened.pass(60);

    expect(await statesIn(opened.shop)).toEqual(["open none", "won none"]);
  });

  test("ends although the vendor lists a newer one in its place", async () => {
    await using opened = await openDisputed();
    const second = opened.face.dispute(referenceIn(opened));
    await opened.told();

    opened.face.account.resolve(opened.dispute, "declined");
    opened.face.account.resolve(second, "declined");
    await opened.told();

    expect(await statesIn(opened.shop)).toEqual(["won none", "won none"]);
  });

  test("that was lost is still lost after the vendor archived it", async () => {
    await using opened = await openDisputed();
    opened.face.account.resolve(opened.dispute, "auto-accepted");
    await opened.told();

    opened.dispute.status = "archived";
    opened.face.account.announce("charge.dispute.resolve", opened.dispute);
    await opened.told();

    expect(await statesIn(opened.shop)).toEqual(["lost withdrawn"]);
  });

  test("of another payment is not in the list of this one", async () => {
    await using opened = await openDisputed();
    const other = await payByPhone(opened, (await opened.order()).id, "80");

    const ofOther = await opened.shop.get(`/v2/disputes?payment=${other.id}`);
    const ofThis = await opened.shop.get(`/v2/disputes?payment=${opened.payment}`);

    expect([ofOther.list("/data").length, ofThis.list("/data").length]).toEqual([0, 1]);
  });
});

describe("money that is disputed", () => {
  test("is not refunded, by the payment or by the order", async () => {
    await using opened = await openDisputed();

    const refused = [
      await opened.shop.post(`/v2/payments/${opened.payment}/refunds`, { amount: 5 }),
      await opened.shop.post(`/v2/orders/${opened.id}/refunds`, { amount: 5 }),
    ];

    expect(refused.map(({ status, code }) => `${status} ${code}`)).toEqual([
      "409 payment_disputed",
      "409 payment_disputed",
    ]);
    expect(opened.face.account.refunds).toEqual([]);
  });

  test("can be refunded once the bank has declined the dispute", async () => {
    await using opened = await openDisputed();
    opened.face.account.resolve(opened.dispute, "declined");
    await opened.told();

    const refund = await opened.shop.post(`/v2/payments/${opened.payment}/refunds`, { amount: 5 });

    expect(refund.status).toBe(201);
    expect(opened.face.account.refunds).toHaveLength(1);
  });

  test("is not refunded although the dispute was opened before its notice came", async () => {
    await using opened = await openPaystackShop();
    const { id } = await opened.order();
    const { id: payment } = await payByPhone(opened, id, "80");
    opened.face.dispute(referenceIn(opened));

    const refund = await opened.shop.post(`/v2/payments/${payment}/refunds`, { amount: 5 });

    expect([refund.at("/status"), refund.at("/failure_reason")]).toEqual([
      "failed",
      "payment_disputed",
    ]);
    expect(opened.face.account.refunds).toEqual([]);
  });

  test("of a cancelled order waits, and goes back once the dispute is won", async () => {
    await using opened = await openDisputed();
    await opened.shop.put(`/v2/orders/${opened.id}/cancel`, { refund: true });
    await opened.told();
    const [before] = (await opened.shop.get("/v2/refunds")).list("/data").map(Object);

    opened.face.account.resolve(opened.dispute, "declined");
    await opened.told();
    await opened.pass(2 * DAY_S);

    expect(before.status).toBe("pending");
    const [after] = (await opened.shop.get("/v2/refunds")).list("/data").map(Object);
    expect([after.status, opened.face.account.refunds.length]).toEqual(["succeeded", 1]);
  });

  test("of a cancelled order does not go back once the dispute is lost", async () => {
    await using opened = await openDisputed();
    await opened.shop.put(`/v2/orders/${opened.id}/cancel`, { refund: true });
    await opened.told();

    opened.face.account.resolve(opened.dispute, "auto-accepted");
    await opened.told();
    await opened.pass(2 * DAY_S);

    const [refund] = (await opened.shop.get("/v2/refunds")).list("/data").map(Object);
    expect([refund.status, opened.face.account.refunds.length]).toEqual(["failed", 0]);
  });

  test("is not sent by a refund that was opened before the dispute, and can be retried", async () => {
    await using opened = await openPaystackShop();
    const { id } = await opened.order();
    const { id: payment } = await payByPhone(opened, id, "80");
    const refused = { moment: "before", fault: { kind: "rate_limit" } } as const;
    opened.face.faults.plan(refused, { call: "POST /refund" });
    const refund = await opened.shop.post(`/v2/payments/${payment}/refunds`, { amount: 5 });
    const dispute = opened.face.dispute(referenceIn(opened));
    await opened.told();
    await opened.pass(3_600);
    const blocked = await opened.shop.get(`/v2/refunds/${refund.id}`);

    opened.face.account.resolve(dispute, "declined");
    await opened.told();
    const retried = await opened.shop.post(`/v2/refunds/${refund.id}/retry`);

    expect([blocked.at("/status"), blocked.at("/failure_reason")]).toEqual([
      "failed",
      "payment_disputed",
    ]);
    expect(retried.at("/status")).toBe("succeeded");
    expect(opened.face.account.refunds).toHaveLength(1);
  });
});

test("a chargeback at Stripe is taken, and given back when it is won", async () => {
  await using opened = await openStripeShop();
  const { id } = await opened.order();
  await payByCard(opened, id);
  const [intent] = opened.face.account.intents.all();
  const { id: name } = opened.face.dashboard.dispute(intent?.id ?? "");
  await opened.told();
  const taken = (await opened.shop.get("/v2/disputes")).list("/data");

  opened.face.dashboard.closeDispute(name, "won");
  await opened.told();

  expect(taken).toMatchObject([
    { status: "open", money: "withdrawn", amount: 12.5, reason: "fraudulent" },
  ]);
  const won = (await opened.shop.get("/v2/disputes")).list("/data");
  expect(won).toMatchObject([{ status: "won", money: "returned" }]);
});

test("a chargeback at Stripe that is reported before its payment is found with the payment", async () => {
  await using opened = await openStripeShop();
  const { id } = await opened.order();
  await initialize(opened.shop, { order_id: id, method: "gateway" });
  await payOnPage(opened);
  opened.face.dashboard.dispute(opened.face.account.intents.all()[0]?.id ?? "");
  opened.shop.clock.advance(11_000);

  await opened.face.notices.send({ order: "reversed" });
  await pass(opened.shop, 60);

  expect(await statesIn(opened.shop)).toEqual(["open withdrawn"]);
});

test("money that Stripe gives back a week after a dispute was won is found without a notice", async () => {
  await using opened = await openStripeShop();
  const { id } = await opened.order();
  await payByCard(opened, id);
  const [intent] = opened.face.account.intents.all();
  const dispute = opened.face.dashboard.dispute(intent?.id ?? "");
  await opened.told();
  dispute.status = "won";
  await pass(opened.shop, DAY_S + 60);
  const before = await statesIn(opened.shop);

  opened.face.account.books.returnDispute(dispute.id);
  await pass(opened.shop, 7 * DAY_S);

  expect(before).toEqual(["won withdrawn"]);
  expect(await statesIn(opened.shop)).toEqual(["won returned"]);
});

test("an inquiry at Stripe takes nothing, and forbids no refund", async () => {
  await using opened = await openStripeShop();
  const { id } = await opened.order();
  const payment = await payByCard(opened, id);
  const [intent] = opened.face.account.intents.all();
  opened.face.dashboard.dispute(intent?.id ?? "", "inquiry");
  await opened.told();

  const [warning] = (await opened.shop.get("/v2/disputes")).list("/data");
  const refund = await opened.shop.post(`/v2/payments/${payment.id}/refunds`, { amount: 5 });

  expect(warning).toMatchObject({ status: "warning", money: "none" });
  expect(refund.status).toBe(201);
});

test("a dispute of the whole transaction, without an amount of its own, has the transaction's", () => {
  const transaction = { id: 5_991_760, amount: 39_100, currency: "NGN" };
  const whole = { id: 2867, refund_amount: null, currency: null, status: "archived", transaction };

  expect(foundDisputeOf(new Fields(whole))).toMatchObject({
    status: "closed",
    currency: "NGN",
    amountMinor: 39_100,
  });
});

test("a dispute that is decided is not a warning any more, and each decision is announced", () => {
  const told = (["won", "lost", "closed"] as const).map((from) =>
    arrow(disputeLife, from, "reopen"),
  );

  expect(told.map((step) => step?.event)).toEqual(Array(3).fill("payment.disputed"));
  expect(arrow(disputeLife, "open", "lose")?.event).toBe("payment.dispute_closed");
});

test("a dispute can be played in test mode, and is lost after a week", async () => {
  await using shop = await openTestShop();
  const card_token = "pm_card_createDispute";
  const { id } = await initialize(shop, { amount: 5, currency: "USD", method: "card", card_token });
  await pass(shop, 10);
  const open = (await shop.get("/v2/disputes")).list("/data");

  await pass(shop, 8 * DAY_S);

  expect(open).toMatchObject([{ payment_id: id, status: "open", money: "withdrawn" }]);
  const lost = (await shop.get("/v2/disputes?status=lost")).list("/data");
  expect(lost).toHaveLength(1);
});
