// Paying at the face of Stripe, driven by the vendor's own client: sessions with their page, intents with their bank.

import { expect, test } from "bun:test";

import {
  confirmTerms,
  errorOf,
  idOf,
  intentTerms,
  openStripeRig,
  paidIntent,
  sessionTerms,
} from "./rig.ts";

const MINUTE_MS = 60_000;

test("a session waits on its page, without an intent, until a payer begins", async () => {
  await using rig = await openStripeRig();

  const made = await rig.stripe.checkout.sessions.create(sessionTerms());

  expect(made).toMatchObject({
    status: "open",
    payment_status: "unpaid",
    payment_intent: null,
    amount_total: 2450,
    currency: "eur",
    client_reference_id: "pay-1",
    ui_mode: "hosted_page",
    livemode: false,
  });
  expect(await (await fetch(made.url ?? "")).text()).toContain("Pay 2450 eur");
});

test.each([
  ["sk_live_3Fa03Fa03Fa0", true, /^cs_live_/],
  ["rk_test_3Fa03Fa03Fa0", false, /^cs_test_/],
])("a face with the key %s says of everything which mode it has", async (secret, livemode, id) => {
  await using rig = await openStripeRig({ secret });

  const made = await rig.stripe.checkout.sessions.create(sessionTerms());

  expect(made).toMatchObject({ livemode, id: expect.stringMatching(id) });
});

test("a page takes try after try, and the session ends with the one that pays", async () => {
  await using rig = await openStripeRig();
  const { id } = await rig.stripe.checkout.sessions.create(sessionTerms());

  const first = await rig.face.payOnPage(id, "pm_card_visa_chargeDeclinedInsufficientFunds");
  const between = await rig.stripe.checkout.sessions.retrieve(id, { expand: ["payment_intent"] });
  const second = await rig.face.payOnPage(id, "pm_card_visa");
  const after = await rig.stripe.checkout.sessions.retrieve(id, {
    expand: ["payment_intent.latest_charge.balance_transaction"],
  });

  expect(first).toContain("insufficient funds");
  expect(between).toMatchObject({
    status: "open",
    payment_intent: {
      status: "requires_payment_method",
      last_payment_error: { code: "card_declined" },
    },
  });
  expect(second).toBe(`https://shop.example/paid?session=${id}`);
  expect(after).toMatchObject({
    status: "complete",
    payment_status: "paid",
    url: null,
    payment_intent: {
      amount_received: 2450,
      metadata: { duka_reference: "pay-1" },
      latest_charge: { paid: true, balance_transaction: { amount: 2450, fee: 101, net: 2349 } },
    },
  });
  expect(rig.face.account.books.faults()).toEqual([]);
});

test("a page that is paid takes no second payment", async () => {
  await using rig = await openStripeRig();
  const { id } = await rig.stripe.checkout.sessions.create(sessionTerms());
  await rig.face.payOnPage(id, "pm_card_visa");

  const again = await rig.face.payOnPage(id, "pm_card_visa");

  expect(again).toContain("This session is complete.");
  expect(rig.face.account.books.entries).toHaveLength(1);
});

test("the bank's question comes before the money, and a failed one leaves the page open", async () => {
  await using rig = await openStripeRig();
  const { id } = await rig.stripe.checkout.sessions.create(sessionTerms());

  const asked = await rig.face.payOnPage(id, "pm_card_threeDSecure2Required");
  const intent = asked.replace("/3ds/", "");
  const failed = await rig.face.answerBank(intent, "fail");
  await rig.face.payOnPage(id, "pm_card_threeDSecure2Required");
  const approved = await rig.face.answerBank(intent, "approve");

  expect(asked).toMatch(/^\/3ds\/pi_/);
  expect(failed).toBe(`/c/pay/${id}`);
  expect(approved).toStartWith("https://shop.example/paid");
});

test("a session expires on the vendor's clock, and is not paid after it", async () => {
  await using rig = await openStripeRig();
  const expires_at = Math.floor(rig.face.account.now() / 1000) + 30 * 60;
  const { id } = await rig.stripe.checkout.sessions.create(sessionTerms({ expires_at }));

  rig.face.pass(31 * MINUTE_MS);
  const page = await rig.face.payOnPage(id, "pm_card_visa");
  const expired = await rig.stripe.checkout.sessions.retrieve(id);

  expect(page).toContain("This session is expired.");
  expect(expired).toMatchObject({ status: "expired", payment_status: "unpaid", url: null });
});

