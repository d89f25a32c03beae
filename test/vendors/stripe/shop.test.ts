// A shop with Stripe: orders are paid and refunded once, in whatever order the news comes, and nobody but the vendor
// learns its secrets.

import { afterEach, describe, expect, test } from "bun:test";

import { eventCounts, initialize, pass, settle } from "../../payments/scripted-shop.ts";
import { atOnce } from "../../support/at-once.ts";
import { rowsBehind, tablesBehind } from "../../support/behind-the-shop.ts";
import { shared } from "../../support/shared.ts";
import { strikeAfter } from "../strike-after.ts";
import { WEBHOOK_SECRET } from "./adapter.ts";
import {
  asked,
  faultsOf,
  ofOrder,
  openStripeShop,
  payByCard,
  payOnPage,
  refundsOf,
  type StripeShop,
} from "./stripe-shop.ts";

const HOUR_S = 3_600;

/** Each test has an order of its own, whose attempt is the vendor's newest. */
const opened = shared(openStripeShop);

afterEach(() => {
  opened.face.notices.arePrompt = false;
});

async function paidOnce(of: StripeShop, orderId: string): Promise<void> {
  const counts = await eventCounts(of.shop, orderId);
  expect([counts["order.paid"], counts["payment.succeeded"]]).toEqual([1, 1]);
  expect(await faultsOf(of)).toEqual([]);
}

