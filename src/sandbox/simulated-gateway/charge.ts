// Rules: a charge of the simulated gateway, and what the gateway answers about it at an instant.

import { portion } from "#kernel/money.ts";
import { randomBytes } from "#kernel/random.ts";
import { SECOND_MS } from "#kernel/time.ts";
import type {
  FoundRefund,
  GatewayAttempt,
  GatewayRefund,
  Initiation,
  PaymentOutcome,
  RefundOutcome,
} from "#payments/port/gateway.ts";
import type { DisputeStatus, FoundDispute } from "#payments/rows/dispute-life.ts";
import type { GatewayName, Instrument } from "#payments/rows/payment-life.ts";
import type { Tx } from "#platform/database/database.ts";

import {
  findCharge,
  insertRefund,
  type SimulatedCharge,
  type SimulatedRefund,
  sumRefunds,
} from "./queries.ts";
import { endedAt, endingAt, type Script, takenOf } from "./script.ts";

const PAGE_TOKEN_BYTES = 24;
/** The gateway's part of each payment: 1.95 %. */
const FEE_BASIS_POINTS = 195;

/** The time at the gateway, and the address of its test page with a token. */
interface AnswerTerms {
  readonly now: number;
  readonly pageUrl: (token: string) => string;
}

/** A charge for the attempt that follows the script; its request has not arrived. */
export function newCharge(attempt: GatewayAttempt, script: Script): SimulatedCharge {
  return {
    gatewayReference: attempt.gatewayReference,
    paymentId: attempt.paymentId,
    reference: attempt.reference,
    orderId: attempt.orderId,
    amountMinor: attempt.amountMinor,
    currency: attempt.currency,
    returnUrl: attempt.returnUrl,
    channel: attempt.method === "mobile_money" ? "mobile_money" : "card",
    instrument: instrumentOf(attempt),
    script,
    pageToken: Buffer.from(randomBytes(PAGE_TOKEN_BYTES)).toString("base64url"),
    decision: null,
    decidedAt: null,
    failureCode: null,
    gatewayCode: null,
    arrivedAt: null,
    pushes: 0,
  };
}

/** The card of the token, a Visa where the token does not say; else the phone. */
function instrumentOf({ method, cardToken, phone, provider }: GatewayAttempt): Instrument {
  if (method === "mobile_money") {
    return { brand: provider, last4: phone?.slice(-4) ?? null, country: null };
  }
  const isMastercard = cardToken?.includes("mastercard") ?? false;
  return isMastercard
    ? { brand: "mastercard", last4: "4444", country: "GH" }
    : { brand: "visa", last4: "4242", country: "GH" };
}

/** The script's answer to the first request, whatever the outcome is by then. */
export function answerOf(charge: SimulatedCharge, { now, pageUrl }: AnswerTerms): Initiation {
  const { says } = charge.script.answer;
  const names = namesOf(charge);
  switch (says) {
    case "approve_on_phone":
      return { kind: "offline", action: says, displayText: { task: "approve" }, names };
    case "otp":
      return { kind: "otp", displayText: { task: "enter_code" }, names };
    case "redirect":
      return { kind: "redirect", url: pageUrl(charge.pageToken), expiresAt: null, names };
    case "unknown":
      return { kind: "unknown" };
    case "outcome":
    case "not_sent":
      return decidedAnswer(charge, now);
  }
}

/** The outcome as the answer to a request. */
export function decidedAnswer(charge: SimulatedCharge, now: number): Initiation {
  const outcome = outcomeOf(charge, { now });
  if (outcome.state === "not_found") return { kind: "unknown" };
  if (outcome.state !== "failed") return { kind: "done", outcome };
  const { failureCode, gatewayCode, names } = outcome;
  return { kind: "declined", failureCode, gatewayCode, names };
}

