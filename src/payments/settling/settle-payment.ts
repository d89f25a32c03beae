// Story: applies a gateway's outcome to a payment. Every path ends here: the customer's return, a
// notice, a timer's poll, a GET. Invariant: a payment is settled once, because the life table decides
// on the locked payment in the transaction that emits the event.

import { maskCardNumbers } from "#kernel/card-number.ts";
import type { PaymentOutcome } from "#payments/port/gateway.ts";
import { saveNames } from "#payments/rows/gateway-queries.ts";
import type { LockedPayment } from "#payments/rows/lookups.ts";
import type { Instrument, PaymentFacts } from "#payments/rows/payment-life.ts";
import {
  isLost,
  isOpenAttempt,
  isPaidOnPage,
  NOT_FOUND,
  type Payment,
  paymentTimerNames,
} from "#payments/rows/payment.ts";
import { paymentRows } from "#payments/rows/queries.ts";
import type { Tx } from "#platform/database/database.ts";
import type { Mode } from "#platform/database/shop.ts";
import { clearTimer } from "#platform/scheduler/timers.ts";
import { unneededOf } from "#sales/rows/balance.ts";

import { advancePayment } from "./advance-payment.ts";
import { openRefund } from "./open-refund.ts";

type Success = Extract<PaymentOutcome, { state: "succeeded" }>;

interface Evidence {
  /** The mode of the shop that asked the gateway. */
  readonly mode: Mode;
  readonly outcome: PaymentOutcome;
  /** The facts that a person told of the money, for columns that an outcome has not. */
  readonly told?: Partial<Payment>;
}

/**
 * Afterwards the payment says what the gateway reported. The success of another reference or mode is ignored. Money
 * counts if the currency is equal and a gateway's amount is not short; else the payment goes to `review`. What the
 * gateway says of money that arrived is kept, also if it says it later. Money for an order that is cancelled, and money
 * of a gateway for one that is already paid, is refunded once; a person hands back what came by hand.
 */
export async function settlePayment(
  tx: Tx,
  locked: LockedPayment,
  { mode, outcome, told }: Evidence,
): Promise<LockedPayment> {
  const { payment } = locked;
  switch (outcome.state) {
    case "succeeded":
      if (!isAbout(payment, { mode, outcome })) return locked;
      await saveNames(tx, payment, outcome.names);
      return accept(tx, locked, { outcome, told });
    case "failed":
      await saveNames(tx, payment, outcome.names);
      return fail(tx, locked, outcome);
    case "pending":
      await saveNames(tx, payment, outcome.names);
      return isOpenAttempt(payment) ? applyPending(tx, locked, outcome) : applyEvidence(tx, locked);
    case "not_found":
      return markMissing(tx, locked);
    case "unknown":
      return payment.isUnknown ? locked : record(tx, locked, { isUnknown: true });
  }
}

/** A confirmation by the merchant carries the payment's id in place of a gateway reference. */
function isAbout(
  { id, gatewayReference }: Payment,
  { mode, outcome }: { readonly mode: Mode; readonly outcome: Success },
): boolean {
  return outcome.mode === mode && outcome.gatewayReference === (gatewayReference ?? id);
}

const decided = { isUnknown: false, nextAction: null } as const;
/** The gateway has the attempt. */
const known = { isUnknown: false, notFoundLooks: 0 } as const;

/** Saves a change that leaves the state as it is. */
async function record(
  tx: Tx,
  { payment, order }: LockedPayment,
  change: Omit<Partial<Payment>, "status">,
): Promise<LockedPayment> {
  return { payment: await paymentRows.save(tx, payment, change), order };
}

interface Arrival {
  readonly outcome: Success;
  readonly told: Evidence["told"];
}

async function accept(
  tx: Tx,
  locked: LockedPayment,
  { outcome, told }: Arrival,
): Promise<LockedPayment> {
  const { payment: before } = locked;
  const { amountMinor, currency } = outcome;
  const facts = factsAfter(before, outcome);
  if (before.receivedMinor !== null)
    return isNewTo(before, facts) ? record(tx, locked, facts) : locked;
  const received = {
    ...decided,
    ...facts,
    ...told,
    receivedMinor: amountMinor,
    receivedCurrency: currency,
  };
  // The merchant decides in review, or has accepted before the amount was known: it counts already.
  const isDecided = before.status === "review" || before.succeededAt !== null;
  if (isDecided) return record(tx, locked, received);
  // An amount that a person counted is what came; one that a gateway reports must be what was asked for.
  const isShort = before.gateway !== null && amountMinor < before.amountMinor;
  if (currency !== before.currency || isShort) {
    return advancePayment(tx, locked, { action: "doubt", change: received });
  }
  const after = await advancePayment(tx, locked, {
    action: "succeed",
    change: {
      ...received,
      capturedMinor: amountMinor,
      succeededAt: tx.now,
      failureCode: null,
      gatewayCode: null,
    },
  });
  return returnSurplus(tx, after);
}

