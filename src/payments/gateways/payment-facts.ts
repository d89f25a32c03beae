// Rules: what is kept of the facts that a gateway tells of money. Invariant: no row has more of a card than its last
// four digits, whatever a gateway tells.

import { maskCardNumbers } from "#kernel/card-number.ts";
import type { Instrument, PaymentFacts } from "#payments/payments/payment-life.ts";
import type { Payment } from "#payments/payments/payment.ts";

import type { PaymentOutcome } from "./port.ts";

type Success = Extract<PaymentOutcome, { state: "succeeded" }>;

/** The facts of money that no gateway tells of. */
const nothingReported: PaymentFacts = {
  paidAt: null,
  channel: null,
  instrument: null,
  feeMinor: null,
};

/** The outcome of money of which nothing more is reported, such as money by hand. */
export function arrivedAs(
  { id, gatewayReference, currency }: Payment,
  { mode, amountMinor }: Pick<Success, "mode" | "amountMinor">,
): Success {
  const paid = { mode, gatewayReference: gatewayReference ?? id, amountMinor, currency };
  return { state: "succeeded", ...paid, names: [], ...nothingReported, returnedMinor: 0 };
}

type Kept = Pick<Payment, keyof PaymentFacts | "returnedMinor">;

const WORD_MAX = 40;

/** The facts of the payment's money once the gateway reported this: those that it no longer reports are kept. */
export function factsAfter(payment: Payment, reported: Success): Kept {
  return {
    paidAt: wholeOrNull(reported.paidAt) ?? payment.paidAt,
    channel: wordOrNull(reported.channel) ?? payment.channel,
    instrument: instrumentOf(reported) ?? payment.instrument,
    feeMinor: wholeOrNull(reported.feeMinor) ?? payment.feeMinor,
    returnedMinor: reported.returnedMinor,
  };
}

/** Returns true if the payment does not know all of it. */
export function isNewTo(payment: Payment, facts: Kept): boolean {
  return (
    facts.paidAt !== payment.paidAt ||
    facts.channel !== payment.channel ||
    facts.feeMinor !== payment.feeMinor ||
    facts.returnedMinor !== payment.returnedMinor ||
    !isSame(facts.instrument, payment.instrument)
  );
}

function isSame(one: Instrument | null, other: Instrument | null): boolean {
  return (
    one?.brand === other?.brand && one?.last4 === other?.last4 && one?.country === other?.country
  );
}

function instrumentOf({ instrument }: Success): Instrument | null {
  if (instrument === null) return null;
  const { brand, last4, country } = instrument;
  return {
    brand: wordOrNull(brand),
    last4: matching(last4, /^[0-9A-Za-z]{4}$/),
    country: matching(country, /^[A-Z]{2}$/),
  };
}

function wordOrNull(word: string | null): string | null {
  return word === null || word === "" ? null : maskCardNumbers(word).slice(0, WORD_MAX);
}

function matching(text: string | null, pattern: RegExp): string | null {
  return text !== null && pattern.test(text) ? text : null;
}

function wholeOrNull(value: number | null): number | null {
  return value !== null && Number.isSafeInteger(value) && value >= 0 ? value : null;
}