test("a session that is expired by hand takes its intent along, once", async () => {
  await using rig = await openStripeRig();
  const { id } = await rig.stripe.checkout.sessions.create(sessionTerms());
  await rig.face.payOnPage(id, "pm_card_visa_chargeDeclined");

  const expired = await rig.stripe.checkout.sessions.expire(id, { expand: ["payment_intent"] });
  const again = await errorOf(rig.stripe.checkout.sessions.expire(id));

  expect(expired).toMatchObject({
    status: "expired",
    payment_intent: { status: "canceled", cancellation_reason: "expired" },
  });
  expect(again).toMatchObject({ statusCode: 400, type: "StripeInvalidRequestError" });
});

test.each([
  [29 * 60, "at least 30 minutes"],
  [25 * 3600, "less than 24 hours"],
])("a session of %i seconds is refused: %s", async (seconds, rule) => {
  await using rig = await openStripeRig();
  const expires_at = Math.floor(rig.face.account.now() / 1000) + seconds;

  const refused = await errorOf(rig.stripe.checkout.sessions.create(sessionTerms({ expires_at })));

  expect(refused).toMatchObject({ param: "expires_at", message: expect.stringContaining(rule) });
});

test("sessions are listed newest first, by their intent or their status", async () => {
  await using rig = await openStripeRig();
  const { sessions } = rig.stripe.checkout;
  const [first, second] = [
    await sessions.create(sessionTerms()),
    await sessions.create(sessionTerms()),
  ];
  await rig.face.payOnPage(first.id, "pm_card_visa");

  const all = await sessions.list({ limit: 10 });
  const open = await sessions.list({ status: "open" });
  const { payment_intent } = await sessions.retrieve(first.id);
  const paid = await sessions.list({ payment_intent: idOf(payment_intent) });

  expect(all.data.map(({ id }) => id)).toEqual([second.id, first.id]);
  expect(open.data.map(({ id }) => id)).toEqual([second.id]);
  expect(paid.data.map(({ id }) => id)).toEqual([first.id]);
});

test("an intent is made without a payer and confirmed with one", async () => {
  await using rig = await openStripeRig();

  const made = await rig.stripe.paymentIntents.create(intentTerms);
  const confirmed = await rig.stripe.paymentIntents.confirm(made.id, {
    ...confirmTerms,
    confirmation_token: "ctoken_card_visa",
  });

  expect([made.status, made.amount_received]).toEqual(["requires_payment_method", 0]);
  expect(confirmed).toMatchObject({ status: "succeeded", amount_received: 2450 });
});

test("an intent is confirmed with a token of a card, which the official types do not have", async () => {
  await using rig = await openStripeRig();
  const { id } = await rig.stripe.paymentIntents.create(intentTerms);

  const confirmed = await rig.stripe.rawRequest("POST", `/v1/payment_intents/${id}/confirm`, {
    ...confirmTerms,
    payment_method_data: { type: "card", card: { token: "tok_visa" } },
  });

  expect(confirmed).toMatchObject({ status: "succeeded" });
});

test.each([
  ["pm_card_visa_chargeDeclined", "card_declined", "generic_decline"],
  ["pm_card_visa_chargeDeclinedLostCard", "card_declined", "lost_card"],
  ["pm_card_chargeDeclinedExpiredCard", "expired_card", ""],
  ["pm_card_chargeDeclinedProcessingError", "processing_error", ""],
])("%s is declined: %s", async (card, code, decline_code) => {
  await using rig = await openStripeRig();

  const refused = await errorOf(paidIntent(rig, card));
  const { data } = await rig.stripe.paymentIntents.list({ expand: ["data.latest_charge"] });

  expect(refused).toMatchObject({ type: "StripeCardError", statusCode: 402, code, decline_code });
  expect(data).toMatchObject([
    {
      status: "requires_payment_method",
      last_payment_error: { code },
      latest_charge: { paid: false },
    },
  ]);
  expect(rig.face.account.books.entries).toEqual([]);
});

test("a card that must be authenticated sends its payer to the bank and back", async () => {
  await using rig = await openStripeRig();

  const asked = await paidIntent(rig, "pm_card_authenticationRequired");
  const { url } = asked.next_action?.redirect_to_url ?? {};
  const bank = await (await fetch(url ?? "")).text();
  const back = await rig.face.answerBank(asked.id, "approve");
  const { status } = await rig.stripe.paymentIntents.retrieve(asked.id);

  expect(asked.status).toBe("requires_action");
  expect(bank).toContain("Approve");
  expect(back).toBe(
    `https://shop.example/back?payment_intent=${asked.id}&redirect_status=succeeded`,
  );
  expect(status).toBe("succeeded");
});