describe("an order", () => {
  test("is paid on the vendor's page, and tells what it was paid with", async () => {
    const { id } = await opened.order({}, 2);
    const payment = await initialize(opened.shop, { order_id: id });
    await payOnPage(opened);

    const statuses = await opened.told();

    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(await ofOrder(opened, id)).toEqual(["paid", 25, 0]);
    const { body } = await opened.shop.get(`/v2/payments/${payment.id}`);
    expect(body).toMatchObject({
      status: "succeeded",
      gateway: "stripe",
      instrument: { kind: "card", brand: "visa", last4: "4242", country: "US" },
      fee: { amount: 1.03, currency: "USD" },
    });
    await paidOnce(opened, id);
  });

  test("is paid by a card at once", async () => {
    const { id } = await opened.order();

    const payment = await payByCard(opened, id);

    expect([payment.status, payment.at("/status")]).toEqual([201, "succeeded"]);
    await opened.told();
    await paidOnce(opened, id);
  });

  test("is paid once the bank has asked the customer", async () => {
    const { id } = await opened.order();
    const payment = await payByCard(opened, id, "pm_card_threeDSecure2Required");
    const intent = opened.face.account.intents.all().at(-1);

    const url = `${opened.face.server.url}/3ds/${intent?.id}`;
    expect(payment.at("/next_action")).toMatchObject({ type: "redirect", url });
    const back = await opened.face.answerBank(intent?.id ?? "", "approve");
    opened.shop.clock.advance(3000);
    const returned = await fetch(back, { redirect: "manual" });

    expect(returned.status).toBeLessThan(400);
    expect(await ofOrder(opened, id)).toEqual(["paid", 12.5, 0]);
    await paidOnce(opened, id);
  });

  test("whose card is declined can be paid by another one", async () => {
    const { id } = await opened.order();

    const declined = await payByCard(opened, id, "pm_card_visa_chargeDeclinedInsufficientFunds");
    const paid = await payByCard(opened, id);

    expect([declined.status, declined.at("/failure_code")]).toEqual([201, "insufficient_funds"]);
    expect(paid.at("/status")).toBe("succeeded");
    await paidOnce(opened, id);
  });

  test("whose card's answer was lost is paid once it is read", async () => {
    const before = opened.face.account.charges.all().length;
    const { id } = await opened.order();

    const payment = await payByCard(opened, id, "pm_test_timeoutPaid");
    opened.face.pass(5000);
    await pass(opened.shop, 15);

    expect(payment.at("/status")).toBe("pending");
    expect(opened.face.account.charges.all()).toHaveLength(before + 1);
    await paidOnce(opened, id);
  });

  test("whose bank asks although the answer was lost sends the customer there after a poll", async () => {
    const { id } = await opened.order();
    const fault = { moment: "after", fault: { kind: "reset" } } as const;
    opened.face.faults.plan(fault, { call: "POST /v1/payment_intents/{id}/confirm" });
    const payment = await payByCard(opened, id, "pm_card_threeDSecure2Required");
    const intent = opened.face.account.intents.all().at(-1);

    await pass(opened.shop, 15);
    const polled = await opened.shop.get(`/v2/payments/${payment.id}`);
    await opened.face.answerBank(intent?.id ?? "", "approve");
    await opened.told();

    const url = `${opened.face.server.url}/3ds/${intent?.id}`;
    expect(payment.at("/status")).toBe("pending");
    expect(polled.at("/next_action")).toMatchObject({ type: "redirect", url });
    await paidOnce(opened, id);
  });

  test("goes on by the same key where the vendor had too many calls", async () => {
    const before = opened.face.account.intents.all().length;
    const { id } = await opened.order();
    const terms = { order_id: id, method: "card", card_token: "pm_test_gatewayError" };

    const first = await initialize(opened.shop, terms, "key-1");
    const again = await initialize(opened.shop, terms, "key-1");

    expect([first.status, first.code]).toEqual([503, "gateway_unavailable"]);
    expect([again.status, again.at("/status")]).toEqual([201, "succeeded"]);
    expect(opened.face.account.intents.all()).toHaveLength(before + 1);
    await paidOnce(opened, id);
  });

  test("that is paid for with too little or other money is left to the merchant", async () => {
    const short = await payByCard(opened, (await opened.order()).id, "pm_test_amountShort");
    const other = await payByCard(opened, (await opened.order()).id, "pm_test_wrongCurrency");

    expect([short.at("/status"), other.at("/status")]).toEqual(["review", "review"]);
  });

  test("with too little, of which the dashboard gave back a part, has what is left once it is accepted", async () => {
    const { id } = await opened.order();
    const short = await payByCard(opened, id, "pm_test_amountShort");
    const intent = opened.face.account.intents.all().at(-1);
    opened.face.dashboard.refund(intent?.id ?? "", { amountMinor: 500 });
    await opened.told();

    await opened.shop.post(`/v2/payments/${short.id}/accept`);
    await opened.told();

    expect(await refundsOf(opened, short.id)).toEqual(["succeeded 5 elsewhere"]);
    expect(await ofOrder(opened, id)).toEqual(["partially_paid", 11.25, 5]);
    expect(await faultsOf(opened)).toEqual([]);
  });
});

