// A gateway for tests: it keeps its books in memory, so that they outlive the shop like a vendor's, and
// answers what a test scripts.

import type { Id } from "#kernel/id.ts";
import { type GatewayMethod, gatewayMethods } from "#kernel/payment-method.ts";
import type {
  AskedOfGateway,
  AttemptFault,
  CancelOutcome,
  CurrencyTerms,
  FoundRefund,
  FoundRefunds,
  Gateway,
  GatewayAttempt,
  GatewayRefund,
  Initiation,
  NotSent,
  PaymentOutcome,
  RefundOutcome,
} from "#payments/port/gateway.ts";
import type { ArrivedNotice, Notice, NoticeRules } from "#payments/port/notice.ts";
import type { PaymentFacts } from "#payments/rows/payment-life.ts";
import { gatewayReferenceOf } from "#payments/rows/payment.ts";

/** Of money of which the vendor tells no more than its amount. */
export const nothingReported: PaymentFacts = {
  paidAt: null,
  channel: null,
  instrument: null,
  feeMinor: null,
};

/** The answer of a call that never left the shop. */
export const notSent: NotSent = { kind: "not_sent", trouble: null, retryAfterMs: null };

/** The vendor's record of one reference. */
interface Charge {
  readonly attempt: GatewayAttempt;
  paid: { readonly amountMinor: number; readonly currency: string } | null;
}

export class ScriptedGateway implements Gateway {
  readonly id: string = "scripted";
  standing: Gateway["standing"] = "open";
  refundsFailLate = false;
  readonly noticeRules: NoticeRules = { methods: ["POST"], isSigned: true };
  readonly mode: Gateway["mode"] = "test";
  readonly methods: readonly GatewayMethod[] = gatewayMethods;
  readonly charges = new Map<string, Charge>();
  readonly refunds = new Map<string, GatewayRefund>();
  /** The refunds that the shop did not ask for. */
  readonly elsewhere: (Omit<FoundRefund, "outcome"> & { readonly gatewayReference: string })[] = [];
  /** What the vendor reports of those. */
  elsewhereIs: "processing" | "succeeded" = "succeeded";
  /** The vendor's ids of the refunds that the customer's bank sent back. */
  readonly bounced = new Set<string>();
  /** What the vendor tells of money that it received. */
  facts: PaymentFacts = nothingReported;
  polls = 0;
  readonly #pollsAt = new Map<string, number>();
  /** The number of calls that charge or pay out; the vendor knows no idempotency keys. */
  initiations = 0;
  payouts = 0;
  /** The answer to the next request; null returns a payment page. */
  nextAnswer: (() => Promise<Initiation>) | null = null;
  /** The answer to the next refund; null succeeds. */
  nextRefund: RefundOutcome | null = null;
  /** The answer to the next poll; null answers from the books. */
  nextOutcome: PaymentOutcome | null = null;
  /** Awaited before a poll is answered. */
  pause: () => Promise<void> = async () => {};

  takes(_asked: AskedOfGateway): CurrencyTerms | null {
    return { multipleMinor: 1, minimumMinor: 100, maximumMinor: null };
  }

  newReference(id: Id<"payment">, attemptNumber: number): string {
    return gatewayReferenceOf(id, attemptNumber);
  }

  validate(_attempt: GatewayAttempt): readonly AttemptFault[] {
    return [];
  }

  async initiate(attempt: GatewayAttempt): Promise<Initiation> {
    this.initiations += 1;
    const { gatewayReference } = attempt;
    const known = this.charges.get(gatewayReference);
    if (known === undefined) this.charges.set(gatewayReference, { attempt, paid: null });
    const answer = this.nextAnswer;
    this.nextAnswer = null;
    if (answer !== null) return answer();
    const url = `https://pay.example/${gatewayReference}`;
    return { kind: "redirect", url, expiresAt: null, names: [] };
  }

  submitAction(): Promise<Initiation> {
    return Promise.resolve({ kind: "unknown" });
  }

  async verify({ gatewayReference }: GatewayAttempt): Promise<PaymentOutcome> {
    this.polls += 1;
    this.#pollsAt.set(gatewayReference, (this.#pollsAt.get(gatewayReference) ?? 0) + 1);
    await this.pause();
    const outcome = this.nextOutcome;
    this.nextOutcome = null;
    if (outcome !== null) return outcome;
    const charge = this.charges.get(gatewayReference);
    if (charge === undefined) return { state: "not_found" };
    if (charge.paid === null) return { state: "pending", names: [] };
    return {
      state: "succeeded",
      gatewayReference,
      mode: this.mode,
      ...charge.paid,
      names: [{ kind: "charge", name: `g-${gatewayReference}` }],
      ...this.facts,
      returnedMinor: this.#returnedMinor(gatewayReference),
    };
  }

  cancel(): Promise<CancelOutcome> {
    return Promise.resolve({ kind: "unsupported" });
  }