/**
 * Refunds what the order does not owe of the money that arrived. Money that was handed over is not given back
 * without a person: an open order shows it as overpaid, and the refund of a cancelled one waits to be handed back.
 */
async function returnSurplus(tx: Tx, locked: LockedPayment): Promise<LockedPayment> {
  const { payment, order } = locked;
  if (order === null) return locked;
  const isCancelled = order.status === "cancelled";
  if (payment.gateway === null && !isCancelled) return locked;
  const amountMinor = unneededOf(payment.capturedMinor, order);
  if (amountMinor === 0) return locked;
  const opened = await openRefund(tx, locked, {
    amountMinor,
    reason: isCancelled ? "order_cancelled" : "duplicate",
    isAutomatic: true,
    isSideEffect: true,
  });
  return opened.locked;
}

async function fail(
  tx: Tx,
  locked: LockedPayment,
  { failureCode, gatewayCode }: Extract<PaymentOutcome, { state: "failed" }>,
): Promise<LockedPayment> {
  const { payment: before } = locked;
  const isUndecided = before.status === "review" && before.receivedMinor === null;
  if (!isOpenAttempt(before) && !isUndecided) return applyEvidence(tx, locked);
  const change = {
    ...decided,
    failureCode,
    gatewayCode: gatewayCode === null ? null : maskCardNumbers(gatewayCode),
  };
  return advancePayment(tx, locked, { action: "fail", change });
}

/** An outcome of a closed attempt changes no state; the attempt is no longer unknown. */
async function applyEvidence(tx: Tx, locked: LockedPayment): Promise<LockedPayment> {
  return locked.payment.isUnknown ? record(tx, locked, { isUnknown: false }) : locked;
}

async function applyPending(
  tx: Tx,
  locked: LockedPayment,
  { url, isWorking = false }: Extract<PaymentOutcome, { state: "pending" }>,
): Promise<LockedPayment> {
  const { payment: before } = locked;
  if (isWorking) return markProcessing(tx, locked);
  // A hosted page whose address was lost is not processing: the same key fetches a fresh page.
  if (before.status === "pending" && isPaidOnPage(before)) return locked;
  if (before.status === "pending" && url !== undefined) {
    const { expiresAt } = before;
    const nextAction = { type: "redirect", displayText: null, url, expiresAt } as const;
    return advancePayment(tx, locked, { action: "ask", change: { ...known, nextAction } });
  }
  if (before.status === "pending") {
    return advancePayment(tx, locked, { action: "work", change: known });
  }
  return recordKnown(tx, locked);
}

/** The payer is done, and nothing is left that could expire: polls find what their bank decides, days later. */
async function markProcessing(tx: Tx, locked: LockedPayment): Promise<LockedPayment> {
  const { id, status } = locked.payment;
  await clearTimer(tx, paymentTimerNames.expire, id);
  if (status === "processing") return recordKnown(tx, locked);
  return advancePayment(tx, locked, { action: "work", change: { ...known, nextAction: null } });
}

async function recordKnown(tx: Tx, locked: LockedPayment): Promise<LockedPayment> {
  const { isUnknown, notFoundLooks } = locked.payment;
  return isUnknown || notFoundLooks > 0 ? record(tx, locked, known) : locked;
}

async function markMissing(tx: Tx, locked: LockedPayment): Promise<LockedPayment> {
  const { payment: before } = locked;
  if (!isOpenAttempt(before)) return applyEvidence(tx, locked);
  const missing = { ...before, notFoundLooks: before.notFoundLooks + 1 };
  const { notFoundLooks } = missing;
  if (!isLost(missing, tx.now)) return record(tx, locked, { notFoundLooks });
  return advancePayment(tx, locked, {
    action: "fail",
    change: {
      ...decided,
      notFoundLooks,
      failureCode: "provider_unavailable",
      gatewayCode: NOT_FOUND,
    },
  });
}

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

/**
 * The facts of the payment's money once the gateway reported this: those that it no longer reports are kept.
 * Invariant: no row has more of a card than its last four digits, whatever a gateway tells.
 */
function factsAfter(payment: Payment, reported: Success): Kept {
  return {
    paidAt: wholeOrNull(reported.paidAt) ?? payment.paidAt,
    channel: wordOrNull(reported.channel) ?? payment.channel,
    instrument: instrumentOf(reported) ?? payment.instrument,
    feeMinor: wholeOrNull(reported.feeMinor) ?? payment.feeMinor,
    returnedMinor: reported.returnedMinor,
  };
}

/** Returns true if the payment does not know all of it. */
function isNewTo(payment: Payment, facts: Kept): boolean {
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