describe("news that races", () => {
  test("a notice before the answer, and its copies in the other order, pay the order once", async () => {
    const { id } = await opened.order();
    opened.face.notices.arePrompt = true;

    const payment = await payByCard(opened, id);
    await settle(opened.shop);
    opened.face.notices.arePrompt = false;
    await opened.face.notices.send({ copies: 3, order: "reversed" });
    await settle(opened.shop);

    expect(payment.at("/status")).toBe("succeeded");
    await paidOnce(opened, id);
  });

  test("a notice, the customer's return, readers and polls at once pay the order once", async () => {
    const { shop, face } = opened;
    const { id } = await opened.order();
    const payment = await initialize(shop, { order_id: id });
    const back = await payOnPage(opened);
    shop.clock.advance(11_000);

    await Promise.all([
      face.notices.send(),
      fetch(back, { redirect: "manual" }),
      settle(shop),
      ...[1, 2, 3, 4, 5].map(() => shop.get(`/v2/payments/${payment.id}`)),
    ]);
    await settle(shop);

    expect(await ofOrder(opened, id)).toEqual(["paid", 12.5, 0]);
    await paidOnce(opened, id);
  });

  test("one order by one card at once is charged once", async () => {
    const before = opened.face.account.charges.all().length;
    const { id } = await opened.order();

    await atOnce(6, () => payByCard(opened, id));

    expect(opened.face.account.charges.all()).toHaveLength(before + 1);
    await paidOnce(opened, id);
  });

  test("a customer who cancels while they pay has paid, or has not", async () => {
    const { id } = await opened.order();
    const payment = await initialize(opened.shop, { order_id: id });

    await Promise.all([payOnPage(opened), opened.shop.post(`/v2/payments/${payment.id}/cancel`)]);
    await opened.told();

    const { status } = opened.face.account.sessions.all().at(-1) ?? {};
    const isPaid = status === "complete";
    expect(await ofOrder(opened, id)).toEqual(isPaid ? ["paid", 12.5, 0] : ["unpaid", 0, 0]);
    expect(await faultsOf(opened)).toEqual([]);
  });

  test("an order that was paid twice keeps one payment and gives the other back", async () => {
    await using own = await openStripeShop();
    const { id } = await own.order();
    await initialize(own.shop, { order_id: id });
    const [session] = own.face.account.sessions.all();
    await payByCard(own, id, "pm_card_threeDSecure2Required");
    const [intent] = own.face.account.intents.all();

    await own.face.payOnPage(session?.id ?? "", "pm_card_visa");
    await own.face.answerBank(intent?.id ?? "", "approve");
    await own.told();
    await pass(own.shop, HOUR_S);

    const { entries } = own.face.account.books;
    expect(entries.map(({ kind }) => kind).toSorted()).toEqual(["charge", "charge", "refund"]);
    expect((await eventCounts(own.shop, id))["order.paid"]).toBe(1);
    expect(await faultsOf(own)).toEqual([]);
  });

  test("a refund that is asked for twice at once is paid once", async () => {
    const before = opened.face.account.refunds.all().length;
    const { id } = await opened.order();
    const payment = await payByCard(opened, id);
    opened.face.notices.arePrompt = true;

    await atOnce(2, () => opened.shop.post(`/v2/payments/${payment.id}/refunds`, {}));
    await opened.told();

    expect(opened.face.account.refunds.all()).toHaveLength(before + 1);
    expect(await ofOrder(opened, id)).toEqual(["refunded", 12.5, 12.5]);
    expect(await faultsOf(opened)).toEqual([]);
  });

  test("a refund of the dashboard beside one of the shop's is taken over once", async () => {
    const before = opened.face.account.refunds.all().length;
    const { id } = await opened.order();
    const payment = await payByCard(opened, id);
    const intent = opened.face.account.intents.all().at(-1);
    const go = opened.face.block("POST /v1/refunds");
    const since = opened.face.server.asked.length;

    const own = opened.shop.post(`/v2/payments/${payment.id}/refunds`, { amount: 5 });
    await asked(opened, "/refunds", since);
    opened.face.dashboard.refund(intent?.id ?? "", { amountMinor: 300 });
    const news = opened.told();
    go();
    await Promise.all([own, news]);
    await opened.told();

    expect((await refundsOf(opened, payment.id)).toSorted()).toEqual([
      "succeeded 3 elsewhere",
      "succeeded 5",
    ]);
    expect(opened.face.account.refunds.all()).toHaveLength(before + 2);
    expect(await ofOrder(opened, id)).toEqual(["partially_refunded", 12.5, 8]);
    expect(await faultsOf(opened)).toEqual([]);
  });
});