  async refund(refund: GatewayRefund): Promise<RefundOutcome> {
    this.payouts += 1;
    await this.pause();
    const answer = this.nextRefund;
    this.nextRefund = null;
    if (answer !== null) return answer;
    this.refunds.set(refund.reference, refund);
    return { kind: "succeeded", gatewayRefundId: `r-${refund.reference}` };
  }

  async findRefunds({ gatewayReference }: GatewayAttempt): Promise<FoundRefunds> {
    const { currency } = this.#chargeAt(gatewayReference).attempt;
    const own = [...this.refunds.values()]
      .filter(({ attempt }) => attempt.gatewayReference === gatewayReference)
      .map(({ reference, amountMinor }) => ({ reference, amountMinor, currency }))
      .map((refund) => ({ ...refund, gatewayRefundId: `r-${refund.reference}` }));
    const all = [
      ...own,
      ...this.elsewhere.filter((one) => one.gatewayReference === gatewayReference),
    ];
    const refunds = all.map((refund): FoundRefund => {
      const { gatewayRefundId } = refund;
      const isReturned = this.bounced.has(gatewayRefundId);
      return isReturned
        ? { ...refund, outcome: { kind: "failed", gatewayCode: "returned", gatewayRefundId } }
        : {
            ...refund,
            outcome: {
              kind: refund.reference === null ? this.elsewhereIs : "succeeded",
              gatewayRefundId,
            },
          };
    });
    return { kind: "found", refunds };
  }

  /** Refunds without being asked by the shop, as in the vendor's dashboard. */
  refundElsewhere(paymentId: string, amountMinor: number): void {
    const { gatewayReference, currency } = this.#chargeOf(paymentId).attempt;
    const gatewayRefundId = `elsewhere-${this.elsewhere.length}`;
    this.elsewhere.push({
      gatewayRefundId,
      reference: null,
      amountMinor,
      currency,
      gatewayReference,
    });
  }

  /** Forgets its script and its books, as a new gateway has none. */
  forget(): void {
    for (const books of [this.charges, this.refunds, this.bounced]) books.clear();
    this.elsewhere.length = 0;
    const { standing, refundsFailLate, elsewhereIs, facts, pause } = new ScriptedGateway();
    Object.assign(this, { standing, refundsFailLate, elsewhereIs, facts, pause });
    this.polls = this.initiations = this.payouts = 0;
    this.nextAnswer = this.nextRefund = this.nextOutcome = null;
  }

  #returnedMinor(gatewayReference: string): number {
    const own = [...this.refunds.values()]
      .filter(({ attempt }) => attempt.gatewayReference === gatewayReference)
      .map(({ reference, amountMinor }) => ({ gatewayRefundId: `r-${reference}`, amountMinor }));
    const others = this.elsewhere.filter((one) => one.gatewayReference === gatewayReference);
    return [...own, ...others]
      .filter(({ gatewayRefundId }) => !this.bounced.has(gatewayRefundId))
      .reduce((sum, { amountMinor }) => sum + amountMinor, 0);
  }

  verifyRefund(refund: GatewayRefund): Promise<RefundOutcome> {
    return this.refund(refund);
  }

  parseWebhook({ bytes, headers }: ArrivedNotice): Notice {
    if (headers.get("x-signature") !== "right") return { kind: "reject" };
    const { id, reference, topic, named } = JSON.parse(new TextDecoder().decode(bytes));
    const dedupKey = String(id);
    return {
      kind: "notice",
      dedupKey,
      gatewayReference: reference === undefined ? null : String(reference),
      names: named === undefined ? [] : [{ kind: "charge", name: String(named) }],
      topic: topic === "refund" ? "refund" : "payment",
      mode: "test",
    };
  }

  /** The payer pays, by default the whole amount. */
  pay(paymentId: string, terms: { amountMinor?: number; currency?: string } = {}): void {
    const charge = this.#chargeOf(paymentId);
    const { amountMinor, currency } = charge.attempt;
    charge.paid = { amountMinor, currency, ...terms };
  }

  /** The vendor's name for the payment. */
  referenceOf(paymentId: string): string {
    return this.#chargeOf(paymentId).attempt.gatewayReference;
  }

  /** How often this payment was polled. */
  pollsOf(paymentId: string): number {
    return this.#pollsAt.get(this.referenceOf(paymentId)) ?? 0;
  }

  #chargeAt(gatewayReference: string): Charge {
    const found = this.charges.get(gatewayReference);
    if (found === undefined) throw new Error(`${gatewayReference} never reached the gateway.`);
    return found;
  }

  #chargeOf(paymentId: string): Charge {
    const found = [...this.charges.values()].find((one) => one.attempt.paymentId === paymentId);
    if (found === undefined) throw new Error(`${paymentId} never reached the gateway.`);
    return found;
  }
}
