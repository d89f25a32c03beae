// Reads the outcome of an attempt from the objects of Stripe. Invariant: money counts only in an object of this shop's
// mode that names the attempt, and a status that no document has is a surprise.

import { isCurrency } from "#kernel/currency.ts";
import { Fields } from "#payments/gateways/answers/fields.ts";
import type { GatewayAttempt, PaymentOutcome } from "#payments/port/gateway.ts";
import type { FailureCode, GatewayName } from "#payments/rows/payment-life.ts";
import type { Mode } from "#platform/database/shop.ts";

import { toMinor } from "./money.ts";

/** The attempt with which an object is compared. */
export interface About {
  readonly attempt: Pick<GatewayAttempt, "gatewayReference">;
  readonly mode: Mode;
}

/** The reference that an intent or a refund has of the shop; null for those of others. */
export function metadataOf(object: Fields, name: "duka_reference" | "duka_refund"): string | null {
  return object.fieldsOrNull("metadata")?.textOrNull(name) ?? null;
}

/** The outcome of a Checkout Session, read with its intent, charge and balance transaction. */
export function outcomeOfSession(session: Fields, about: About): PaymentOutcome {
  requireMode(session, about);
  const intent = session.fieldsOrNull("payment_intent");
  const names: GatewayName[] = [{ kind: "session", name: session.text("id") }];
  switch (session.text("status")) {
    case "open":
      return { state: "pending", names };
    case "expired":
      return { state: "failed", failureCode: "timeout", gatewayCode: "session_expired", names };
    case "complete":
      return outcomeOfComplete(session, intent, { about, names });
    default:
      throw session.surprise("status");
  }
}

function outcomeOfComplete(
  session: Fields,
  intent: Fields | null,
  { about, names }: { readonly about: About; readonly names: readonly GatewayName[] },
): PaymentOutcome {
  const status = session.text("payment_status");
  if (intent === null || (status !== "paid" && status !== "unpaid")) {
    throw session.surprise("payment_status");
  }
  const outcome = outcomeOfIntent(intent, about);
  if (status === "paid") requireSameMoney(session, intent);
  // The payer has done their part: the bank has not.
  if (outcome.state === "not_found") return { state: "pending", names, isWorking: true };
  if (!("names" in outcome)) return outcome;
  const reported = { ...outcome, names: [...names, ...outcome.names] };
  return reported.state === "pending" ? { ...reported, isWorking: true } : reported;
}

function requireSameMoney(session: Fields, intent: Fields): void {
  if (intent.text("status") !== "succeeded") throw session.surprise("payment_status");
  if (session.whole("amount_total") !== intent.whole("amount_received")) {
    throw session.surprise("amount_total");
  }
  if (session.text("currency") !== intent.text("currency")) throw session.surprise("currency");
}

/**
 * The outcome of an intent, read with its charge and balance transaction. One that no card was sent to is not found:
 * no money was asked for.
 */
export function outcomeOfIntent(intent: Fields, about: About): PaymentOutcome {
  requireMode(intent, about);
  if (metadataOf(intent, "duka_reference") !== about.attempt.gatewayReference) {
    throw intent.surprise("metadata/duka_reference");
  }
  const names: GatewayName[] = [{ kind: "intent", name: intent.text("id") }];
  switch (intent.text("status")) {
    case "requires_payment_method":
      return outcomeOfTry(intent, names);
    case "requires_confirmation":
      return { state: "not_found" };
    case "requires_action":
      return { state: "pending", names, ...pageOfBank(intent) };
    case "processing":
      return { state: "pending", names, isWorking: true };
    case "succeeded":
      return outcomeOfMoney(intent, about, names);
    case "canceled":
      return outcomeOfCancelled(intent, names);
    default:
      // Also `requires_capture`, which is never asked for.
      throw intent.surprise("status");
  }
}

/** The page on which the customer's bank asks them; what else a payer may have to do is done on pages of Stripe's. */
function pageOfBank(intent: Fields): { readonly url?: string } {
  const action = intent.fields("next_action");
  if (action.text("type") !== "redirect_to_url") return {};
  return { url: addressOf(action.fields("redirect_to_url"), "url") };
}

/** An address that a browser can be sent to. */
export function addressOf(object: Fields, name: string): string {
  const url = object.text(name);
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? "")) throw object.surprise(name);
  return url;
}

/** A declined intent waits for another card, which it does not get: its secret is told to no one. */
function outcomeOfTry(intent: Fields, names: readonly GatewayName[]): PaymentOutcome {
  const error = intent.fieldsOrNull("last_payment_error");
  if (error === null) return { state: "not_found" };
  const decline = {
    type: error.text("type"),
    code: error.textOrNull("code"),
    declineCode: error.textOrNull("decline_code"),
  };
  return { state: "failed", ...failureOf(decline), names };
}

