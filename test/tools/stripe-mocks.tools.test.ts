// The face of Stripe beside mocks that others wrote: what the vendor's own client sees of both is the same, as far as
// the mock goes.

import { expect, setDefaultTimeout, test } from "bun:test";

import Stripe from "stripe";

import { openReceiver } from "../support/receivers.ts";
import { openStripeRig, sessionTerms, type StripeRig } from "../vendors/stripe/rig.ts";
import { openEmulate, openStatefulMock } from "./stripe-mocks.ts";
import { TOOL_MS_MAX } from "./tools.ts";

setDefaultTimeout(TOOL_MS_MAX);

const SECRET = "whsec_3Fa03Fa03Fa03Fa03Fa03Fa0";
const intent = { amount: 2450, currency: "eur" };
const byCard = { payment_method: "pm_card_visa", return_url: "https://shop.example/back" };

/** What a caller has of a call: a status, or an error. The codes of emulate are its own where Stripe has none. */
async function seen(call: Promise<{ readonly status?: string | null }>): Promise<string> {
  try {
    return String((await call).status);
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError)) throw error;
    return `${error.type} ${error.statusCode}`;
  }
}

async function twoSteps({ paymentIntents }: Stripe): Promise<string[]> {
  const paid = await paymentIntents.create(intent);
  const left = await paymentIntents.create(intent);
  return [
    paid.status,
    await seen(paymentIntents.confirm(paid.id, byCard)),
    await seen(paymentIntents.cancel(paid.id)),
    await seen(paymentIntents.cancel(left.id, { cancellation_reason: "abandoned" })),
    await seen(paymentIntents.confirm(left.id, byCard)),
    await seen(paymentIntents.retrieve("pi_none")),
  ];
}

test("emulate and the face tell the same of intents in two steps", async () => {
  await using receiver = openReceiver();
  await using emulate = await openEmulate({ url: receiver.url, secret: SECRET });
  await using rig = await openStripeRig();

  const theirs = await twoSteps(emulate.stripe);

  expect(await twoSteps(rig.stripe)).toEqual(theirs);
  expect(theirs.slice(0, 2)).toEqual(["requires_payment_method", "succeeded"]);
});

async function lifeOf(
  { checkout }: Stripe,
  terms: Stripe.Checkout.SessionCreateParams,
  pay: (id: string) => Promise<unknown>,
) {
  const paid = await checkout.sessions.create(terms);
  const left = await checkout.sessions.create(terms);
  await pay(paid.id);
  const after = await checkout.sessions.retrieve(paid.id);
  return [
    [paid.status, paid.payment_status, typeof paid.url],
    [after.status, after.payment_status, after.url],
    await seen(checkout.sessions.expire(paid.id)),
    await seen(checkout.sessions.expire(left.id)),
    await seen(checkout.sessions.expire(left.id)),
  ];
}

test("emulate and the face tell the same of the life of a session", async () => {
  await using receiver = openReceiver();
  await using emulate = await openEmulate({ url: receiver.url, secret: SECRET });
  await using rig = await openStripeRig();
  const priced = sessionTerms({ line_items: [{ price: "price_1", quantity: 1 }] });
  const complete = (id: string) =>
    fetch(`${emulate.url}/checkout/${id}/complete`, { method: "POST", redirect: "manual" });

  const theirs = await lifeOf(emulate.stripe, priced, complete);

  const payOnPage = (id: string) => rig.face.payOnPage(id, "pm_card_visa");
  expect(await lifeOf(rig.stripe, sessionTerms(), payOnPage)).toEqual(theirs);
  expect(theirs[1]).toEqual(["complete", "paid", null]);
});

/** The notices of a paid intent, verified by the vendor's client: their types and objects, and the form of the proof. */
async function noticesOf(receiver: ReturnType<typeof openReceiver>, stripe: Stripe) {
  const received = await receiver.next(3);
  const read = received.map(async ({ bytes, headers }) => {
    const signature = headers.get("stripe-signature") ?? "";
    const event = await stripe.webhooks.constructEventAsync(Buffer.from(bytes), signature, SECRET);
    const { object } = event.data.object as { object: string };
    return [event.type, object, signature.replaceAll(/[0-9a-f]{64}|\d{10}/g, "…")];
  });
  return new Set((await Promise.all(read)).map((one) => one.join(" ")));
}

