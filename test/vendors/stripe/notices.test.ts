// The notices of the face of Stripe: the vendor's own client verifies them, and tests send them as badly as networks do.

import { expect, test } from "bun:test";

import Stripe from "stripe";

import { openReceiver, type Received } from "../../support/receivers.ts";
import { errorOf, openStripeRig, paidIntent, sessionTerms, type StripeRig } from "./rig.ts";

const SECRET = "whsec_3Fa03Fa03Fa03Fa03Fa03Fa0";

function verify({ stripe }: StripeRig, { bytes, headers }: Received, secret = SECRET) {
  const signature = headers.get("stripe-signature") ?? "";
  return stripe.webhooks.constructEventAsync(Buffer.from(bytes), signature, secret);
}

const typesOf = async (rig: StripeRig, received: readonly Received[]) =>
  (await Promise.all(received.map((one) => verify(rig, one)))).map(({ type }) => type);

test("a payment by page is reported in the order in which it happened", async () => {
  await using rig = await openStripeRig();
  await using receiver = openReceiver();
  rig.face.addEndpoint(receiver.url, SECRET);
  const { id } = await rig.stripe.checkout.sessions.create(sessionTerms());
  await rig.face.payOnPage(id, "pm_card_visa");

  const statuses = await rig.face.notices.send();
  const received = await receiver.next(4);

  expect(statuses).toEqual([204, 204, 204, 204]);
  expect(await typesOf(rig, received)).toEqual([
    "payment_intent.created",
    "charge.succeeded",
    "payment_intent.succeeded",
    "checkout.session.completed",
  ]);
  expect(await verify(rig, received[3] ?? fail())).toMatchObject({
    object: "event",
    api_version: "2026-10-28.endive",
    livemode: false,
    data: { object: { id, payment_status: "paid", metadata: { duka_reference: "pay-1" } } },
  });
});

function fail(): never {
  throw new Error("A notice is missing.");
}

test("a notice is proved by its secret and its bytes", async () => {
  await using rig = await openStripeRig();
  await using receiver = openReceiver();
  rig.face.addEndpoint(receiver.url, SECRET);
  await paidIntent(rig);
  await rig.face.notices.send();
  const [notice = fail()] = await receiver.next();
  const changed = { ...notice, bytes: Buffer.concat([notice.bytes, Buffer.from(" ")]) };

  const other = await verify(rig, notice, "whsec_other").catch((error: unknown) => error);
  const forged = await verify(rig, changed).catch((error: unknown) => error);

  expect(other).toBeInstanceOf(Stripe.errors.StripeSignatureVerificationError);
  expect(forged).toBeInstanceOf(Stripe.errors.StripeSignatureVerificationError);
});

test("notices come twice, in another order, or never", async () => {
  await using rig = await openStripeRig();
  await using receiver = openReceiver();
  rig.face.addEndpoint(receiver.url, SECRET);

  await paidIntent(rig);
  await rig.face.notices.send({ copies: 2, order: "reversed" });
  await paidIntent(rig);
  rig.face.notices.lose();
  const statuses = await rig.face.notices.send();

  expect(await typesOf(rig, receiver.received)).toEqual([
    "payment_intent.succeeded",
    "payment_intent.succeeded",
    "charge.succeeded",
    "charge.succeeded",
    "payment_intent.created",
    "payment_intent.created",
  ]);
  expect(statuses).toEqual([]);
  expect(rig.face.notices.events).toHaveLength(6);
});

test("a notice that is not taken comes again, late, with a new signature", async () => {
  await using rig = await openStripeRig();
  await using receiver = openReceiver({
    answer: (_, nth) => new Response(null, { status: nth === 1 ? 500 : 200 }),
  });
  rig.face.addEndpoint(receiver.url, SECRET);
  await paidIntent(rig);

  const first = await rig.face.notices.send();
  rig.face.pass(3_600_000);
  const second = await rig.face.notices.send();
  const [refused = fail(), , , again = fail()] = receiver.received;

  expect([first, second]).toEqual([[500, 200, 200], [200]]);
  expect(again.body).toBe(refused.body);
  expect(again.headers.get("stripe-signature")).not.toBe(refused.headers.get("stripe-signature"));
});

test("an endpoint that is not there leaves its notices waiting", async () => {
  await using rig = await openStripeRig();
  const receiver = openReceiver();
  rig.face.addEndpoint(receiver.url, SECRET);
  await receiver[Symbol.asyncDispose]();
  await paidIntent(rig);

  expect(await rig.face.notices.send()).toEqual([0, 0, 0]);
  expect(await rig.face.notices.send()).toEqual([0, 0, 0]);
});

test("a prompt notice comes before the answer to the request that caused it", async () => {
  await using rig = await openStripeRig();
  const seen: string[] = [];
  await using receiver = openReceiver({
    answer: ({ body }) => {
      seen.push(JSON.parse(body).type);
      return new Response(null, { status: 200 });
    },
  });
  rig.face.addEndpoint(receiver.url, SECRET);
  rig.face.notices.arePrompt = true;

  await paidIntent(rig);
  seen.push("the answer");

  expect(seen).toEqual([
    "payment_intent.created",
    "charge.succeeded",
    "payment_intent.succeeded",
    "the answer",
  ]);
});

test("an event names the request and the key that caused it, and none if the vendor acts by itself", async () => {
  await using rig = await openStripeRig();
  const { id, latest_charge } = await paidIntent(rig);
  const refund = { payment_intent: id, amount: 500 };
  const made = await rig.stripe.refunds.create(refund, { idempotencyKey: "ref-1" });
  rig.face.dashboard.failRefund(made.id);

  const requests = rig.face.notices.events
    .filter(({ type }) => type.startsWith("refund."))
    .map(({ type, request }) => [type, request]);

  expect(latest_charge).toStartWith("ch_");
  expect(requests).toEqual([
    ["refund.created", { id: made.lastResponse.requestId, idempotency_key: "ref-1" }],
    ["refund.updated", { id: null, idempotency_key: null }],
    ["refund.failed", { id: null, idempotency_key: null }],
  ]);
});

test("an endpoint that the interface makes gets its events alone, and tells its secret once", async () => {
  await using rig = await openStripeRig();
  await using receiver = openReceiver();
  const made = await rig.stripe.webhookEndpoints.create({
    url: receiver.url,
    enabled_events: ["charge.dispute.created", "refund.failed"],
    api_version: "2026-10-28.endive",
  });
  const { id } = await paidIntent(rig);
  rig.face.dashboard.dispute(id);
  await rig.face.notices.send();

  const listed = await rig.stripe.webhookEndpoints.list();
  const events = await Promise.all(
    receiver.received.map((one) => verify(rig, one, made.secret ?? "")),
  );

  expect(events.map(({ type }) => type)).toEqual(["charge.dispute.created"]);
  expect(listed.data).toMatchObject([{ id: made.id, status: "enabled" }]);
  expect(listed.data[0]?.secret).toBeUndefined();
});

test("an endpoint that was deleted gets nothing, and is not deleted twice", async () => {
  await using rig = await openStripeRig();
  await using receiver = openReceiver();
  const { webhookEndpoints } = rig.stripe;
  const { id } = await webhookEndpoints.create({ url: receiver.url, enabled_events: ["*"] });
  await webhookEndpoints.del(id);
  await paidIntent(rig);

  expect(await rig.face.notices.send()).toEqual([]);
  expect(await errorOf(webhookEndpoints.del(id))).toMatchObject({ statusCode: 404 });
});
