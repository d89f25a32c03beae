// The gateway at Stripe: hosted pages, and cards by a token of Stripe's own. Invariant: what reads sends GET alone,
// and an answer that surprises is an unknown outcome, never a failure.

import type { Id } from "#kernel/id.ts";
import { SECOND_MS } from "#kernel/time.ts";
import type { Fields } from "#payments/gateways/answers/fields.ts";
import {
  orUnknown,
  type UnknownAnswer,
  unknownOutcome,
} from "#payments/gateways/answers/unclear.ts";
import type { VendorTerms } from "#payments/gateways/vendors.ts";
import type {
  AskedOfGateway,
  AttemptFault,
  CancelOutcome,
  CurrencyTerms,
  FoundDisputes,
  FoundPayoutLines,
  FoundRefunds,
  Gateway,
  GatewayAttempt,
  GatewayCallTerms,
  GatewayRefund,
  Initiation,
  ListedPayouts,
  ListedReturns,
  PaymentOutcome,
  RefundOutcome,
} from "#payments/port/gateway.ts";
import type { ArrivedNotice, Notice, NoticeRules } from "#payments/port/notice.ts";
import { gatewayReferenceOf, isPaidOnPage } from "#payments/rows/payment.ts";
import type { ListedPayout } from "#payments/rows/payout-life.ts";

import { StripeCalls } from "./calls.ts";
import { findObject, type Found, kindOf, readObject, unclear } from "./find-object.ts";
import { initiate } from "./initiate.ts";
import { currencyTerms } from "./money.ts";
import { readNotice } from "./notice.ts";
import { type About, outcomeOfIntent, outcomeOfSession } from "./outcomes.ts";
import { findPayoutLines, listPayouts } from "./payouts.ts";
import { cancelBody, CARD_TOKEN, refundBody } from "./requests.ts";
import {
  foundDisputeOf,
  foundRefundOf,
  listedDisputeOf,
  listedRefundOf,
  outcomeOfRefund,
} from "./returns.ts";

/** Milliseconds. */
const READ_MS = 10_000;
const CANCEL_MS = 10_000;
const REFUND_MS = 20_000;

/** The statuses of refunds that came to nothing. */
const FAILED: ReadonlySet<string> = new Set(["failed", "canceled"]);
const REFUNDS = "/v1/refunds";

/** Returns the gateway of an account at Stripe. */
export function openStripe(terms: VendorTerms): Gateway {
  return new StripeGateway(terms);
}

class StripeGateway implements Gateway {
  readonly id = "stripe";
  readonly mode: VendorTerms["mode"];
  readonly standing = "open";
  readonly methods = ["card", "gateway"] as const;
  readonly noticeRules: NoticeRules = { methods: ["POST"], isSigned: true };
  readonly refundsFailLate = true;
  readonly #terms: VendorTerms;
  readonly #calls: StripeCalls;

  constructor(terms: VendorTerms) {
    this.mode = terms.mode;
    this.#terms = terms;
    this.#calls = new StripeCalls(terms);
  }

  takes({ method, currency }: AskedOfGateway): CurrencyTerms | null {
    return this.methods.some((one) => one === method) ? currencyTerms(currency) : null;
  }

  newReference(id: Id<"payment">, attemptNumber: number): string {
    return gatewayReferenceOf(id, attemptNumber);
  }

  validate({ method, cardToken }: GatewayAttempt): AttemptFault[] {
    if (method !== "card" || cardToken === null || CARD_TOKEN.test(cardToken)) return [];
    const detail = "A token of Stripe begins with pm_, tok_ or ctoken_.";
    return [{ field: "card_token", code: "invalid_format", detail }];
  }