test("the signatures of emulate and of the face are proved in the same way", async () => {
  await using theirs = openReceiver();
  await using ours = openReceiver();
  await using emulate = await openEmulate({ url: theirs.url, secret: SECRET });
  await using rig = await openStripeRig();
  rig.face.addEndpoint(ours.url, SECRET);

  for (const { paymentIntents } of [emulate.stripe, rig.stripe]) {
    const { id } = await paymentIntents.create(intent);
    await paymentIntents.confirm(id, byCard);
  }
  await rig.face.notices.send();

  expect(await noticesOf(ours, rig.stripe)).toEqual(await noticesOf(theirs, emulate.stripe));
});

/** An error as the vendor's client maps it. */
async function errorOf(call: Promise<unknown>) {
  try {
    await call;
    return "no error";
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError)) throw error;
    const { type, statusCode, code, param } = error;
    return { type, statusCode, code, param, decline_code: error.decline_code };
  }
}

async function payWith({ stripe }: StripeRig, payment_method: string) {
  const { id } = await stripe.paymentIntents.create(intent);
  return stripe.paymentIntents.confirm(id, { ...byCard, payment_method });
}

test.each([
  ["tok_chargeDeclined", "pm_card_visa_chargeDeclined"],
  ["tok_chargeDeclinedInsufficientFunds", "pm_card_visa_chargeDeclinedInsufficientFunds"],
  ["tok_chargeDeclinedExpiredCard", "pm_card_chargeDeclinedExpiredCard"],
  ["tok_chargeDeclinedIncorrectCvc", "pm_card_chargeDeclinedIncorrectCvc"],
  ["tok_chargeDeclinedProcessingError", "pm_card_chargeDeclinedProcessingError"],
  ["tok_429", "pm_test_gatewayError"],
])("%s at the mock is the error of %s at the face", async (source, card) => {
  await using mock = await openStatefulMock();
  await using rig = await openStripeRig();

  const theirs = await errorOf(mock.stripe.charges.create({ ...intent, source }));

  expect(theirs).toHaveProperty("statusCode");
  expect(await errorOf(payWith(rig, card))).toEqual(theirs);
});

const key = (idempotencyKey: string) => ({ idempotencyKey });

test("a key of the mock and of the face answers the same object, and refuses other terms", async () => {
  await using mock = await openStatefulMock();
  await using rig = await openStripeRig();
  const charge = (amount: number) =>
    mock.stripe.charges.create({ ...intent, amount, source: "tok_visa" }, key("a"));
  const make = (amount: number) =>
    rig.stripe.paymentIntents.create({ ...intent, amount }, key("a"));

  const theirs = [(await charge(2450)).id === (await charge(2450)).id, await errorOf(charge(2451))];

  expect([(await make(2450)).id === (await make(2450)).id, await errorOf(make(2451))]).toEqual(
    theirs,
  );
  expect(theirs[0]).toBeTrue();
});

test("a key of the mock and of the face answers its 500 again", async () => {
  await using mock = await openStatefulMock();
  await using rig = await openStripeRig();
  const charge = () => mock.stripe.charges.create({ ...intent, source: "tok_500" }, key("a"));
  const make = () => rig.stripe.paymentIntents.create(intent, key("a"));
  rig.face.faults.plan({ moment: "before", fault: { kind: "broken" } });

  const theirs = [await errorOf(charge()), await errorOf(charge())];

  expect([await errorOf(make()), await errorOf(make())]).toEqual(theirs);
  expect(theirs).toEqual(Array(2).fill(expect.objectContaining({ statusCode: 500 })));
});

test("the mock and the face refuse the same refunds", async () => {
  await using mock = await openStatefulMock();
  await using rig = await openStripeRig();
  const { id: charge } = await mock.stripe.charges.create({ ...intent, source: "tok_visa" });
  const { id: payment_intent } = await payWith(rig, "pm_card_visa");
  const refundsOf = async ({ refunds }: Stripe, of: Stripe.RefundCreateParams) => [
    (await refunds.create({ ...of, amount: 500 })).status,
    await errorOf(refunds.create({ ...of, amount: 2000 })),
    (await refunds.create(of)).amount,
    await errorOf(refunds.create(of)),
    await errorOf(refunds.retrieve("re_none")),
  ];

  const theirs = await refundsOf(mock.stripe, { charge });

  expect(await refundsOf(rig.stripe, { payment_intent })).toEqual(theirs);
});
