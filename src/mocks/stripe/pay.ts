// The fate of an intent when a payer pays, and of its Checkout Session. A session may be tried with card after
// card; it ends with the first that pays, or at its time.

import { type CurrencyCode, isCurrency } from "#kernel/currency.ts";
import { type Payer, payerOfCard, type PayerState } from "#mocks/scripts.ts";
import type { Ending } from "#sandbox/simulated-gateway/script.ts";

import type { Account, Announce, Decline, IntentRow, SessionRow } from "./account.ts";
import { noSuch } from "./errors.ts";

const messages: Readonly<Record<string, string>> = {
  expired_card: "Your card has expired.",
  incorrect_cvc: "Your card's security code is incorrect.",
  processing_error: "An error occurred while processing your card. Try again in a little bit.",
  insufficient_funds: "Your card has insufficient funds.",
};
/** Codes of an error that say why by themselves, with their field; the others are `card_declined` and a decline code. */
const plainCodes: ReadonlyMap<string, string | null> = new Map([
  ["expired_card", "exp_month"],
  ["incorrect_cvc", "cvc"],
  ["processing_error", null],
]);

const notAuthenticated: Decline = {
  type: "invalid_request_error",
  code: "payment_intent_authentication_failure",
  declineCode: null,
  message: "The provided PaymentMethod has failed authentication.",
  param: null,
};

export class Payments {
  readonly #account: Account;
  readonly #announce: Announce;

  constructor(account: Account, announce: Announce) {
    this.#account = account;
    this.#announce = announce;
  }

