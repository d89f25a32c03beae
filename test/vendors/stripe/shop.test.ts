// A shop with Stripe: orders are paid and refunded once, in whatever order the news comes, and nobody but the vendor
// learns its secrets.

import { describe, expect, test } from "bun:test";

import { eventCounts, initialize, pass, settle } from "../../payments/scripted-shop.ts";
import { atOnce } from "../../support/at-once.ts";
import { rowsBehind, tablesBehind } from "../../support/behind-the-shop.ts";
import { strikeAfter } from "../strike-after.ts";
import { WEBHOOK_SECRET } from "./adapter.ts";
import {
  faultsOf,
  ofOrder,
  openStripeShop,
  payByCard,
  payOnPage,
  refundsOf,
  type StripeShop,
} from "./stripe-shop.ts";

const HOUR_S = 3_600;

async function paidOnce(opened: StripeShop, orderId: string): Promise<void> {
  const counts = await eventCounts(opened.shop, orderId);
  expect([counts["order.paid"], counts["payment.succeeded"]]).toEqual([1, 1]);
  expect(await faultsOf(opened)).toEqual([]);
}

describe("an order", () => {
  test("is paid on the vendor's page, and tells what it was paid with", async () => {
    await using opened = await openStripeShop();
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
    await using opened = await openStripeShop();
    const { id } = await opened.order();

    const payment = await payByCard(opened, id);

    expect([payment.status, payment.at("/status")]).toEqual([201, "succeeded"]);
    await opened.told();
    await paidOnce(opened, id);
  });

  test("is paid once the bank has asked the customer", async () => {
    await using opened = await openStripeShop();
    const { id } = await opened.order();
    const payment = await payByCard(opened, id, "pm_card_threeDSecure2Required");
    const [intent] = opened.face.account.intents.all();

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
    await using opened = await openStripeShop();
    const { id } = await opened.order();

    const declined = await payByCard(opened, id, "pm_card_visa_chargeDeclinedInsufficientFunds");
    const paid = await payByCard(opened, id);

    expect([declined.status, declined.at("/failure_code")]).toEqual([201, "insufficient_funds"]);
    expect(paid.at("/status")).toBe("succeeded");
    await paidOnce(opened, id);
  });

  test("whose card's answer was lost is paid once it is read", async () => {
    await using opened = await openStripeShop();
    const { id } = await opened.order();

    const payment = await payByCard(opened, id, "pm_test_timeoutPaid");
    opened.face.pass(5000);
    await pass(opened.shop, 15);

    expect(payment.at("/status")).toBe("pending");
    expect(opened.face.account.charges.all()).toHaveLength(1);
    await paidOnce(opened, id);
  });

  test("whose bank asks although the answer was lost sends the customer there after a poll", async () => {
    await using opened = await openStripeShop();
    const { id } = await opened.order();
    const fault = { moment: "after", fault: { kind: "reset" } } as const;
    opened.face.faults.plan(fault, { call: "POST /v1/payment_intents/{id}/confirm" });
    const payment = await payByCard(opened, id, "pm_card_threeDSecure2Required");
    const [intent] = opened.face.account.intents.all();

    await pass(opened.shop, 15);
    const asked = await opened.shop.get(`/v2/payments/${payment.id}`);
    await opened.face.answerBank(intent?.id ?? "", "approve");
    await opened.told();

    const url = `${opened.face.server.url}/3ds/${intent?.id}`;
    expect(payment.at("/status")).toBe("pending");
    expect(asked.at("/next_action")).toMatchObject({ type: "redirect", url });
    await paidOnce(opened, id);
  });

  test("goes on by the same key where the vendor had too many calls", async () => {
    await using opened = await openStripeShop();
    const { id } = await opened.order();
    const asked = { order_id: id, method: "card", card_token: "pm_test_gatewayError" };

    const first = await initialize(opened.shop, asked, "key-1");
    const again = await initialize(opened.shop, asked, "key-1");

    expect([first.status, first.code]).toEqual([503, "gateway_unavailable"]);
    expect([again.status, again.at("/status")]).toEqual([201, "succeeded"]);
    expect(opened.face.account.intents.all()).toHaveLength(1);
    await paidOnce(opened, id);
  });

  test("that is paid for with too little or other money is left to the merchant", async () => {
    await using opened = await openStripeShop();
    const short = await payByCard(opened, (await opened.order()).id, "pm_test_amountShort");
    const other = await payByCard(opened, (await opened.order()).id, "pm_test_wrongCurrency");

    expect([short.at("/status"), other.at("/status")]).toEqual(["review", "review"]);
  });

  test("with too little, of which the dashboard gave back a part, has what is left once it is accepted", async () => {
    await using opened = await openStripeShop();
    const { id } = await opened.order();
    const short = await payByCard(opened, id, "pm_test_amountShort");
    const [intent] = opened.face.account.intents.all();
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
    await using opened = await openStripeShop();
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
    await using opened = await openStripeShop();
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
    await using opened = await openStripeShop();
    const { id } = await opened.order();

    await atOnce(6, () => payByCard(opened, id));

    expect(opened.face.account.charges.all()).toHaveLength(1);
    await paidOnce(opened, id);
  });

  test("a customer who cancels while they pay has paid, or has not", async () => {
    await using opened = await openStripeShop();
    const { id } = await opened.order();
    const payment = await initialize(opened.shop, { order_id: id });

    await Promise.all([payOnPage(opened), opened.shop.post(`/v2/payments/${payment.id}/cancel`)]);
    await opened.told();

    const { status } = opened.face.account.sessions.all()[0] ?? {};
    const isPaid = status === "complete";
    expect(await ofOrder(opened, id)).toEqual(isPaid ? ["paid", 12.5, 0] : ["unpaid", 0, 0]);
    expect(await faultsOf(opened)).toEqual([]);
  });

  test("an order that was paid twice keeps one payment and gives the other back", async () => {
    await using opened = await openStripeShop();
    const { id } = await opened.order();
    await initialize(opened.shop, { order_id: id });
    const [session] = opened.face.account.sessions.all();
    await payByCard(opened, id, "pm_card_threeDSecure2Required");
    const [intent] = opened.face.account.intents.all();

    await opened.face.payOnPage(session?.id ?? "", "pm_card_visa");
    await opened.face.answerBank(intent?.id ?? "", "approve");
    await opened.told();
    await pass(opened.shop, HOUR_S);

    const { entries } = opened.face.account.books;
    expect(entries.map(({ kind }) => kind).toSorted()).toEqual(["charge", "charge", "refund"]);
    expect((await eventCounts(opened.shop, id))["order.paid"]).toBe(1);
    expect(await faultsOf(opened)).toEqual([]);
  });

  test("a refund that is asked for twice at once is paid once", async () => {
    await using opened = await openStripeShop();
    const { id } = await opened.order();
    const payment = await payByCard(opened, id);
    opened.face.notices.arePrompt = true;

    await atOnce(2, () => opened.shop.post(`/v2/payments/${payment.id}/refunds`, {}));
    await opened.told();

    expect(opened.face.account.refunds.all()).toHaveLength(1);
    expect(await ofOrder(opened, id)).toEqual(["refunded", 12.5, 12.5]);
    expect(await faultsOf(opened)).toEqual([]);
  });

  test("a refund of the dashboard beside one of the shop's is taken over once", async () => {
    await using opened = await openStripeShop();
    const { id } = await opened.order();
    const payment = await payByCard(opened, id);
    const [intent] = opened.face.account.intents.all();
    const go = opened.face.block("POST /v1/refunds");

    const own = opened.shop.post(`/v2/payments/${payment.id}/refunds`, { amount: 5 });
    while (opened.face.server.asked.at(-1)?.path !== "/v1/refunds") await Bun.sleep(5);
    opened.face.dashboard.refund(intent?.id ?? "", { amountMinor: 300 });
    const news = opened.told();
    go();
    await Promise.all([own, news]);
    await opened.told();

    expect((await refundsOf(opened, payment.id)).toSorted()).toEqual([
      "succeeded 3 elsewhere",
      "succeeded 5",
    ]);
    expect(opened.face.account.refunds.all()).toHaveLength(2);
    expect(await ofOrder(opened, id)).toEqual(["partially_refunded", 12.5, 8]);
    expect(await faultsOf(opened)).toEqual([]);
  });
});

