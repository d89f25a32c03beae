// A gateway behind an adapter: a program of the merchant's own that speaks the port over HTTP. What the adapter said of
// itself decides what is asked at all. Invariant: a call is one request, and a notice does nothing but cause a poll.

import type { GatewayMethod } from "#kernel/payment-method.ts";
import { realClock, SECOND_MS } from "#kernel/time.ts";
import { Fields } from "#payments/gateways/answers/fields.ts";
import { unknownOutcome } from "#payments/gateways/answers/unclear.ts";
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
  GatewayRules,
  Initiation,
  ListedPayouts,
  ListedReturns,
  PaymentOutcome,
  RefundOutcome,
} from "#payments/port/gateway.ts";
import type { ArrivedNotice, Notice, NoticeRules } from "#payments/port/notice.ts";
import { gatewayReferenceOf } from "#payments/rows/payment.ts";
import type { ListedPayout } from "#payments/rows/payout-life.ts";
import { parseStrictJson } from "#platform/http/strict-json.ts";
import { isSignedWith } from "#platform/net/signature.ts";

import { AdapterCalls, type AdapterTerms, secretsOf } from "./calls.ts";
import { faultsOf, isTaken, termsOf } from "./takings.ts";
import {
  attemptPart,
  cancelPart,
  type Description,
  disputesPart,
  initiationPart,
  outcomePart,
  payoutLinesPart,
  payoutPart,
  payoutsPart,
  refundOutcomePart,
  refundPart,
  refundsPart,
  returnsPart,
} from "./wire.ts";

export interface HttpGatewayTerms extends AdapterTerms {
  readonly id: string;
  readonly standing: GatewayRules["standing"];
  readonly description: Description;
  /** The address to which the adapter sends notices; null where there is none yet. */
  readonly notifyUrl: () => string | null;
}

/** Returns the gateway behind the adapter. */
export function openHttpGateway(terms: HttpGatewayTerms): Gateway {
  return new HttpGateway(terms);
}

class HttpGateway implements Gateway {
  readonly id: string;
  readonly mode: HttpGatewayTerms["mode"];
  readonly standing: GatewayRules["standing"];
  readonly methods: readonly GatewayMethod[];
  readonly noticeRules: NoticeRules = { methods: ["POST"], isSigned: true };
  readonly refundsFailLate: boolean;
  readonly hidesReturns: boolean;
  readonly perMinute: number | undefined;
  readonly findDisputes?: NonNullable<Gateway["findDisputes"]>;
  readonly listDisputes?: NonNullable<Gateway["listDisputes"]>;
  readonly listRefunds?: NonNullable<Gateway["listRefunds"]>;
  readonly listPayouts?: NonNullable<Gateway["listPayouts"]>;
  readonly findPayoutLines?: NonNullable<Gateway["findPayoutLines"]>;
  readonly #terms: HttpGatewayTerms;
  readonly #calls: AdapterCalls;

  constructor(terms: HttpGatewayTerms) {
    const { description } = terms;
    this.id = terms.id;
    this.mode = terms.mode;
    this.standing = terms.standing;
    this.methods = [...new Set(description.takes.map(({ method }) => method))];
    this.refundsFailLate = description.refundsFailLate;
    this.hidesReturns = description.hidesReturns;
    this.perMinute = description.perMinute;
    this.#terms = terms;
    this.#calls = new AdapterCalls(terms);
    const { calls } = description;
    if (calls.includes("find-disputes")) this.findDisputes = this.#findDisputes;
    if (calls.includes("list-disputes")) this.listDisputes = this.#listDisputes;
    if (calls.includes("list-refunds")) this.listRefunds = this.#listRefunds;
    if (calls.includes("list-payouts")) {
      this.listPayouts = this.#listPayouts;
      this.findPayoutLines = this.#findPayoutLines;
    }
  }

  takes(asked: AskedOfGateway): CurrencyTerms | null {
    const taking = this.#terms.description.takes.find((one) => isTaken(one, asked));
    return taking === undefined ? null : termsOf(taking);
  }

  newReference(id: GatewayAttempt["paymentId"], attemptNumber: number): string {
    return this.#terms.description.reference === "uuid"
      ? namedUuid(`${id} ${attemptNumber}`)
      : gatewayReferenceOf(id, attemptNumber);
  }

