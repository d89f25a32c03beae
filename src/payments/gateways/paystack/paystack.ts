// The gateway at Paystack: its pages, and phones that pay by mobile money. Invariant: what reads sends GET alone, and an
// answer that surprises is an unknown outcome, never a failure.

import type { Id } from "#kernel/id.ts";
import { orUnknown, unknownOutcome } from "#payments/gateways/answers/unclear.ts";
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

import { type Answer, isDuplicate, type Refused, unclear } from "./answers.ts";
import { PaystackCalls } from "./calls.ts";
import { initiationFrom, initiationOf, pageOf, requireAbout } from "./charge.ts";
import { payingPhone, termsOf } from "./countries.ts";
import { readNotice } from "./notice.ts";
import { failureOf } from "./outcomes.ts";
import { findPayoutLines, listPayouts } from "./payouts.ts";
import { disputesOf, numberOf, READ_MS, readOutcome, refundsOf } from "./reads.ts";
import { chargeBody, pageBody, refundBody } from "./requests.ts";
import {
  listedDisputeOf,
  listedRefundOf,
  outcomeOfRefund,
  ownOutcomeOf,
  refusedRefund,
} from "./returns.ts";

/** Milliseconds. */
const PAGE_MS = 15_000;
/** A charge may hold its answer until the customer has approved. */
const CHARGE_MS = 30_000;
const REFUND_MS = 20_000;

/** Half of the requests that it takes by its page on rate limits: a call may be some, and customers need the rest. */
const PER_MINUTE = { live: 300, test: 50 } as const;

/** Returns the gateway of an account at Paystack. */
export function openPaystack(terms: VendorTerms): Gateway {
  return new PaystackGateway(terms);
}

class PaystackGateway implements Gateway {
  readonly id = "paystack";
  readonly mode: VendorTerms["mode"];
  readonly standing = "open";
  readonly methods = ["mobile_money", "card", "gateway"] as const;
  readonly noticeRules: NoticeRules = { methods: ["POST"], isSigned: true };
  readonly refundsFailLate = false;
  /** No document says how a transaction reads of which a part went back. */
  readonly hidesReturns = true;
  readonly perMinute: number;
  readonly #terms: VendorTerms;
  readonly #calls: PaystackCalls;

  constructor(terms: VendorTerms) {
    this.mode = terms.mode;
    this.perMinute = PER_MINUTE[terms.mode];
    this.#terms = terms;
    this.#calls = new PaystackCalls(terms);
  }

  takes(asked: AskedOfGateway): CurrencyTerms | null {
    const isTaken = asked.hasToken !== true && this.methods.some((one) => one === asked.method);
    return isTaken ? termsOf(asked) : null;
  }

  newReference(id: Id<"payment">, attemptNumber: number): string {
    return gatewayReferenceOf(id, attemptNumber);
  }

  validate(attempt: GatewayAttempt): AttemptFault[] {
    if (attempt.method === "mobile_money") {
      const phone = payingPhone(attempt.currency, attempt);
      return "field" in phone ? [phone] : [];
    }
    if (attempt.cardToken === null) return [];
    const detail = "Paystack takes cards on its page alone: leave the token out.";
    return [{ field: "card_token", code: "method_not_supported", detail }];
  }

  initiate(attempt: GatewayAttempt, terms: GatewayCallTerms): Promise<Initiation> {
    return orUnknown(() =>
      isPaidOnPage(attempt) ? this.#openPage(attempt, terms) : this.#charge(attempt, terms),
    );
  }

  submitAction(
    attempt: GatewayAttempt,
    { otp }: { readonly otp: string },
    terms: GatewayCallTerms,
  ): Promise<Initiation> {
    return orUnknown(async () => {
      const body = { otp, reference: attempt.gatewayReference };
      const limits = { signal: terms.signal, ms: CHARGE_MS };
      const answer = await this.#calls.post("/charge/submit_otp", body, limits);
      // A refusal may mean that the attempt was decided meanwhile.
      if (answer.kind === "refused") return { kind: "unknown" };
      return this.#initiation(attempt, answer, terms);
    });
  }