describe("money that goes back", () => {
  test("by the vendor's dashboard is on the payment and its order", async () => {
    await using opened = await openStripeShop();
    const { id } = await opened.order();
    const payment = await payByCard(opened, id);
    const [intent] = opened.face.account.intents.all();

    opened.face.dashboard.refund(intent?.id ?? "", { amountMinor: 400 });
    await opened.told();

    expect(await refundsOf(opened, payment.id)).toEqual(["succeeded 4 elsewhere"]);
    expect(await ofOrder(opened, id)).toEqual(["partially_refunded", 12.5, 4]);
    expect(await faultsOf(opened)).toEqual([]);
  });

  test("and is sent back by the customer's bank is paid again on the order", async () => {
    await using opened = await openStripeShop();
    const { id } = await opened.order();
    const payment = await payByCard(opened, id);
    await opened.shop.post(`/v2/payments/${payment.id}/refunds`, {});
    await opened.told();
    const [refund] = opened.face.account.refunds.all();

    opened.face.dashboard.failRefund(refund?.id ?? "");
    await opened.told();

    expect(await refundsOf(opened, payment.id)).toEqual(["failed 12.5"]);
    expect(await ofOrder(opened, id)).toEqual(["paid", 12.5, 0]);
    expect((await eventCounts(opened.shop, id))["refund.failed"]).toBe(1);
    expect(await faultsOf(opened)).toEqual([]);
  });

  test("late fails in the shop although its notice was lost", async () => {
    await using opened = await openStripeShop();
    const { id } = await opened.order();
    const payment = await payByCard(opened, id);
    await opened.shop.post(`/v2/payments/${payment.id}/refunds`, {});
    const [refund] = opened.face.account.refunds.all();

    opened.face.dashboard.failRefund(refund?.id ?? "");
    opened.face.notices.lose();
    await pass(opened.shop, 8 * 24 * HOUR_S);

    expect(await refundsOf(opened, payment.id)).toEqual(["failed 12.5"]);
    expect(await ofOrder(opened, id)).toEqual(["paid", 12.5, 0]);
  });

  test("for which the account has no money waits for the merchant", async () => {
    await using opened = await openStripeShop();
    const { id } = await opened.order();
    const payment = await payByCard(opened, id, "pm_test_refundNeedsAttention");
    await opened.shop.post(`/v2/payments/${payment.id}/refunds`, {});
    const waiting = await refundsOf(opened, payment.id);
    const [refund] = opened.face.account.refunds.all();

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
  ])("an amount %s is refused before any call", async (_, asked, fault) => {
    await using opened = await openStripeShop();

    const refused = await initialize(opened.shop, asked);

    expect([refused.status, refused.faults]).toEqual([422, [fault]]);
    expect(opened.face.server.asked).toEqual([]);
  });

  test.each([
    ["of the other mode", { livemode: true }],
    ["of another account", { account: "acct_other" }],
    ["of a payment that is another program's", { data: { object: foreign() } }],
    ["of a thin event", { object: "v2.core.event" }],
  ])("a notice %s is taken and asks nothing", async (_, given) => {
    await using opened = await openStripeShop();
    const { id } = await opened.order();
    await payByCard(opened, id);
    const asked = opened.face.server.asked.length;
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
    expect(opened.face.server.asked).toHaveLength(asked);
  });

  test("a notice that is forged writes nothing", async () => {
    await using opened = await openStripeShop();
    const { id } = await opened.order();
    await payByCard(opened, id);
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
    expect(await rowsBehind(opened.shop.folder.path, "SELECT * FROM gateway_notices")).toEqual([]);
  });
});