  validate(attempt: GatewayAttempt): AttemptFault[] {
    return faultsOf(this.#terms.description.takes, attempt);
  }

  async initiate(attempt: GatewayAttempt, terms: GatewayCallTerms): Promise<Initiation> {
    const key = attempt.gatewayReference;
    await terms.keyed(key, JSON.stringify(keyedAttempt(attempt)));
    const body = { attempt: attemptPart.write(attempt), notify_url: this.#terms.notifyUrl() };
    return this.#calls.act("initiate", body, { part: initiationPart, signal: terms.signal, key });
  }

  async submitAction(
    attempt: GatewayAttempt,
    { otp }: { readonly otp: string },
    { signal }: GatewayCallTerms,
  ): Promise<Initiation> {
    // No payer of it is asked for a code.
    if (!this.#terms.description.otp) return { kind: "unknown" };
    const body = { attempt: attemptPart.write(attempt), action: { otp } };
    return this.#calls.act("submitAction", body, { part: initiationPart, signal });
  }

  async verify(attempt: GatewayAttempt, { signal }: GatewayCallTerms): Promise<PaymentOutcome> {
    const body = { attempt: attemptPart.write(attempt) };
    const answer = await this.#calls.read("verify", body, { part: outcomePart, signal });
    return "kind" in answer ? unknownOutcome(answer) : answer;
  }

  async cancel(attempt: GatewayAttempt, { signal }: GatewayCallTerms): Promise<CancelOutcome> {
    if (!this.#terms.description.cancels) return { kind: "unsupported" };
    const body = { attempt: attemptPart.write(attempt) };
    return this.#calls.read("cancel", body, { part: cancelPart, signal });
  }

  async refund(refund: GatewayRefund, terms: GatewayCallTerms): Promise<RefundOutcome> {
    const { refunds } = this.#terms.description;
    const isPart = refund.amountMinor !== refund.attempt.amountMinor;
    if (refunds === "none" || (refunds === "full" && isPart)) {
      return { kind: "needs_attention", gatewayRefundId: null };
    }
    const key = refund.reference;
    await terms.keyed(key, JSON.stringify(keyedRefund(refund)));
    const body = { refund: refundPart.write(refund), notify_url: this.#terms.notifyUrl() };
    return this.#calls.act("refund", body, { part: refundOutcomePart, signal: terms.signal, key });
  }

  async verifyRefund(refund: GatewayRefund, { signal }: GatewayCallTerms): Promise<RefundOutcome> {
    const body = { refund: refundPart.write(refund) };
    return this.#calls.act("verifyRefund", body, { part: refundOutcomePart, signal });
  }

  async findRefunds(attempt: GatewayAttempt, { signal }: GatewayCallTerms): Promise<FoundRefunds> {
    const body = { attempt: attemptPart.write(attempt) };
    return this.#calls.read("findRefunds", body, { part: refundsPart, signal });
  }

  /** Signed with the secret that signs calls. What it names is polled, so that it need not be true. */
  parseWebhook({ bytes, headers }: ArrivedNotice): Notice {
    const { mode } = this.#terms;
    if (bytes.length > NOTICE_BYTES_MAX) return { kind: "reject" };
    const body = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    const arrived = { headers, body, nowSeconds: Math.floor(realClock.now() / SECOND_MS) };
    const dedupKey = headers.get("webhook-id");
    const isOurs = secretsOf(this.#terms).some((secret) => isSignedWith(secret, arrived));
    const parsed = parseStrictJson(bytes);
    if (!isOurs || dedupKey === null || !parsed.ok) return { kind: "reject" };
    const given = new Fields(parsed.value);
    const gatewayReference = given.textOrNull("reference");
    const refundReference = given.textOrNull("refund_reference");
    const about = refundReference === null ? {} : { refundReference };
    const topic = refundReference === null ? "payment" : "refund";
    return { kind: "notice", dedupKey, gatewayReference, names: [], topic, mode, ...about };
  }

  readonly #findDisputes = async (
    attempt: GatewayAttempt,
    knownNames: readonly string[],
    { signal }: GatewayCallTerms,
  ): Promise<FoundDisputes> => {
    const body = { attempt: attemptPart.write(attempt), known: knownNames };
    return this.#calls.read("findDisputes", body, { part: disputesPart, signal });
  };

  readonly #listDisputes = async (sinceMs: number, signal: AbortSignal): Promise<ListedReturns> =>
    this.#calls.read("listDisputes", since(sinceMs), { part: returnsPart, signal });

  readonly #listRefunds = async (sinceMs: number, signal: AbortSignal): Promise<ListedReturns> =>
    this.#calls.read("listRefunds", since(sinceMs), { part: returnsPart, signal });

  readonly #listPayouts = async (sinceMs: number, signal: AbortSignal): Promise<ListedPayouts> =>
    this.#calls.read("listPayouts", since(sinceMs), { part: payoutsPart, signal });

  readonly #findPayoutLines = async (
    payout: ListedPayout,
    signal: AbortSignal,
  ): Promise<FoundPayoutLines> => {
    const body = { payout: payoutPart.write(payout) };
    return this.#calls.read("findPayoutLines", body, { part: payoutLinesPart, signal });
  };
}

const NOTICE_BYTES_MAX = 1_024;

/** The attempt without what changes from call to call: a key stands for the same body in each. */
function unchanging(attempt: GatewayAttempt): GatewayAttempt {
  return { ...attempt, names: [], wasAsked: false, gatewayAskedAt: 0 };
}

function keyedAttempt(attempt: GatewayAttempt): unknown {
  return attemptPart.write(unchanging(attempt));
}

function keyedRefund(refund: GatewayRefund): unknown {
  const attempt = unchanging(refund.attempt);
  return refundPart.write({ ...refund, gatewayRefundId: null, wasAsked: false, attempt });
}

function since(epochMs: number): object {
  return { since: new Date(epochMs).toISOString() };
}

// Version and variant (RFC 9562).
const VERSION = "4";
const VARIANT = "a";

/** A UUID in the form of version 4, made of the SHA-256 of the name: always the same of the same name. */
function namedUuid(name: string): string {
  const hash = new Bun.CryptoHasher("sha256").update(name).digest("hex");
  return [
    hash.slice(0, 8),
    hash.slice(8, 12),
    VERSION + hash.slice(13, 16),
    VARIANT + hash.slice(17, 20),
    hash.slice(20, 32),
  ].join("-");
}
