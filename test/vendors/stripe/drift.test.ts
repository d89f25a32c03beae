// The objects of the face have the members that Stripe publishes, in every state that they reach. That the values are
// of the official types, the compiler holds.

import { expect, test } from "bun:test";

import Stripe from "stripe";

import { API_VERSION } from "#mocks/stripe/admission.ts";

import { publishedKeys } from "./published-keys.ts";
import { errorOf, openStripeRig, paidIntent, sessionTerms, type StripeRig } from "./rig.ts";

const DAY_MS = 86_400_000;

interface Named {
  readonly object: string;
  readonly status?: string;
}

function isNamed(object: object): object is Named {
  return typeof Reflect.get(object, "object") === "string";
}

/** Whatever can happen to a payment, happens; returns the objects of all events, and those that have none. */
async function live(rig: StripeRig): Promise<Named[]> {
  const { face, stripe } = rig;
  const { sessions } = stripe.checkout;
  const [tried, left] = [
    await sessions.create(sessionTerms()),
    await sessions.create(sessionTerms()),
  ];
  await face.payOnPage(left.id, "pm_card_visa_chargeDeclined");
  await face.payOnPage(tried.id, "pm_card_visa_chargeDeclined");
  await face.payOnPage(tried.id, "pm_test_pendingThenFail");
  for (const card of ["pm_card_visa", "pm_test_refundFails", "pm_test_refundNeedsAttention"]) {
    const { id: payment_intent } = await paidIntent(rig, card);
    await stripe.refunds.create({ payment_intent, amount: 500 });
    face.dashboard.dispute(payment_intent, "inquiry");
  }
  await errorOf(paidIntent(rig, "pm_card_visa_chargeDeclined"));
  const { id } = await paidIntent(rig);
  face.dashboard.closeDispute(face.dashboard.dispute(id).id, "won");
  await paidIntent(rig, "pm_card_authenticationRequired");
  face.pass(3 * DAY_MS);
  face.dashboard.payOut("eur");
  face.pass(3 * DAY_MS);
  const failed = face.dashboard.refund(id);
  face.dashboard.failRefund(failed.id);
  const endpoint = { url: "https://shop.example/hooks", enabled_events: ["*" as const] };
  const others = [
    tried,
    await stripe.webhookEndpoints.create(endpoint),
    await stripe.rawRequest("GET", "/v1/account"),
    ...(await stripe.balanceTransactions.list({ limit: 100 })).data,
  ];
  const { events } = face.notices;
  return [...events, ...events.map(({ data }) => data.object), ...others].filter(isNamed);
}

const words = (text = "") => text.split(/\s+/).filter((word) => word !== "");

/** How the members of the object differ from what is published, and from how the face is known to differ. */
function drift(object: Named): string[] {
  const { keys = "", newer, sometimes, absent } = publishedKeys[object.object] ?? {};
  const has = new Set(Object.keys(object).filter((key) => key !== "lastResponse"));
  const wanted = [...words(keys), ...words(newer)].filter((key) => !words(absent).includes(key));
  const known = new Set([...wanted, ...words(sometimes)]);
  return [
    ...wanted.filter((key) => !has.has(key)).map((key) => `${object.object} lacks ${key}`),
    ...[...has].filter((key) => !known.has(key)).map((key) => `${object.object} has ${key}`),
  ];
}

test("every object has the published members, in every state", async () => {
  await using rig = await openStripeRig();

  const objects = await live(rig);

  expect(new Set(objects.map(({ object }) => object))).toEqual(new Set(Object.keys(publishedKeys)));
  expect(objects.flatMap(drift)).toEqual([]);
  expect(rig.face.account.books.faults()).toEqual([]);
});

test("the face has the version of the API that the pinned client speaks", () => {
  expect(Stripe.API_VERSION).toBe(API_VERSION);
});

/** Statuses that Stripe documents: the official types leave them open. */
const documented: Readonly<Record<string, readonly string[]>> = {
  "checkout.session": ["open", "complete", "expired"],
  payment_intent: [
    "requires_payment_method",
    "requires_action",
    "processing",
    "succeeded",
    "canceled",
  ],
  charge: ["succeeded", "failed"],
  refund: ["pending", "succeeded", "failed"],
  dispute: ["warning_needs_response", "needs_response", "won"],
  balance_transaction: ["available", "pending"],
  payout: ["in_transit", "paid"],
};

test("every status is a documented one, and all of them are reached", async () => {
  await using rig = await openStripeRig();

  const objects = await live(rig);
  const reached = Object.keys(documented).map((name) => {
    const statuses = objects.filter(({ object }) => object === name).map(({ status }) => status);
    return [name, new Set(statuses)];
  });

  expect(reached).toEqual(Object.entries(documented).map(([name, all]) => [name, new Set(all)]));
});