function foreign() {
  return { id: "pi_foreign", object: "payment_intent", metadata: { order: "77" } };
}

test("no row and no line of the log has a secret of the vendor's", async () => {
  const lines: string[] = [];
  const settings = { DUKA_LOG_LEVEL: "debug" };
  await using opened = await openStripeShop({
    writeLog: (line) => void lines.push(line),
    settings,
  });
  const { shop, face } = opened;
  const { id } = await opened.order();
  face.faults.plan({ moment: "after", fault: { kind: "unknown_status" } });
  await initialize(shop, { order_id: id });
  face.denied.push("GET /v1/checkout/sessions");
  await pass(shop, 60);
  face.denied.length = 0;
  await payOnPage(opened);
  await opened.told();
  const payment = await payByCard(opened, (await opened.order()).id);
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
  await using opened = await openStripeShop();
  const { id } = await opened.order();
  const answerNow = opened.face.block("POST /v1/payment_intents");
  const asked = payByCard(opened, id);
  while (opened.face.server.asked.at(-1)?.path !== "/v1/payment_intents") await Bun.sleep(5);
  const begun = await opened.shop.get(`/v2/payments?order_id=${id}`);

  const cancelled = await opened.shop.post(`/v2/payments/${begun.string("/data/0/id")}/cancel`);
  answerNow();
  await asked;

  expect([cancelled.status, cancelled.at("/status")]).toEqual([200, "cancelled"]);
  expect(opened.face.account.charges.all()).toEqual([]);
  expect(await ofOrder(opened, id)).toEqual(["unpaid", 0, 0]);
});

test("a card that is charged while its payment is cancelled is told to be paid", async () => {
  await using opened = await openStripeShop();
  const { id } = await opened.order();
  const { asked } = opened.face.server;
  const create = opened.face.block("POST /v1/payment_intents");
  const paying = payByCard(opened, id);
  while (asked.at(-1)?.path !== "/v1/payment_intents") await Bun.sleep(5);
  const begun = await opened.shop.get(`/v2/payments?order_id=${id}`);
  strikeAfter(opened.gateway, "cancel", async () => {
    create();
    while (asked.at(-1)?.path.endsWith("/confirm") !== true) await Bun.sleep(1);
  });

  const cancelled = await opened.shop.post(`/v2/payments/${begun.string("/data/0/id")}/cancel`);
  await paying;

  expect(opened.face.account.charges.all()).toHaveLength(1);
  expect(cancelled.at("/status")).toBe("succeeded");
  expect(await ofOrder(opened, id)).toEqual(["paid", 12.5, 0]);
});