const cancellations = {
  expired: "timeout",
  abandoned: "not_approved",
} as const;

function outcomeOfCancelled(intent: Fields, names: readonly GatewayName[]): PaymentOutcome {
  const gatewayCode = intent.textOrNull("cancellation_reason");
  const isKnown = gatewayCode === "expired" || gatewayCode === "abandoned";
  const failureCode = isKnown ? cancellations[gatewayCode] : "other";
  return { state: "failed", failureCode, gatewayCode, names };
}

function outcomeOfMoney(
  intent: Fields,
  { attempt: { gatewayReference }, mode }: About,
  names: readonly GatewayName[],
): PaymentOutcome {
  const charge = intent.fields("latest_charge");
  const transaction = charge.fieldsOrNull("balance_transaction");
  const details = charge.fieldsOrNull("payment_method_details");
  const channel = details?.text("type") ?? null;
  const card = channel === "card" ? (details?.fieldsOrNull("card") ?? null) : null;
  return {
    state: "succeeded",
    gatewayReference,
    mode,
    amountMinor: minorOf(intent, "amount_received"),
    currency: intent.text("currency").toUpperCase(),
    names: [...names, { kind: "charge", name: charge.text("id") }],
    paidAt: charge.whole("created") * 1000,
    channel,
    instrument:
      card === null
        ? null
        : {
            brand: card.textOrNull("brand"),
            last4: card.textOrNull("last4"),
            country: card.textOrNull("country"),
          },
    feeMinor: transaction === null ? null : feeOf(transaction, charge.text("currency")),
    returnedMinor: minorOf(charge, "amount_refunded"),
    isDisputed: charge.flag("disputed"),
  };
}

/** Null where the account is paid out in another currency, and where the fee has more digits than the currency. */
function feeOf(transaction: Fields, currency: string): number | null {
  const code = currency.toUpperCase();
  if (transaction.text("currency") !== currency || !isCurrency(code)) return null;
  return toMinor(transaction.whole("fee"), code);
}

/** An amount in the currency of its object. */
export function minorOf(object: Fields, name: string): number {
  const currency = object.text("currency").toUpperCase();
  if (!isCurrency(currency)) throw object.surprise("currency");
  const amountMinor = toMinor(object.whole(name), currency);
  if (amountMinor === null) throw object.surprise(name);
  return amountMinor;
}

function requireMode(object: Fields, { mode }: About): void {
  if (object.flag("livemode") !== (mode === "live")) throw object.surprise("livemode");
}

/** Why a card was not charged: Stripe's lists of error codes and decline codes. */
const meanings: ReadonlyMap<string, FailureCode> = new Map(
  Object.entries({
    insufficient_funds: "insufficient_funds",
    ...named("declined", ["card_declined", "generic_decline", "do_not_honor", "lost_card"]),
    ...named("declined", ["stolen_card", "incorrect_cvc", "invalid_cvc", "call_issuer"]),
    ...named("payer_limit", ["card_velocity_exceeded", "withdrawal_count_limit_exceeded"]),
    ...named("payer_limit", ["card_decline_rate_limit_exceeded"]),
    expired_card: "expired_card",
    ...named("invalid_number", ["incorrect_number", "invalid_number"]),
    fraudulent: "fraud_suspected",
    ...named("wrong_pin", ["incorrect_pin", "invalid_pin", "pin_try_exceeded"]),
    ...named("not_approved", ["authentication_required"]),
    ...named("not_approved", ["payment_intent_authentication_failure"]),
    ...named("provider_unavailable", ["processing_error", "issuer_not_available"]),
    ...named("provider_unavailable", ["try_again_later", "reenter_transaction"]),
  } satisfies Record<string, FailureCode>),
);

/** Stripe's words about a card that was not charged. */
interface Decline {
  readonly type: string;
  readonly code: string | null;
  readonly declineCode: string | null;
}

/** The shop's code, and Stripe's own beside it. */
export function failureOf({ type, code, declineCode }: Decline): {
  readonly failureCode: FailureCode;
  readonly gatewayCode: string;
} {
  const gatewayCode = declineCode ?? code ?? type;
  const otherwise = type === "card_error" ? "declined" : "other";
  return { failureCode: meanings.get(gatewayCode) ?? otherwise, gatewayCode };
}

function named<T extends FailureCode>(meaning: T, codes: readonly string[]): Record<string, T> {
  return Object.fromEntries(codes.map((code) => [code, meaning]));
}
