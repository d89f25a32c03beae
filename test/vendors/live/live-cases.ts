// What a vendor's test account has to show, beyond what its documents say. The cases of every vendor.

import assert from "node:assert/strict";

import type { GatewayAttempt, PaymentOutcome } from "#payments/port/gateway.ts";

import type { LiveWorld } from "./live-world.ts";

export interface LiveCase {
  /** The name of its recording. */
  readonly name: string;
  readonly what: string;
  /** Whether a person has to act on a page of the vendor. */
  readonly needsPerson?: boolean;
  readonly run: (world: LiveWorld) => Promise<void>;
}

/** How a vendor is paid. */
export interface Ways {
  /** An attempt that is paid by itself, soon. */
  readonly paying: (world: LiveWorld) => GatewayAttempt;
  /** An attempt on the vendor's page. */
  readonly onPage: (world: LiveWorld) => GatewayAttempt;
  /** The references of what was paid lately, as the vendor's own list has them. */
  readonly listed: (world: LiveWorld) => Promise<readonly string[]>;
}

type Paid = Extract<PaymentOutcome, { state: "succeeded" }>;

export async function pay(world: LiveWorld, attempt: GatewayAttempt): Promise<Paid> {
  await world.initiate(attempt);
  return paidOf(await world.settled(attempt));
}

function paidOf(outcome: PaymentOutcome): Paid {
  if (outcome.state !== "succeeded") assert.fail(JSON.stringify(outcome));
  return outcome;
}

/** The cases that every vendor has, by these ways to pay. */
export function casesOf(ways: Ways): readonly LiveCase[] {
  return [...secretsAndNames(ways), ...charges(ways), ...refunds(ways)];
}

function secretsAndNames({ paying }: Ways): LiveCase[] {
  return [
    {
      name: "wrong-secret",
      what: "a secret that no account has charges nothing, and is told from an outage",
      run: async (world) => {
        const attempt = paying(world);
        const answer = await world.withWrongSecret().initiate(attempt, world.call(attempt));
        assert.partialDeepStrictEqual(answer, { kind: "not_sent", trouble: "misconfigured" });
      },
    },
    {
      name: "unknown-reference",
      what: "a reference that was never used is not found",
      run: async (world) => {
        assert.deepEqual(await world.verify(paying(world)), { state: "not_found" });
      },
    },
  ];
}

function charges({ paying, onPage, listed }: Ways): LiveCase[] {
  return [
    {
      name: "page-open",
      what: "a page that is not paid is pending, and has an address",
      run: async (world) => {
        const attempt = onPage(world);
        const opened = await world.initiate(attempt);
        assert.equal(opened.kind, "redirect", JSON.stringify(opened));
        assert.equal((await world.verify(attempt)).state, "pending");
      },
    },
    {
      name: "page-paid",
      what: "a page that a person pays with the vendor's test card is paid",
      needsPerson: true,
      run: async (world) => {
        const attempt = onPage(world);
        const opened = await world.initiate(attempt);
        if (opened.kind !== "redirect") throw new Error(opened.kind);
        await world.outside.askPerson?.("Pay with a test card", opened.url);
        assert.equal(paidOf(await world.settled(attempt)).amountMinor, attempt.amountMinor);
      },
    },
    {
      name: "paid-once",
      what: "what is paid has its exact amount, and is charged once although it is asked for twice",
      run: async (world) => {
        const attempt = paying(world);
        const first = await pay(world, attempt);
        await world.initiate({ ...attempt, wasAsked: true });
        const again = paidOf(await world.verify(attempt));

        const { amountMinor, currency, gatewayReference } = attempt;
        const expected = { amountMinor, currency, gatewayReference, mode: "test" as const };
        assert.partialDeepStrictEqual(first, expected);
        assert.deepEqual(again.names, first.names);
        const own = (await listed(world)).filter((one) => one === gatewayReference);
        assert.deepEqual(own, [gatewayReference]);
      },
    },
  ];
}

const onItsWay: ReadonlySet<string> = new Set(["pending", "processing", "succeeded"]);

function refunds({ paying }: Ways): LiveCase[] {
  return [
    {
      name: "refunds",
      what: "a part and then the rest is refunded once each, and no more than was paid",
      run: async (world) => {
        const attempt = paying(world);
        await pay(world, attempt);
        const terms = world.call(attempt);
        const part = world.refundOf(attempt, 40);
        const rest = world.refundOf(attempt, attempt.amountMinor - 40);
        const made = [
          await world.gateway.refund(part, terms),
          await world.gateway.refund({ ...part, wasAsked: true }, terms),
          await world.gateway.refund(rest, terms),
        ];
        const more = await world.gateway.refund(world.refundOf(attempt, 1), terms);
        const found = await world.gateway.findRefunds(attempt, terms);

        for (const { kind } of made) assert.ok(onItsWay.has(kind), kind);
        assert.equal(more.kind, "failed", JSON.stringify(more));
        if (found.kind !== "found") throw new Error(found.kind);
        const named = found.refunds.map(({ reference, amountMinor }) => [reference, amountMinor]);
        const expected = [part, rest].map(({ reference, amountMinor }) => [reference, amountMinor]);
        assert.deepEqual(
          new Map(named as [string, number][]),
          new Map(expected as [string, number][]),
        );
        assert.equal(found.refunds.length, 2);
      },
    },
    {
      name: "refund-unknown",
      what: "a refund that was never asked for is not found",
      run: async (world) => {
        const attempt = paying(world);
        await pay(world, attempt);
        const terms = world.call(attempt);
        const refund = world.refundOf(attempt, 40);
        assert.deepEqual(await world.gateway.verifyRefund(refund, terms), { kind: "not_found" });
      },
    },
  ];
}