describe("money that goes back", () => {
  test("by the vendor's dashboard is on the payment and its order", async () => {
    const { id } = await opened.order();
    const payment = await payByCard(opened, id);
    const intent = opened.face.account.intents.all().at(-1);

    opened.face.dashboard.refund(intent?.id ?? "", { amountMinor: 400 });
    await opened.told();

    expect(await refundsOf(opened, payment.id)).toEqual(["succeeded 4 elsewhere"]);
    expect(await ofOrder(opened, id)).toEqual(["partially_refunded", 12.5, 4]);
    expect(await faultsOf(opened)).toEqual([]);
  });

  test("and is sent back by the customer's bank is paid again on the order", async () => {
    const { id } = await opened.order();
    const payment = await payByCard(opened, id);
    await opened.shop.post(`/v2/payments/${payment.id}/refunds`, {});
    await opened.told();
    const refund = opened.face.account.refunds.all().at(-1);

    opened.face.dashboard.failRefund(refund?.id ?? "");
    await opened.told();

    expect(await refundsOf(opened, payment.id)).toEqual(["failed 12.5"]);
    expect(await ofOrder(opened, id)).toEqual(["paid", 12.5, 0]);
    expect((await eventCounts(opened.shop, id))["refund.failed"]).toBe(1);
    expect(await faultsOf(opened)).toEqual([]);
  });

  test("late fails in the shop although its notice was lost", async () => {
    await using own = await openStripeShop();
    const { id } = await own.order();
    const payment = await payByCard(own, id);
    await own.shop.post(`/v2/payments/${payment.id}/refunds`, {});
    const [refund] = own.face.account.refunds.all();

    own.face.dashboard.failRefund(refund?.id ?? "");
    own.face.notices.lose();
    await pass(own.shop, 8 * 24 * HOUR_S);

    expect(await refundsOf(own, payment.id)).toEqual(["failed 12.5"]);
    expect(await ofOrder(own, id)).toEqual(["paid", 12.5, 0]);
  });

  test("for which the account has no money waits for the merchant", async () => {
    const { id } = await opened.order();
    const payment = await payByCard(opened, id, "pm_test_refundNeedsAttention");
    await opened.shop.post(`/v2/payments/${payment.id}/refunds`, {});
    const waiting = await refundsOf(opened, payment.id);
    const refund = opened.face.account.refunds.all().at(-1);

    opened.face.dashboard.topUp(refund?.id ?? "");
    await opened.told();

    expect(waiting).toEqual(["needs_attention 12.5"]);
    expect(await refundsOf(opened, payment.id)).toEqual(["succeeded 12.5"]);
  });
});

describe("bad input", () => {
  test.each([
    ["below the vendor's minimum", { amount: 0.49, currency: "EUR" }, "#/amount amount_too_small"],
    ["above its maximum", { amount: 1_000_000, currency: "EUR" }, "#/amount amount_too_large"],
    ["that it cannot say", { amount: 1.5, currency: "MGA" }, "#/amount amount_precision"],
    ["of three digits", { amount: 12.345, currency: "KWD" }, "#/amount amount_precision"],
    [
      "in a currency it does not take",
      { amount: 5, currency: "GHS" },
      "#/currency currency_not_supported",
    ],
    [
      "by a token of another vendor",
      { amount: 5, currency: "EUR", method: "card", card_token: "src_1" },
      "#/card_token invalid_format",
    ],
  ])("an amount %s is refused before any call", async (_, given, fault) => {
    const before = opened.face.server.asked.length;

    const refused = await initialize(opened.shop, given);

    expect([refused.status, refused.faults]).toEqual([422, [fault]]);
    expect(opened.face.server.asked).toHaveLength(before);
  });

  test.each([
    ["of the other mode", { livemode: true }],
    ["of another account", { account: "acct_other" }],
    ["of a payment that is another program's", { data: { object: foreign() } }],
    ["of a thin event", { object: "v2.core.event" }],
  ])("a notice %s is taken and asks nothing", async (_, given) => {
    const { id } = await opened.order();
    await payByCard(opened, id);
    const before = opened.face.server.asked.length;
    const event = opened.face.notices.events.at(-1);
    if (event === undefined) throw new Error("Nothing happened at the vendor.");
    const signed = opened.face.notices.sign(Object.assign({ ...event }, given), WEBHOOK_SECRET);

    const url = `${opened.shop.url}/hooks/test/stripe`;
    const { status } = await fetch(url, {
      method: "POST",
      headers: signed.headers,
      body: signed.bytes,
    });
    await settle(opened.shop);

    expect(status).toBe(200);
    expect(opened.face.server.asked).toHaveLength(before);
  });

  test("a notice that is forged writes nothing", async () => {
    const { id } = await opened.order();
    await payByCard(opened, id);
    const notices = () => rowsBehind(opened.shop.folder.path, "SELECT * FROM gateway_notices");
    const before = await notices();
    const event = opened.face.notices.events.at(-1);
    if (event === undefined) throw new Error("Nothing happened at the vendor.");
    const signed = opened.face.notices.sign(event, "whsec_guessed");

    const url = `${opened.shop.url}/hooks/test/stripe`;
    const { status } = await fetch(url, {
      method: "POST",
      headers: signed.headers,
      body: signed.bytes,
    });

    expect(status).toBe(401);
    expect(await notices()).toEqual(before);
  });
});

