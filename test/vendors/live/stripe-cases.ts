// The live cases of Stripe, by its test cards.

import assert from "node:assert/strict";

import { formOf, StripeCalls } from "#payments/gateways/stripe/calls.ts";
import type { GatewayAttempt } from "#payments/port/gateway.ts";

import { casesOf, type LiveCase, pay, type Ways } from "./live-cases.ts";
import type { LiveWorld } from "./live-world.ts";

const sum = { amountMinor: 100, currency: "EUR" } as const;

function byCard(cardToken: string): (world: LiveWorld) => GatewayAttempt {
  return (world) => world.attempt({ ...sum, method: "card", cardToken });
}

function limits() {
  return { signal: AbortSignal.timeout(20_000), ms: 15_000 };
}

const ways: Ways = {
  paying: byCard("pm_card_visa"),
  onPage: (world) => world.attempt({ ...sum, method: "gateway" }),
  listed: async (world) => {
    const since = Math.floor(world.outside.now() / 1000) - 3_600;
    const calls = new StripeCalls(world.terms);
    const path = "/v1/payment_intents";
    const listed = await calls.list(path, { created: { gte: since } }, limits());
    if (listed.kind !== "all") throw new Error(`The list of intents: ${listed.kind}`);
    return listed.rows.flatMap((one) => one.fields("metadata").textOrNull("duka_reference") ?? []);
  },
};

const own: readonly LiveCase[] = [
  {
    name: "page-ended",
    what: "a page that is cancelled cannot be paid any more",
    run: async (world) => {
      const attempt = ways.onPage(world);
      await world.initiate(attempt);
      const { kind } = await world.gateway.cancel(attempt, world.call(attempt));
      assert.equal(kind, "cancelled");
      assert.equal((await world.settled(attempt)).state, "failed");
    },
  },
  {
    name: "declined",
    what: "a card without funds is declined for that reason",
    run: async (world) => {
      const attempt = byCard("pm_card_visa_chargeDeclinedInsufficientFunds")(world);
      const answer = await world.initiate(attempt);
      const reason = { kind: "declined", failureCode: "insufficient_funds" } as const;
      assert.partialDeepStrictEqual(answer, reason);
    },
  },
  {
    name: "bank-asks",
    what: "a card whose bank asks is paid after a person has approved",
    needsPerson: true,
    run: async (world) => {
      const attempt = byCard("pm_card_threeDSecure2Required")(world);
      const asked = await world.initiate(attempt);
      if (asked.kind !== "redirect") throw new Error(asked.kind);
      await world.outside.askPerson?.("Complete the authentication", asked.url);
      assert.equal((await world.settled(attempt)).state, "succeeded");
    },
  },
  {
    name: "key-for-another-body",
    what: "a key that stands for one body refuses another",
    run: async (world) => {
      const calls = new StripeCalls(world.terms);
      const key = world.attempt({ ...sum, method: "card" }).gatewayReference;
      const post = (amount: number) =>
        calls.post("/v1/payment_intents", {
          ...limits(),
          key,
          body: formOf({ amount, currency: "eur" }),
        });
      const [first, other] = [await post(100), await post(101)];
      assert.equal(first.kind, "ok");
      assert.partialDeepStrictEqual(other, { kind: "unknown", trouble: "surprise" });
    },
  },
  {
    name: "below-the-minimum",
    what: "the smallest amount of the shop's table is taken, and one unit less is refused",
    run: async (world) => {
      const calls = new StripeCalls(world.terms);
      const terms = world.gateway.takes({ method: "card", currency: "EUR", provider: null });
      const post = (amount: number) =>
        calls.post("/v1/payment_intents", {
          ...limits(),
          key: null,
          body: formOf({ amount, currency: "eur" }),
        });
      const minimumMinor = terms?.minimumMinor ?? 0;
      assert.equal((await post(minimumMinor)).kind, "ok");
      const refused = { kind: "refused", code: "amount_too_small" } as const;
      assert.partialDeepStrictEqual(await post(minimumMinor - 1), refused);
    },
  },
  {
    name: "dispute",
    what: "a card whose owner disputes the charge has a dispute that holds the money",
    run: async (world) => {
      const attempt = byCard("pm_card_createDispute")(world);
      await pay(world, attempt);
      const { gateway } = world;
      const found = await world.until(
        async () => gateway.findDisputes?.(attempt, [], world.call(attempt)),
        (answer) => answer?.kind === "found" && answer.disputes.length > 0,
      );
      assert.equal(found?.kind === "found" ? found.disputes[0]?.status : found?.kind, "open");
    },
  },
];

export const stripeCases: readonly LiveCase[] = [...casesOf(ways), ...own];