  initiate(attempt: GatewayAttempt, terms: GatewayCallTerms): Promise<Initiation> {
    const means = { calls: this.#calls, about: this.#about(attempt), terms };
    return orUnknown(() => initiate(attempt, means));
  }

  /** No card is paid by a code. */
  async submitAction(): Promise<Initiation> {
    return { kind: "unknown" };
  }

  async verify(attempt: GatewayAttempt, { signal }: GatewayCallTerms): Promise<PaymentOutcome> {
    const reported = await orUnknown(async () => {
      const found = await this.#find(attempt, signal);
      if (found.kind !== "found") return found;
      return { kind: "reported", outcome: this.#outcomeOf(attempt, found.object) } as const;
    });
    if (reported.kind === "reported") return reported.outcome;
    if (reported.kind === "none") return { state: "not_found" };
    return unknownOutcome(reported);
  }

  cancel(attempt: GatewayAttempt, { signal }: GatewayCallTerms): Promise<CancelOutcome> {
    return orUnknown(async () => {
      const found = await this.#find(attempt, signal);
      if (found.kind === "none") return { kind: "cancelled" };
      if (found.kind === "unknown") return found;
      const name = found.object.text("id");
      const act = isPaidOnPage(attempt)
        ? { path: "expire", body: "" }
        : { path: "cancel", body: cancelBody };
      const path = `${kindOf(attempt).path}/${name}/${act.path}`;
      const limits = { signal, ms: CANCEL_MS };
      const answer = await this.#calls.post(path, { ...limits, key: null, body: act.body });
      if (answer.kind === "ok") return { kind: "cancelled" };
      if (answer.kind !== "refused") return unclear(answer);
      const decided = await readObject(this.#calls, attempt, { ...limits, name });
      return decided.kind === "found" ? this.#decided(attempt, decided.object) : decided;
    });
  }

  refund(refund: GatewayRefund, terms: GatewayCallTerms): Promise<RefundOutcome> {
    return orUnknown(async (): Promise<RefundOutcome> => {
      const intent = await this.#intentOf(refund.attempt, terms.signal);
      if (typeof intent !== "string") return intent;
      const body = refundBody(refund, intent);
      if (body === null) return failed("amount_precision");
      const { reference: key } = refund;
      await terms.keyed(key, body);
      const { signal } = terms;
      const answer = await this.#calls.post(REFUNDS, { key, body, signal, ms: REFUND_MS });
      if (answer.kind === "ok") return outcomeOfRefund(answer.object);
      if (answer.kind !== "refused") return answer;
      const { code, type } = answer;
      // Another call may have given it back under this name.
      const made =
        code === "charge_already_refunded" ? await this.#findRefund(refund, signal) : null;
      return made === null || made.kind === "not_found" ? failed(code ?? type) : made;
    });
  }

  verifyRefund(refund: GatewayRefund, { signal }: GatewayCallTerms): Promise<RefundOutcome> {
    return orUnknown(async (): Promise<RefundOutcome> => {
      const { gatewayRefundId } = refund;
      if (gatewayRefundId === null) return this.#findRefund(refund, signal);
      const path = `${REFUNDS}/${gatewayRefundId}`;
      const answer = await this.#calls.get(path, {}, { signal, ms: READ_MS });
      return answer.kind === "ok" ? outcomeOfRefund(answer.object) : unclear(answer);
    });
  }

  findRefunds(attempt: GatewayAttempt, { signal }: GatewayCallTerms): Promise<FoundRefunds> {
    return orUnknown(() => this.#findRefunds(attempt, signal));
  }

  findDisputes(
    attempt: GatewayAttempt,
    _: readonly string[],
    { signal }: GatewayCallTerms,
  ): Promise<FoundDisputes> {
    return orUnknown(async (): Promise<FoundDisputes> => {
      const intent = await this.#intentOf(attempt, signal);
      if (typeof intent !== "string") return intent;
      const limits = { signal, ms: READ_MS };
      const listed = await this.#calls.list("/v1/disputes", { payment_intent: intent }, limits);
      if (listed.kind !== "all") return unclear(listed);
      return { kind: "found", disputes: listed.rows.map(foundDisputeOf) };
    });
  }

  listDisputes(sinceMs: number, signal: AbortSignal): Promise<ListedReturns> {
    return orUnknown(async (): Promise<ListedReturns> => {
      const since = { created: { gte: Math.floor(sinceMs / SECOND_MS) } };
      const listed = await this.#calls.list("/v1/disputes", since, { signal, ms: READ_MS });
      if (listed.kind !== "all") return unclear(listed);
      return { kind: "found", returns: listed.rows.map(listedDisputeOf) };
    });
  }

  listRefunds(sinceMs: number, signal: AbortSignal): Promise<ListedReturns> {
    return orUnknown(async (): Promise<ListedReturns> => {
      const since = { created: { gte: Math.floor(sinceMs / SECOND_MS) } };
      const listed = await this.#calls.list(REFUNDS, since, { signal, ms: READ_MS });
      if (listed.kind !== "all") return unclear(listed);
      const rows = listed.rows.filter((one) => !FAILED.has(one.text("status")));
      return { kind: "found", returns: rows.map(listedRefundOf) };
    });
  }

  listPayouts(sinceMs: number, signal: AbortSignal): Promise<ListedPayouts> {
    return orUnknown(() => listPayouts(this.#calls, sinceMs, { signal, ms: READ_MS }));
  }

  findPayoutLines(payout: ListedPayout, signal: AbortSignal): Promise<FoundPayoutLines> {
    return orUnknown(() => findPayoutLines(this.#calls, payout, { signal, ms: READ_MS }));
  }

  parseWebhook(notice: ArrivedNotice): Notice {
    return readNotice(notice, this.#terms);
  }

  #about(attempt: GatewayAttempt): About {
    return { attempt, mode: this.mode };
  }

  #find(attempt: GatewayAttempt, signal: AbortSignal): Promise<Found> {
    return findObject(this.#calls, attempt, { signal, ms: READ_MS });
  }

  #outcomeOf(attempt: GatewayAttempt, object: Fields): PaymentOutcome {
    const about = this.#about(attempt);
    return isPaidOnPage(attempt) ? outcomeOfSession(object, about) : outcomeOfIntent(object, about);
  }

  /** The outcome that had been decided before the attempt could be cancelled. */
  #decided(attempt: GatewayAttempt, object: Fields): CancelOutcome {
    const status = object.text("status");
    if (status === "expired" || status === "canceled") return { kind: "cancelled" };
    return { kind: "too_late", outcome: this.#outcomeOf(attempt, object) };
  }

  async #findRefunds(attempt: GatewayAttempt, signal: AbortSignal): Promise<FoundRefunds> {
    const intent = await this.#intentOf(attempt, signal);
    if (typeof intent !== "string") return intent;
    const listed = await this.#calls.list(
      REFUNDS,
      { payment_intent: intent },
      { signal, ms: READ_MS },
    );
    if (listed.kind !== "all") return unclear(listed);
    return { kind: "found", refunds: listed.rows.map(foundRefundOf) };
  }

  async #findRefund(refund: GatewayRefund, signal: AbortSignal): Promise<RefundOutcome> {
    const list = await this.#findRefunds(refund.attempt, signal);
    if (list.kind === "unknown") return list;
    const own = list.refunds.find(({ reference }) => reference === refund.reference);
    return own?.outcome ?? { kind: "not_found" };
  }

  /** The name of the intent that took the attempt's money. */
  async #intentOf(attempt: GatewayAttempt, signal: AbortSignal): Promise<string | UnknownAnswer> {
    const [name, ...others] = attempt.names.filter(({ kind }) => kind === "intent");
    if (name !== undefined && others.length === 0) return name.name;
    const found = await this.#find(attempt, signal);
    if (found.kind === "unknown") return found;
    if (found.kind === "none") return { kind: "unknown" };
    const { object } = found;
    const intent = isPaidOnPage(attempt) ? object.idOrNull("payment_intent") : object.text("id");
    return intent ?? { kind: "unknown" };
  }
}

function failed(gatewayCode: string): RefundOutcome {
  return { kind: "failed", gatewayCode, gatewayRefundId: null };
}