/** The outcome of the charge by the instant, with the part of it that went back. */
export function outcomeOf(
  charge: SimulatedCharge,
  { now, returnedMinor = 0 }: { readonly now: number; readonly returnedMinor?: number },
): PaymentOutcome {
  const ending = endingAt(charge, now);
  const names = namesOf(charge);
  if (ending === "not_found") return { state: ending };
  if (ending === "pending") return { state: ending, names };
  if (ending.state === "failed") return { ...ending, names };
  const { gatewayReference, channel, instrument } = charge;
  const taken = takenOf(charge.script, charge);
  const feeMinor = portion(taken.amountMinor, FEE_BASIS_POINTS, 10_000);
  const facts = { paidAt: endedAt(charge, now), channel, instrument, feeMinor };
  const paid = { gatewayReference, mode: "test", ...taken, names, ...facts } as const;
  return { state: "succeeded", ...paid, returnedMinor };
}

function namesOf({ gatewayReference }: SimulatedCharge): readonly GatewayName[] {
  return [{ kind: "charge", name: `sim-${gatewayReference}` }];
}

/** The names of notices of disputes in a script, and the status of the dispute by then. */
const states: Readonly<Record<string, DisputeStatus>> = {
  "dispute open": "open",
  "dispute won": "won",
  "dispute lost": "lost",
};

/** The dispute of the charge at an instant, shop's clock; null if there is none. The bank takes the money at once. */
export function disputeAt(charge: SimulatedCharge, now: number): FoundDispute | null {
  const { arrivedAt, gatewayReference, amountMinor, currency, script } = charge;
  if (arrivedAt === null) return null;
  const reported = script.steps.flatMap((step) => {
    const status = "pushes" in step ? states[step.pushes] : undefined;
    return status === undefined ? [] : [{ status, at: arrivedAt + step.afterSeconds * SECOND_MS }];
  });
  const status = reported.findLast(({ at }) => at <= now)?.status;
  if (status === undefined) return null;
  return {
    name: `dp_${gatewayReference}`,
    status,
    amountMinor,
    currency,
    reason: "fraudulent",
    money: status === "won" ? "returned" : "withdrawn",
    dueAt: reported.at(-1)?.at ?? null,
  };
}

// Refunds at the simulated gateway. Invariant: refunds that have not failed never exceed the
// charge, as at a real gateway, whatever the shop requests.

/** Saves a new refund, settled at once as its charge's script says. */
export async function playRefund(tx: Tx, refund: GatewayRefund): Promise<SimulatedRefund> {
  const { reference, amountMinor } = refund;
  const { gatewayReference } = refund.attempt;
  const charge = await findCharge(tx, gatewayReference);
  const result = await decide(tx, charge, amountMinor);
  const row = { reference, gatewayReference, amountMinor, ...result };
  await insertRefund(tx, row);
  return row;
}

async function decide(tx: Tx, charge: SimulatedCharge | undefined, amountMinor: number) {
  const ending = charge === undefined ? "not_found" : endingAt(charge, tx.now);
  if (charge === undefined || typeof ending === "string" || ending.state === "failed") {
    return { state: "failed" as const, gatewayCode: "charge_not_paid" };
  }
  const before = await sumRefunds(tx, charge.gatewayReference);
  if (before + amountMinor > takenOf(charge.script, charge).amountMinor) {
    return { state: "failed" as const, gatewayCode: "amount_exceeds_charge" };
  }
  const state = charge.script.refund;
  return { state, gatewayCode: state === "failed" ? "refund_declined" : null };
}

/** The refund as the port describes it. */
export function toRefundOutcome(refund: SimulatedRefund): RefundOutcome {
  const gatewayRefundId = `sim-${refund.reference}`;
  if (refund.state !== "failed") return { kind: refund.state, gatewayRefundId };
  return { kind: "failed", gatewayCode: refund.gatewayCode, gatewayRefundId };
}

/** The sum of what went back, minor units. */
export function returnedMinorOf(refunds: readonly SimulatedRefund[]): number {
  const returned = refunds.filter(({ state }) => state === "succeeded");
  return returned.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
}

/** The refund as the gateway's books list it. */
export function toFoundRefund(refund: SimulatedRefund, currency: string): FoundRefund {
  const { reference, amountMinor } = refund;
  const gatewayRefundId = `sim-${reference}`;
  return { gatewayRefundId, reference, amountMinor, currency, outcome: toRefundOutcome(refund) };
}