  /** The payer of a token of a card, of a test token, or of a confirmation token that stands for one. */
  payerOf(token: string, param: string): Payer {
    const payer = payerOfCard(token.replace(/^ctoken_/, "pm_"), this.#account.now());
    if (payer === null) throw noSuch("PaymentMethod", token, { status: 400, param });
    return payer;
  }

  /** An intent that waits for a payer. */
  makeIntent(
    terms: Pick<IntentRow, "amountMinor" | "currency" | "description" | "metadata" | "session">,
  ): IntentRow {
    const intent = this.#account.intents.add({
      ...terms,
      id: this.#account.newId("pi"),
      createdAt: this.#account.now(),
      status: "requires_payment_method",
      returnUrl: null,
      payer: null,
      method: null,
      decline: null,
      charge: null,
      canceledAt: null,
      cancellationReason: null,
    });
    this.#announce("payment_intent.created", intent.id);
    return intent;
  }

  /** The payer of a session pays on its page; the first try makes its intent. */
  payOnPage(session: SessionRow, token: string): IntentRow {
    const payer = this.payerOf(token, "payment_method");
    const intent = this.#intentOf(session);
    this.pay(intent, payer, null);
    return intent;
  }

  /** One try to pay an intent that waits for one. */
  pay(intent: IntentRow, payer: Payer, returnUrl: string | null): void {
    intent.payer = payer;
    intent.method = this.#account.newId("pm");
    intent.returnUrl = returnUrl ?? intent.returnUrl;
    intent.decline = null;
    this.#reach(intent, payer.stateAt(this.#account.now()));
  }

  /** The payer answers the bank's question. */
  answerChallenge(intent: IntentRow, answer: "approved" | "failed"): void {
    if (intent.status !== "requires_action") return;
    if (answer === "approved") this.#succeed(intent);
    else this.#fail(intent, notAuthenticated);
  }

  cancel(intent: IntentRow, reason: string | null): void {
    intent.status = "canceled";
    intent.canceledAt = this.#account.now();
    intent.cancellationReason = reason;
    this.#announce("payment_intent.canceled", intent.id);
  }

  /** Ends a session that is open, with its intent. */
  expire(session: SessionRow): void {
    session.status = "expired";
    const intent = session.intent === null ? undefined : this.#account.intents.find(session.intent);
    if (intent !== undefined) this.cancel(intent, "expired");
    this.#announce("checkout.session.expired", session.id);
  }

  /** Ends all that has come to its time: banks that have answered, sessions that are over. */
  settleDue(): void {
    const now = this.#account.now();
    for (const intent of this.#account.intents.all()) {
      const state = intent.status === "processing" ? intent.payer?.stateAt(now) : undefined;
      if (state !== undefined && state !== "working") this.#reach(intent, state);
    }
    for (const session of this.#account.sessions.all()) {
      if (session.status === "open" && session.expiresAt <= now) this.expire(session);
    }
  }

  #intentOf(session: SessionRow): IntentRow {
    const known = session.intent === null ? undefined : this.#account.intents.find(session.intent);
    if (known !== undefined) return known;
    const { id, amountMinor, currency, description, intentMetadata: metadata } = session;
    const intent = this.makeIntent({ amountMinor, currency, description, metadata, session: id });
    session.intent = intent.id;
    return intent;
  }

  #reach(intent: IntentRow, state: PayerState): void {
    if (state === "challenged") {
      intent.status = "requires_action";
      this.#announce("payment_intent.requires_action", intent.id);
    } else if (state === "working") {
      intent.status = "processing";
      this.#announce("payment_intent.processing", intent.id);
      this.#complete(intent);
    } else if (state.state === "succeeded") this.#succeed(intent);
    else this.#fail(intent, declineOf(state));
  }

  #succeed(intent: IntentRow): void {
    const wasProcessing = intent.status === "processing";
    const charge = this.#charge(intent, null);
    const { id, amountMinor, currency } = charge;
    this.#account.books.charge({ id, amountMinor, currency, feeMinor: feeOf(amountMinor) });
    intent.status = "succeeded";
    this.#announce("charge.succeeded", id);
    this.#announce("payment_intent.succeeded", intent.id);
    this.#complete(intent);
    this.#announceLate(intent, wasProcessing, "checkout.session.async_payment_succeeded");
  }

  #fail(intent: IntentRow, decline: Decline): void {
    const wasProcessing = intent.status === "processing";
    intent.decline = decline;
    if (decline !== notAuthenticated) {
      const { id } = this.#charge(intent, decline);
      this.#announce("charge.failed", id);
    }
    intent.status = "requires_payment_method";
    this.#announce("payment_intent.payment_failed", intent.id);
    this.#announceLate(intent, wasProcessing, "checkout.session.async_payment_failed");
  }

  /** A session is complete once its payer has nothing left to do. */
  #complete({ session: id }: IntentRow): void {
    const session = id === null ? undefined : this.#account.sessions.find(id);
    if (session === undefined || session.status !== "open") return;
    session.status = "complete";
    this.#announce("checkout.session.completed", session.id);
  }

  #announceLate(
    { session }: IntentRow,
    wasProcessing: boolean,
    type: "checkout.session.async_payment_succeeded" | "checkout.session.async_payment_failed",
  ): void {
    if (session !== null && wasProcessing) this.#announce(type, session);
  }

  #charge(intent: IntentRow, decline: Decline | null) {
    const { payer, method, amountMinor } = intent;
    if (payer === null || method === null) throw new Error(`${intent.id} has no payer.`);
    const asked = { amountMinor, currency: codeOf(intent.currency) };
    const taken = decline === null ? payer.takes(asked) : asked;
    const charge = this.#account.charges.add({
      id: this.#account.newId("ch"),
      createdAt: this.#account.now(),
      intent: intent.id,
      payer,
      method,
      amountMinor: taken.amountMinor,
      currency: taken.currency.toLowerCase(),
      decline,
    });
    intent.charge = charge.id;
    return charge;
  }
}

function declineOf({ gatewayCode }: Extract<Ending, { state: "failed" }>): Decline {
  const code = gatewayCode ?? "generic_decline";
  const message = messages[code] ?? "Your card was declined.";
  const type = "card_error";
  const param = plainCodes.get(code);
  if (param !== undefined) return { type, code, declineCode: null, message, param };
  return { type, code: "card_declined", declineCode: code, message, param: null };
}

/** The fee of the vendor: 2.9 % and 30 minor units. */
function feeOf(amountMinor: number): number {
  return Math.round(amountMinor * 0.029) + 30;
}

/** The vendor's currency as the shop writes it: requests with others are refused. */
function codeOf(currency: string): CurrencyCode {
  const code = currency.toUpperCase();
  if (!isCurrency(code)) throw new Error(`${code} is no currency of the shop.`);
  return code;
}
