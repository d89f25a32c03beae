// Rules: a charge of the simulated gateway, and what the gateway answers about it at an instant.

import { randomBytes } from "#kernel/random.ts";
import type {
  GatewayAttempt,
  GatewayName,
  Initiation,
  PaymentOutcome,
} from "#payments/gateways/port.ts";

import type { SimulatedCharge } from "./queries.ts";
import { endingAt, type Script, takenOf } from "./script.ts";

const PAGE_TOKEN_BYTES = 24;
const DISPLAY = {
  approve_on_phone: "Approve the payment on your phone.",
  otp: "Enter the code that was sent to your phone.",
};

/** The time at the gateway, and the address of its test page with a token. */
export interface AnswerTerms {
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
    script,
    pageToken: Buffer.from(randomBytes(PAGE_TOKEN_BYTES)).toString("base64url"),
    decision: null,
    failureCode: null,
    gatewayCode: null,
    arrivedAt: null,
    pushes: 0,
  };
}

/** The script's answer to the first request, whatever the outcome is by then. */
export function answerOf(charge: SimulatedCharge, { now, pageUrl }: AnswerTerms): Initiation {
  const { says } = charge.script.answer;
  const names = namesOf(charge);
  switch (says) {
    case "approve_on_phone":
      return { kind: "offline", action: says, displayText: DISPLAY[says], names };
    case "otp":
      return { kind: "otp", displayText: DISPLAY[says], names };
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

/** What became of the charge by the instant, with what of it went back. */
export function outcomeOf(
  charge: SimulatedCharge,
  { now, returnedMinor = 0 }: { readonly now: number; readonly returnedMinor?: number },
): PaymentOutcome {
  const ending = endingAt(charge, now);
  const names = namesOf(charge);
  if (ending === "not_found") return { state: ending };
  if (ending === "pending") return { state: ending, names };
  if (ending.state === "failed") return { ...ending, names };
  const { gatewayReference } = charge;
  const taken = takenOf(charge.script, charge);
  return { state: "succeeded", gatewayReference, mode: "test", ...taken, names, returnedMinor };
}

function namesOf({ gatewayReference }: SimulatedCharge): readonly GatewayName[] {
  return [{ kind: "charge", name: `sim-${gatewayReference}` }];
}
