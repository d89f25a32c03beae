// Money that goes back or on at the face of Stripe: refunds, those that fail late, disputes, payouts, and the books
// that a shop reads of them.

import { expect, test } from "bun:test";

import { errorOf, idOf, openStripeRig, paidIntent, type StripeRig } from "./rig.ts";

const DAY_MS = 86_400_000;

async function refundedBy(rig: StripeRig, card: string) {
  const { id: payment_intent } = await paidIntent(rig, card);
  return rig.stripe.refunds.create({
    payment_intent,
    amount: 500,
    metadata: { duka_refund: "ref-1" },
    reason: "requested_by_customer",
  });
}

test("a refund is paid from the charge, and found under its name", async () => {
  await using rig = await openStripeRig();

  const { id, payment_intent } = await refundedBy(rig, "pm_card_visa");
  const listed = await rig.stripe.refunds.list({ payment_intent: idOf(payment_intent) });
  const { latest_charge } = await rig.stripe.paymentIntents.retrieve(idOf(payment_intent), {
    expand: ["latest_charge"],
  });

  expect(listed.data).toMatchObject([
    { id, amount: 500, status: "succeeded", metadata: { duka_refund: "ref-1" } },
  ]);
  expect(latest_charge).toMatchObject({ amount_refunded: 500, refunded: false });
});

test.each([
  [
    "pm_test_refundFails",
    { status: "failed", failure_reason: "declined", balance_transaction: null },
  ],
  ["pm_test_refundNeedsAttention", { status: "pending", pending_reason: "insufficient_funds" }],
])("the refund of %s ends as in the sandbox", async (card, refund) => {
  await using rig = await openStripeRig();

  expect(await refundedBy(rig, card)).toMatchObject(refund);
});

test("no more is refunded than is left, and nothing twice", async () => {
  await using rig = await openStripeRig();
  const { id: payment_intent } = await paidIntent(rig);

  const tooMuch = await errorOf(rig.stripe.refunds.create({ payment_intent, amount: 2451 }));
  const nothing = await errorOf(rig.stripe.refunds.create({ payment_intent, amount: 0 }));
  const whole = await rig.stripe.refunds.create({ payment_intent });
  const again = await errorOf(rig.stripe.refunds.create({ payment_intent }));

  expect([tooMuch.param, nothing.param]).toEqual(["amount", "amount"]);
  expect(whole.amount).toBe(2450);
  expect(again).toMatchObject({ statusCode: 400, code: "charge_already_refunded" });
});

test("an intent that nobody has paid is not refunded", async () => {
  await using rig = await openStripeRig();
  await errorOf(paidIntent(rig, "pm_card_visa_chargeDeclined"));
  const [declined] = rig.face.account.intents.all();

  const refused = await errorOf(rig.stripe.refunds.create({ payment_intent: declined?.id ?? "" }));

  expect(refused.message).toContain("does not have a successful charge");
});

test("a refund may fail after it has succeeded: its money is back, and may be refunded again", async () => {
  await using rig = await openStripeRig();
  const refund = await refundedBy(rig, "pm_card_visa");

  rig.face.dashboard.failRefund(refund.id);
  const failed = await rig.stripe.refunds.retrieve(refund.id, {
    expand: ["failure_balance_transaction"],
  });

  expect([refund.status, failed.status]).toEqual(["succeeded", "failed"]);
  expect(failed).toMatchObject({
    failure_reason: "lost_or_stolen_card",
    failure_balance_transaction: { amount: 500, type: "refund_failure" },
  });
  expect(rig.face.account.books.refundableMinor(idOf(refund.charge))).toBe(2450);
});

test("a refund that waits for the merchant's money is paid when it has come", async () => {
  await using rig = await openStripeRig();
  const { id } = await refundedBy(rig, "pm_test_refundNeedsAttention");

  rig.face.dashboard.topUp(id);

  expect((await rig.stripe.refunds.retrieve(id)).status).toBe("succeeded");
});

test("a refund that was made in the vendor's dashboard is in the list, without a name", async () => {
  await using rig = await openStripeRig();
  const { id: payment_intent } = await paidIntent(rig);

  rig.face.dashboard.refund(payment_intent, { amountMinor: 450 });

  const { data } = await rig.stripe.refunds.list({ payment_intent });
  expect(data).toMatchObject([{ amount: 450, status: "succeeded", metadata: {} }]);
});

