// Reads the outcome of an attempt from a transaction at Paystack. Invariant: money counts only in a transaction of this
// shop's mode that has the attempt's reference, and a status that no document has is a surprise.

import { maskCardNumbers } from "#kernel/card-number.ts";
import { type CurrencyCode, isCurrency } from "#kernel/currency.ts";
import type { Fields } from "#payments/gateways/answers/fields.ts";
import type { GatewayAttempt, PaymentOutcome } from "#payments/port/gateway.ts";
import type { FailureCode, GatewayName } from "#payments/rows/payment-life.ts";
import { isPaidOnPage } from "#payments/rows/payment.ts";
import type { Mode } from "#platform/database/shop.ts";

import { toMinor, wholeMinorOf } from "./countries.ts";

/** The attempt with which a transaction is compared. */
export interface About {
  readonly attempt: GatewayAttempt;
  readonly mode: Mode;
  /** Epoch milliseconds, the machine's. */
  readonly now: number;
}

/** Statuses in which the customer, or their network, is not done. */
const waiting: ReadonlySet<string> = new Set([
  "abandoned",
  "ongoing",
  "pending",
  "processing",
  "queued",
]);

/** Returns true if money of the transaction went back, or is about to. */
export function isReversed(transaction: Fields): boolean {
  return transaction.text("status").startsWith("revers");
}

/** The outcome of the attempt by its transaction, of whose money so much went back. */
export function outcomeOf(
  transaction: Fields,
  about: About,
  returnedMinor: number,
): PaymentOutcome {
  requireOwn(transaction, about);
  const status = transaction.text("status");
  const names = namesOf(transaction);
  if (status === "success" || isReversed(transaction)) {
    return { ...moneyOf(transaction, about), names, returnedMinor };
  }
  if (waiting.has(status)) return { state: "pending", names };
  if (status !== "failed") throw transaction.surprise("status");
  // On a page the customer may try the next card.
  if (isPaidOnPage(about.attempt) && about.now < about.attempt.gatewayEndsAt) {
    return { state: "pending", names };
  }
  const reported = failureOf(
    transaction.textIfAny("message"),
    transaction.textIfAny("gateway_response"),
  );
  return { state: "failed", ...reported, names };
}

function requireOwn(transaction: Fields, { attempt, mode }: About): void {
  if (transaction.text("reference") !== attempt.gatewayReference) {
    throw transaction.surprise("reference");
  }
  if (transaction.text("domain") !== mode) throw transaction.surprise("domain");
}

/** The transaction, and the receipt that a mobile network gives. */
function namesOf(transaction: Fields): GatewayName[] {
  const name = transaction.numberedId("id");
  const receipt = transaction.textIfAny("receipt_number");
  return [
    { kind: "transaction", name },
    ...(receipt === null ? [] : [{ kind: "receipt" as const, name: receipt }]),
  ];
}

function moneyOf(transaction: Fields, { attempt, mode }: About) {
  const authorization = transaction.fieldsOrNull("authorization");
  return {
    state: "succeeded",
    gatewayReference: attempt.gatewayReference,
    mode,
    amountMinor: paidMinor(transaction),
    currency: transaction.text("currency"),
    paidAt: instantOf(transaction, "paid_at"),
    channel: transaction.textIfAny("channel"),
    instrument:
      authorization === null
        ? null
        : {
            brand: authorization.textIfAny("brand"),
            last4: authorization.textIfAny("last4"),
            country: authorization.textIfAny("country_code"),
          },
    feeMinor: feeOf(transaction),
  } as const;
}

/** Null where it is not reported, and where it has more digits than the currency, as of francs. */
function feeOf(transaction: Fields): number | null {
  const currency = transaction.text("currency");
  if (transaction.isNull("fees") || !isCurrency(currency)) return null;
  return toMinor(transaction.wholeOrText("fees"), currency);
}

/**
 * A payer who bears the fees pays more than was asked for, which may have a part of a franc; a short payment is less.
 * What counts is compared in Paystack's own units.
 */
function paidMinor(transaction: Fields): number {
  if (transaction.isNull("requested_amount")) return minorOf(transaction, "amount");
  const isMore = transaction.wholeOrText("amount") > transaction.wholeOrText("requested_amount");
  return minorOf(transaction, isMore ? "requested_amount" : "amount");
}

/** An amount in the currency of its object. */
function minorOf(object: Fields, name: string): number {
  const amountMinor = toMinor(object.wholeOrText(name), currencyOf(object));
  if (amountMinor === null) throw object.surprise(name);
  return amountMinor;
}

/** The same of what goes back: of francs with the fees that a payer bore, a part of one may, too. It does not count. */
export function returnOf(object: Fields, name: string): number {
  return wholeMinorOf(object.wholeOrText(name), currencyOf(object));
}

function currencyOf(object: Fields): CurrencyCode {
  const currency = object.text("currency");
  if (!isCurrency(currency)) throw object.surprise("currency");
  return currency;
}

function instantOf(transaction: Fields, name: string): number | null {
  const text = transaction.textIfAny(name);
  if (text === null) return null;
  const instant = Date.parse(text);
  if (Number.isNaN(instant)) throw transaction.surprise(name);
  return instant;
}

/** Why a payment failed, in sentences that differ by network and bank. The first that matches is meant. */
const meanings: readonly (readonly [words: RegExp, meaning: FailureCode])[] = [
  [/insufficient|low balance|not enough/, "insufficient_funds"],
  [/fraud|blocked/, "fraud_suspected"],
  [/\bpin\b/, "wrong_pin"],
  [/limit|exceed/, "payer_limit"],
  [/timed? ?out|expired?\b/, "timeout"],
  [/cancel|reject|not approved/, "not_approved"],
  [/invalid (?:phone|number|msisdn)/, "invalid_number"],
  [/not registered|not found/, "payer_not_found"],
  [/declined|do not honou?r/, "declined"],
  [/system|unavailable|try again/, "provider_unavailable"],
];

const CODE_MAX = 200;

/** The shop's code, and Paystack's words beside it. */
export function failureOf(...reported: readonly (string | null)[]): {
  readonly failureCode: FailureCode;
  readonly gatewayCode: string | null;
} {
  const words = reported.filter((one) => one !== null && one !== "");
  const text = words.join(" ").toLowerCase();
  const failureCode = meanings.find(([pattern]) => pattern.test(text))?.[1] ?? "other";
  const gatewayCode = maskCardNumbers(words.join(": ")).slice(0, CODE_MAX);
  return { failureCode, gatewayCode: gatewayCode === "" ? null : gatewayCode };
}
