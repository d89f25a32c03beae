// The live cases of Paystack, by its test numbers. An account has one currency, so that each has its own ways.

import assert from "node:assert/strict";

import { PaystackCalls } from "#payments/gateways/paystack/calls.ts";

import { casesOf, type LiveCase, pay, type Ways } from "./live-cases.ts";
import type { LiveWorld } from "./live-world.ts";

/** The numbers that Paystack's documents give for test mode, by the currency of the account. */
const payers = {
  GHS: { phone: "+233551234987", provider: "mtn" },
  KES: { phone: "+254710000000", provider: "mpesa" },
} as const;
export const paystackCurrencies = ["GHS", "KES"] as const;
export type PaystackCurrency = (typeof paystackCurrencies)[number];

function waysOf(currency: PaystackCurrency): Ways {
  const sumOf = ({ gateway }: LiveWorld) => {
    const terms = gateway.takes({ method: "gateway", currency, provider: null });
    return { amountMinor: 100 + (terms?.minimumMinor ?? 0), currency };
  };
  return {
    paying: (world) =>
      world.attempt({ ...sumOf(world), method: "mobile_money", ...payers[currency] }),
    onPage: (world) => world.attempt({ ...sumOf(world), method: "gateway" }),
    listed: async (world) => {
      const since = new Date(world.outside.now() - 3_600_000).toISOString();
      const path = `/transaction?status=success&from=${since}`;
      const limits = { signal: AbortSignal.timeout(20_000), ms: 15_000 };
      const listed = await new PaystackCalls(world.terms).list(path, limits);
      if (listed.kind !== "all") throw new Error(`The list of transactions: ${listed.kind}`);
      return listed.rows.map((one) => one.text("reference"));
    },
  };
}

/** The cases of an account of the currency. */
export function paystackCases(currency: PaystackCurrency): readonly LiveCase[] {
  const ways = waysOf(currency);
  return [...casesOf(ways), samePage(ways), noDispute(ways)];
}

function samePage({ onPage }: Ways): LiveCase {
  return {
    name: "duplicate-reference",
    what: "a page of a reference that has one is refused, and the attempt stays pending",
    run: async (world) => {
      const attempt = onPage(world);
      await world.initiate(attempt);
      assert.equal((await world.initiate(attempt)).kind, "unknown");
      assert.equal((await world.verify(attempt)).state, "pending");
    },
  };
}

function noDispute({ paying }: Ways): LiveCase {
  return {
    name: "no-dispute",
    what: "a payment that nobody disputes has no dispute",
    run: async (world) => {
      const attempt = paying(world);
      await pay(world, attempt);
      const found = await world.gateway.findDisputes?.(attempt, [], world.call(attempt));
      assert.deepEqual(found, { kind: "found", disputes: [] });
    },
  };
}
