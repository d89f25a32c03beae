// Every fault at every call that moves money at Paystack: the shop asks as it does after such an answer, and the
// vendor's books have one charge and one refund at most, which the shop does not call failed.

import { expect, test } from "bun:test";

import { everyFault, faultName, type PlannedFault } from "#mocks/faults.ts";
import type { GatewayCallTerms } from "#payments/port/gateway.ts";

import { byPhone, call, onPage, openPaystackGateway, type PaystackRig, refundOf } from "./rig.ts";

const IMPATIENT_MS = 300;

interface Struck {
  readonly rig: PaystackRig;
  readonly at: string;
  readonly planned: PlannedFault;
}

function terms({ fault: { kind } }: PlannedFault): GatewayCallTerms {
  const isEndless = kind === "hang" || kind === "drip";
  return isEndless ? { ...call, signal: AbortSignal.timeout(IMPATIENT_MS) } : call;
}

/** What was not sent is sent again; after an unknown answer it is read. */
async function chargePhone({ rig, at, planned }: Struck): Promise<string> {
  const attempt = byPhone("80");
  rig.face.faults.plan(planned, { call: at });
  const first = await rig.gateway.initiate(attempt, terms(planned));
  if (first.kind === "not_sent") await rig.gateway.initiate(attempt, terms(planned));
  return (await rig.gateway.verify(attempt, call)).state;
}

/** A page that was lost is asked for under another reference; no one has the address of the first. */
async function payOnPage({ rig, at, planned }: Struck): Promise<string> {
  rig.face.faults.plan(planned, { call: at });
  const first = await rig.gateway.initiate(onPage(), terms(planned));
  const isLost = first.kind === "unknown";
  const next = isLost ? onPage({ gatewayReference: "pay-01kf0000000000000000000001-2" }) : onPage();
  if (first.kind !== "redirect") await rig.gateway.initiate(next, call);
  rig.face.payOnPage(next.gatewayReference, "pm_card_visa");
  return (await rig.gateway.verify(next, call)).state;
}

/** A refund is asked for again only where the list of all refunds lacks it. */
async function refund({ rig, at, planned }: Struck): Promise<string> {
  const attempt = byPhone("80");
  await rig.gateway.initiate(attempt, call);
  const asked = refundOf(attempt, 500);
  rig.face.faults.plan(planned, { call: at });
  const first = await rig.gateway.refund(asked, terms(planned));
  const known = first.kind === "unknown" ? await rig.gateway.verifyRefund(asked, call) : first;
  const isMissing = known.kind === "not_found" || known.kind === "not_sent";
  return (isMissing ? await rig.gateway.refund(asked, call) : known).kind;
}

const ways = [
  ["POST /charge", chargePhone, ["succeeded", "not_found"]],
  ["POST /transaction/initialize", payOnPage, ["succeeded"]],
  ["POST /refund", refund, ["succeeded"]],
  ["GET /refund", refund, ["succeeded"]],
] as const;

const cases = ways.flatMap(([at, run, ends]) =>
  everyFault.map(
    (planned) => [`${at} struck ${faultName(planned)}`, { at, run, ends, planned }] as const,
  ),
);

test.each(cases)("%s", async (_, { at, run, ends, planned }) => {
  await using rig = await openPaystackGateway();

  const state = await run({ rig, at, planned });

  const { books, transactions, refunds } = rig.face.account;
  const paid = [...transactions.values()].filter((one) => one.state.kind === "success");
  expect(rig.face.faults.struck).toHaveLength(1);
  expect<readonly string[]>(ends).toContain(state);
  expect(paid.length).toBeLessThanOrEqual(1);
  expect(refunds.length).toBeLessThanOrEqual(1);
  // What took money is known to have, and what was given back, too.
  if (run !== refund) expect(state === "succeeded").toBe(paid.length === 1);
  else expect(state === "succeeded").toBe(refunds.length === 1);
  expect(books.faults()).toEqual([]);
});
