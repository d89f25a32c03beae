// Whatever goes wrong with a call to the face of Stripe, the same call under its key has its effect once.

import { expect, test } from "bun:test";

import { everyFault, faultName, type PlannedFault } from "#mocks/faults.ts";

import { confirmTerms, intentTerms, openStripeRig, paidIntent, type StripeRig } from "./rig.ts";

/** A caller that waits for an answer that comes, and one that gives up on what never ends. */
const PATIENT_MS = 20_000;
const IMPATIENT_MS = 400;

/** By the call that is struck: how to ask for it, and how often it had its effect. */
const ways = {
  "POST /v1/payment_intents": async ({ stripe, face }: StripeRig) => ({
    ask: (timeout: number) =>
      stripe.paymentIntents.create(intentTerms, { idempotencyKey: "pay-1", timeout }),
    effects: () => face.account.intents.all().length,
  }),
  "POST /v1/payment_intents/{id}/confirm": async ({ stripe, face }: StripeRig) => {
    const { id } = await stripe.paymentIntents.create(intentTerms);
    const terms = { ...confirmTerms, payment_method: "pm_card_visa" };
    return {
      ask: (timeout: number) =>
        stripe.paymentIntents.confirm(id, terms, { idempotencyKey: "pay-1.c", timeout }),
      effects: () => face.account.charges.all().length,
    };
  },
  "POST /v1/refunds": async (rig: StripeRig) => {
    const { id: payment_intent } = await paidIntent(rig);
    const refund = { payment_intent, amount: 500 };
    return {
      ask: (timeout: number) =>
        rig.stripe.refunds.create(refund, { idempotencyKey: "ref-1", timeout }),
      effects: () => rig.face.account.refunds.all().length,
    };
  },
};

const cases = Object.entries(ways).flatMap(([call, open]) =>
  everyFault.map(
    (planned) => [`${call} struck ${faultName(planned)}`, { call, open, planned }] as const,
  ),
);

function isEndless({ fault }: PlannedFault): boolean {
  return fault.kind === "hang" || fault.kind === "drip";
}

/** A 500 before the effect is what the key answers from then on. */
function isForGood({ moment, fault }: PlannedFault): boolean {
  return moment === "before" && fault.kind === "broken";
}

test.each(cases)("%s, and asked again, has one effect", async (_, { call, open, planned }) => {
  await using rig = await openStripeRig();
  const way = await open(rig);
  rig.face.faults.plan(planned, { call });

  // The answers are what the fault makes of them, or errors; the vendor's rows tell what happened.
  await Promise.allSettled([way.ask(isEndless(planned) ? IMPATIENT_MS : PATIENT_MS)]);
  await Promise.allSettled([way.ask(PATIENT_MS)]);

  expect(rig.face.faults.struck).toHaveLength(1);
  expect(way.effects()).toBe(isForGood(planned) ? 0 : 1);
  expect(rig.face.account.books.faults()).toEqual([]);
});