test("a dispute takes the money until it is won, and the charge is not refunded meanwhile", async () => {
  await using rig = await openStripeRig();
  const { id: payment_intent } = await paidIntent(rig);
  const { id } = rig.face.dashboard.dispute(payment_intent);

  const refused = await errorOf(rig.stripe.refunds.create({ payment_intent }));
  rig.face.dashboard.closeDispute(id, "won");
  const { data } = await rig.stripe.disputes.list({ payment_intent });

  expect(refused.code).toBe("refund_disputed_payment");
  expect(data).toMatchObject([
    {
      status: "won",
      amount: 2450,
      balance_transactions: [
        { amount: -2450, fee: 2000, reporting_category: "dispute" },
        { amount: 2450, fee: 0, reporting_category: "dispute_reversal" },
      ],
    },
  ]);
});

test("an inquiry moves no money", async () => {
  await using rig = await openStripeRig();
  const { id: payment_intent } = await paidIntent(rig);
  const { id } = rig.face.dashboard.dispute(payment_intent, "inquiry");

  const { data } = await rig.stripe.disputes.list({ payment_intent });
  rig.face.dashboard.closeDispute(id, "warning_closed");

  expect(data).toMatchObject([{ status: "warning_needs_response", balance_transactions: [] }]);
  expect(rig.face.account.books.entries).toHaveLength(1);
});

test("a payout is the sum of its transactions, and the balance is what is in none", async () => {
  await using rig = await openStripeRig();
  await refundedBy(rig, "pm_card_visa");
  rig.face.pass(2 * DAY_MS);
  await paidIntent(rig);

  const payout = rig.face.dashboard.payOut("eur");
  const of = await rig.stripe.balanceTransactions.list({ payout: payout?.id ?? "" });
  const all = await rig.stripe.balanceTransactions.list({ limit: 100, expand: ["data.source"] });

  expect(of.data.map(({ type, net }) => [type, net])).toEqual([
    ["payout", -1849],
    ["refund", -500],
    ["charge", 2349],
  ]);
  expect(all.data).toMatchObject([
    { source: { object: "payout" } },
    { source: { object: "charge" }, status: "pending" },
    { source: { object: "refund" } },
    { source: { object: "charge" }, status: "available" },
  ]);
  expect(rig.face.account.books.balanceMinor("eur")).toBe(2349);
  expect(rig.face.account.books.faults()).toEqual([]);
});

test("a transaction is read by its id, and none by another object's", async () => {
  await using rig = await openStripeRig();
  const { id } = await paidIntent(rig);
  const { data } = await rig.stripe.balanceTransactions.list();

  const read = await rig.stripe.balanceTransactions.retrieve(data[0]?.id ?? "");
  const other = await errorOf(rig.stripe.balanceTransactions.retrieve(id));

  expect(read).toMatchObject({ amount: 2450, fee: 101, type: "charge" });
  expect(other).toMatchObject({ statusCode: 404, code: "resource_missing" });
});

test("a payout arrives on the vendor's clock, and is found by the day", async () => {
  await using rig = await openStripeRig();
  await paidIntent(rig);
  rig.face.pass(2 * DAY_MS);
  rig.face.dashboard.payOut("eur");
  const arrival_date = { gte: Math.floor((rig.face.account.now() + 2 * DAY_MS) / 1000) };

  const before = await rig.stripe.payouts.list({ arrival_date });
  rig.face.pass(2 * DAY_MS);
  const after = await rig.stripe.payouts.list({ arrival_date });

  expect(
    [...before.data, ...after.data].map((one) => [one.status, one.reconciliation_status]),
  ).toEqual([
    ["in_transit", "in_progress"],
    ["paid", "completed"],
  ]);
});

test("the books of many payments are read page by page, each transaction once", async () => {
  await using rig = await openStripeRig();
  const { payments } = rig.face;
  const terms = { amountMinor: 2450, currency: "eur", description: null, metadata: {} };
  for (let n = 0; n < 1000; n += 1) {
    const intent = payments.makeIntent({ ...terms, session: null });
    payments.pay(intent, payments.payerOf("pm_card_visa", "payment_method"), null);
  }

  const all = await rig.stripe.balanceTransactions
    .list({ limit: 100 })
    .autoPagingToArray({ limit: 10_000 });

  expect(new Set(all.map(({ source }) => source)).size).toBe(1000);
  expect(all.reduce((sum, { net }) => sum + net, 0)).toBe(1000 * 2349);
});

test("nothing is paid out that is not available", async () => {
  await using rig = await openStripeRig();
  await paidIntent(rig);

  expect(rig.face.dashboard.payOut("eur")).toBeNull();
});
