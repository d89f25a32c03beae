// Every fault at every call that moves money at Stripe: the shop asks as it does after such an answer, and the vendor's
// books have one charge and one refund at most, which the shop does not call failed.

import { expect, test } from "bun:test";

import { everyFault, faultName, type PlannedFault } from "#mocks/faults.ts";
import type { GatewayCallTerms, GatewayRefund } from "#payments/port/gateway.ts";
import type { GatewayName } from "#payments/rows/payment-life.ts";

import { byToken, callTerms, onPage, openStripeGateway, type StripeGatewayRig } from "./adapter.ts";

const IMPATIENT_MS = 300;

function terms(named: GatewayName[], planned: PlannedFault): GatewayCallTerms {
  const { kind } = planned.fault;
  const isEndless = kind === "hang" || kind === "drip";
  const signal = AbortSignal.timeout(isEndless ? IMPATIENT_MS : 20_000);
  return { ...callTerms().terms, signal, name: async (given) => void named.push(...given) };
}

/** A fault at one of the calls. */
interface Struck {
  readonly rig: StripeGatewayRig;
  readonly call: string;
  readonly planned: PlannedFault;
}

/** What a card is charged is asked for once; after an unknown answer it is read. */
async function chargeCard({ rig, call, planned }: Struck): Promise<string> {
  const named: GatewayName[] = [];
  const attempt = byToken("pm_card_visa");
  rig.face.faults.plan(planned, { call });
  const first = await rig.gateway.initiate(attempt, terms(named, planned));
  if (first.kind === "not_sent") await rig.gateway.initiate(attempt, terms(named, planned));
  return (await rig.gateway.verify({ ...attempt, names: named }, callTerms().terms)).state;
}

/** A page that was lost is asked for under another reference; no one has the address of the first. */
async function payOnPage({ rig, call, planned }: Struck): Promise<string> {
  rig.face.faults.plan(planned, { call });
  const attempt = onPage();
  const first = await rig.gateway.initiate(attempt, terms([], planned));
  const isLost = first.kind === "unknown";
  const next = isLost ? onPage({ gatewayReference: "pay-01kf0000000000000000000001-2" }) : attempt;
  const page =
    first.kind === "redirect" ? first : await rig.gateway.initiate(next, callTerms().terms);
  if (page.kind !== "redirect") return page.kind;
  await rig.face.payOnPage(page.names[0]?.name ?? "", "pm_card_visa");
  return (await rig.gateway.verify({ ...next, names: page.names }, callTerms().terms)).state;
}

/** A refund is asked for again only where the list of all refunds lacks it. */
async function refund({ rig, call, planned }: Struck): Promise<string> {
  const named: GatewayName[] = [];
  const paid = byToken("pm_card_visa");
  await rig.gateway.initiate(paid, terms(named, planned));
  const attempt = { ...paid, names: named };
  const refundId = "ref_01kf0000000000000000000001";
  const tried = {
    reference: refundId,
    gatewayRefundId: null,
    reason: "other",
    wasAsked: false,
    createdAt: 0,
  } as const;
  const asked: GatewayRefund = { refundId, ...tried, amountMinor: 500, currency: "EUR", attempt };
  rig.face.faults.plan(planned, { call });
  const first = await rig.gateway.refund(asked, terms(named, planned));
  const known =
    first.kind === "unknown" ? await rig.gateway.verifyRefund(asked, callTerms().terms) : first;
  const isMissing = known.kind === "not_found" || known.kind === "not_sent";
  return (isMissing ? await rig.gateway.refund(asked, callTerms().terms) : known).kind;
}

const ways = [
  ["POST /v1/payment_intents", chargeCard, ["succeeded", "not_found"]],
  ["POST /v1/payment_intents/{id}/confirm", chargeCard, ["succeeded", "not_found"]],
  ["POST /v1/checkout/sessions", payOnPage, ["succeeded"]],
  ["POST /v1/refunds", refund, ["succeeded", "unknown"]],
] as const;

const cases = ways.flatMap(([call, run, ends]) =>
  everyFault.map(
    (planned) => [`${call} struck ${faultName(planned)}`, { call, run, ends, planned }] as const,
  ),
);

test.each(cases)("%s", async (_, { call, run, ends, planned }) => {
  await using rig = await openStripeGateway({ startsAt: 0 });

  const state = await run({ rig, call, planned });

  const { books, charges, refunds } = rig.face.account;
  const isPaid = charges.all().length === 1;
  expect(rig.face.faults.struck).toHaveLength(1);
  expect<readonly string[]>(ends).toContain(state);
  expect(charges.all().length).toBeLessThanOrEqual(1);
  expect(refunds.all().length).toBeLessThanOrEqual(1);
  // What took money is known to have, and what was given back, too.
  if (run !== refund) expect(state === "succeeded").toBe(isPaid);
  else expect(state === "succeeded").toBe(refunds.all().length === 1);
  expect(books.faults()).toEqual([]);
});