function foreign() {
  return { id: "pi_foreign", object: "payment_intent", metadata: { order: "77" } };
}

test("no row and no line of the log has a secret of the vendor's", async () => {
  const lines: string[] = [];
  const settings = { DUKA_LOG_LEVEL: "debug" };
  await using own = await openStripeShop({
    writeLog: (line) => void lines.push(line),
    settings,
  });
  const { shop, face } = own;
  const { id } = await own.order();
  face.faults.plan({ moment: "after", fault: { kind: "unknown_status" } });
  await initialize(shop, { order_id: id });
  face.denied.push("GET /v1/checkout/sessions");
  await pass(shop, 60);
  face.denied.length = 0;
  await payOnPage(own);
  await own.told();
  const payment = await payByCard(own, (await own.order()).id);
  await shop.post(`/v2/payments/${payment.id}/refunds`, {});

  const directory = shop.folder.path;
  const tables = await tablesBehind(directory);
  const rows = await Promise.all(
    tables.map((one) => rowsBehind(directory, `SELECT * FROM ${one}`)),
  );
  const everything = JSON.stringify(rows) + lines.join("\n");

  expect(lines.join("\n")).toContain("A gateway is in trouble.");
  expect(everything).toContain(payment.id);
  expect(everything).not.toContain(face.secret);
  expect(everything).not.toContain(WEBHOOK_SECRET);
  expect(everything).not.toContain("_secret_3Fa0");
});

test("a card is not charged whose payment was cancelled between the two calls", async () => {
  const before = opened.face.account.charges.all().length;
  const { id } = await opened.order();
  const answerNow = opened.face.block("POST /v1/payment_intents");
  const since = opened.face.server.asked.length;
  const paying = payByCard(opened, id);
  await asked(opened, "/payment_intents", since);
  const begun = await opened.shop.get(`/v2/payments?order_id=${id}`);

  const cancelled = await opened.shop.post(`/v2/payments/${begun.string("/data/0/id")}/cancel`);
  answerNow();
  await paying;

  expect([cancelled.status, cancelled.at("/status")]).toEqual([200, "cancelled"]);
  expect(opened.face.account.charges.all()).toHaveLength(before);
  expect(await ofOrder(opened, id)).toEqual(["unpaid", 0, 0]);
});

test("a card that is charged while its payment is cancelled is told to be paid", async () => {
  const before = opened.face.account.charges.all().length;
  const { id } = await opened.order();
  const since = opened.face.server.asked.length;
  const create = opened.face.block("POST /v1/payment_intents");
  const paying = payByCard(opened, id);
  await asked(opened, "/payment_intents", since);
  const begun = await opened.shop.get(`/v2/payments?order_id=${id}`);
  strikeAfter(opened.gateway, "cancel", async () => {
    create();
    await asked(opened, "/confirm", since);
  });

  const cancelled = await opened.shop.post(`/v2/payments/${begun.string("/data/0/id")}/cancel`);
  await paying;

  expect(opened.face.account.charges.all()).toHaveLength(before + 1);
  expect(cancelled.at("/status")).toBe("succeeded");
  expect(await ofOrder(opened, id)).toEqual(["paid", 12.5, 0]);
});