  async verify(attempt: GatewayAttempt, terms: GatewayCallTerms): Promise<PaymentOutcome> {
    const about = { attempt, mode: this.mode, now: this.#terms.clock.now() };
    const reported = await orUnknown(() => readOutcome(this.#calls, about, terms));
    return "kind" in reported ? unknownOutcome(reported) : reported;
  }

  /** Prompts and pages end by themselves. */
  async cancel(): Promise<CancelOutcome> {
    return { kind: "unsupported" };
  }

  refund(refund: GatewayRefund, terms: GatewayCallTerms): Promise<RefundOutcome> {
    return orUnknown(async (): Promise<RefundOutcome> => {
      // There is no key that makes a second call harmless.
      const made = await this.#findRefund(refund, terms);
      if (made.kind !== "not_found") return made;
      const limits = { signal: terms.signal, ms: REFUND_MS };
      const answer = await this.#calls.post("/refund", refundBody(refund), limits);
      if (answer.kind === "ok") return outcomeOfRefund(answer.answer.fields("data"));
      return answer.kind === "refused" ? refusedRefund(answer) : answer;
    });
  }

  verifyRefund(refund: GatewayRefund, terms: GatewayCallTerms): Promise<RefundOutcome> {
    return orUnknown(async (): Promise<RefundOutcome> => {
      const { gatewayRefundId } = refund;
      if (gatewayRefundId === null) return this.#findRefund(refund, terms);
      const limits = { signal: terms.signal, ms: READ_MS };
      const answer = await this.#calls.get(`/refund/${gatewayRefundId}`, limits);
      if (answer.kind === "ok") return outcomeOfRefund(answer.answer.fields("data"));
      return unclear(answer);
    });
  }

  findRefunds(attempt: GatewayAttempt, terms: GatewayCallTerms): Promise<FoundRefunds> {
    return orUnknown(async (): Promise<FoundRefunds> => {
      const transaction = await numberOf(this.#calls, attempt, terms);
      if (typeof transaction !== "string") return transaction;
      return refundsOf(this.#calls, transaction, terms);
    });
  }

  findDisputes(
    attempt: GatewayAttempt,
    known: readonly string[],
    terms: GatewayCallTerms,
  ): Promise<FoundDisputes> {
    return orUnknown(async (): Promise<FoundDisputes> => {
      const transaction = await numberOf(this.#calls, attempt, terms);
      if (typeof transaction !== "string") return transaction;
      return disputesOf(this.#calls, { transaction, known }, terms);
    });
  }

  listDisputes(sinceMs: number, signal: AbortSignal): Promise<ListedReturns> {
    return orUnknown(async (): Promise<ListedReturns> => {
      const path = `/dispute?from=${new Date(sinceMs).toISOString()}`;
      const listed = await this.#calls.list(path, { signal, ms: READ_MS });
      if (listed.kind !== "all") return unclear(listed);
      return { kind: "found", returns: listed.rows.map(listedDisputeOf) };
    });
  }

  listRefunds(sinceMs: number, signal: AbortSignal): Promise<ListedReturns> {
    return orUnknown(async (): Promise<ListedReturns> => {
      const path = `/refund?from=${new Date(sinceMs).toISOString()}`;
      const listed = await this.#calls.list(path, { signal, ms: READ_MS });
      if (listed.kind !== "all") return unclear(listed);
      const rows = listed.rows.filter((refund) => refund.text("status") !== "failed");
      return { kind: "found", returns: rows.map(listedRefundOf) };
    });
  }

  listPayouts(sinceMs: number, signal: AbortSignal): Promise<ListedPayouts> {
    const asked = { sinceMs, mode: this.mode };
    return orUnknown(() => listPayouts(this.#calls, asked, { signal, ms: READ_MS }));
  }

  findPayoutLines(payout: ListedPayout, signal: AbortSignal): Promise<FoundPayoutLines> {
    return orUnknown(() => findPayoutLines(this.#calls, payout, { signal, ms: READ_MS }));
  }

  parseWebhook(notice: ArrivedNotice): Notice {
    return readNotice(notice, this.#terms);
  }

  async #openPage(attempt: GatewayAttempt, { signal }: GatewayCallTerms): Promise<Initiation> {
    const limits = { signal, ms: PAGE_MS };
    const answer = await this.#calls.post("/transaction/initialize", pageBody(attempt), limits);
    if (answer.kind === "ok") {
      const data = answer.answer.fields("data");
      requireAbout(data, attempt);
      const url = pageOf(data, "authorization_url");
      return { kind: "redirect", url, expiresAt: null, names: [] };
    }
    if (answer.kind !== "refused") return answer;
    // The page of an earlier call is lost, and may be open before the customer.
    return isDuplicate(answer) ? { kind: "unknown" } : declined(answer);
  }

  async #charge(attempt: GatewayAttempt, terms: GatewayCallTerms): Promise<Initiation> {
    const phone = payingPhone(attempt.currency, attempt);
    if ("field" in phone) throw new Error(`${attempt.gatewayReference} has no phone that pays.`);
    const limits = { signal: terms.signal, ms: CHARGE_MS };
    const answer = await this.#calls.post("/charge", chargeBody(attempt, phone), limits);
    return this.#initiation(attempt, answer, terms);
  }

  async #initiation(
    attempt: GatewayAttempt,
    answer: Answer,
    terms: GatewayCallTerms,
  ): Promise<Initiation> {
    if (answer.kind === "refused") {
      if (!isDuplicate(answer)) return declined(answer);
    } else if (answer.kind !== "ok") {
      return answer;
    } else {
      const data = answer.answer.fields("data");
      requireAbout(data, attempt);
      const reported = initiationOf(data);
      if (reported !== "verify") return reported;
    }
    return initiationFrom(await this.verify(attempt, terms));
  }

  async #findRefund(refund: GatewayRefund, terms: GatewayCallTerms): Promise<RefundOutcome> {
    const list = await this.findRefunds(refund.attempt, terms);
    if (list.kind === "unknown") return list;
    return ownOutcomeOf(refund, list.refunds);
  }
}

/** Nothing was charged. The shop's own checks should have found what is wrong, so that the operator is told. */
function declined({ code, message }: Refused): Initiation {
  const reported = failureOf(code, message);
  return { kind: "declined", ...reported, names: [], trouble: "surprise", pointer: "/code" };
}