test("a bank that takes its time answers on the vendor's clock", async () => {
  await using rig = await openStripeRig();
  const { id, status } = await paidIntent(rig, "pm_test_pendingThenSuccess");

  rig.face.pass(5000);
  const after = await rig.stripe.paymentIntents.retrieve(id);

  expect([status, after.status]).toEqual(["processing", "succeeded"]);
});

test.each([
  ["pm_test_amountShort", { amount_received: 2205, currency: "eur" }],
  ["pm_test_wrongCurrency", { amount_received: 2450, currency: "usd" }],
])("%s takes other money than was asked for, as in the sandbox", async (card, taken) => {
  await using rig = await openStripeRig();

  expect(await paidIntent(rig, card)).toMatchObject({ status: "succeeded", ...taken });
});

test("an intent is cancelled while it is not paid, and confirmed no more", async () => {
  await using rig = await openStripeRig();
  const { id } = await rig.stripe.paymentIntents.create(intentTerms);

  const cancelled = await rig.stripe.paymentIntents.cancel(id, {
    cancellation_reason: "abandoned",
  });
  const late = await errorOf(
    rig.stripe.paymentIntents.confirm(id, { ...confirmTerms, payment_method: "pm_card_visa" }),
  );
  const paid = await paidIntent(rig);
  const tooLate = await errorOf(rig.stripe.paymentIntents.cancel(paid.id));

  expect(cancelled).toMatchObject({ status: "canceled", cancellation_reason: "abandoned" });
  expect([late.code, tooLate.code]).toEqual(Array(2).fill("payment_intent_unexpected_state"));
});

test("the intent of a session is neither confirmed nor cancelled by itself", async () => {
  await using rig = await openStripeRig();
  const { id } = await rig.stripe.checkout.sessions.create(sessionTerms());
  await rig.face.payOnPage(id, "pm_card_visa_chargeDeclined");
  const { payment_intent } = await rig.stripe.checkout.sessions.retrieve(id);

  const refused = await errorOf(rig.stripe.paymentIntents.cancel(idOf(payment_intent)));

  expect(refused.message).toContain("for a Checkout Session");
});

test("an answer that is lost has its effect, and the client that asks again has the same answer", async () => {
  await using rig = await openStripeRig();

  const { id, status } = await paidIntent(rig, "pm_test_timeoutPaid");
  rig.face.pass(5000);

  expect(rig.face.faults.struck).toEqual(["POST /v1/payment_intents/{id}/confirm: after reset"]);
  expect(status).toBe("processing");
  expect((await rig.stripe.paymentIntents.retrieve(id)).status).toBe("succeeded");
  expect(rig.face.account.books.entries).toHaveLength(1);
});

test("a request that never arrives has no effect", async () => {
  await using rig = await openStripeRig();

  const never = await errorOf(paidIntent(rig, "pm_test_timeoutNotFound"));
  const { data } = await rig.stripe.paymentIntents.list();

  expect(never.type).toBe("StripeConnectionError");
  expect(data.map(({ status }) => status)).toEqual(["requires_payment_method"]);
});

test("a request that is refused once is taken the next time", async () => {
  await using rig = await openStripeRig();

  const refused = await errorOf(paidIntent(rig, "pm_test_gatewayError"));
  const { status } = await paidIntent(rig, "pm_test_gatewayError");

  expect([refused.statusCode, status]).toEqual([429, "succeeded"]);
});

test("intents are found by when they were made, page by page", async () => {
  await using rig = await openStripeRig();
  const made = [];
  for (let n = 0; n < 5; n += 1) {
    made.push((await rig.stripe.paymentIntents.create(intentTerms)).id);
    rig.face.pass(MINUTE_MS);
  }
  const start = Math.floor(rig.face.account.now() / 1000) - 5 * 60;

  const some = await rig.stripe.paymentIntents
    .list({ limit: 2, created: { gte: start + 60, lte: start + 240 } })
    .autoPagingToArray({ limit: 10 });

  expect(some.map(({ id }) => id)).toEqual(made.slice(1).toReversed());
});
