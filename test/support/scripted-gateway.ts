// A gateway for tests: it keeps its books in memory, so that they outlive the shop like a vendor's, and
// answers what a test scripts.

import type {
  Cancellation,
  Gateway,
  GatewayAttempt,
  GatewayRefund,
  Initiation,
  Notice,
  PaymentOutcome,
  RefundOutcome,
} from "#payments/gateways/port.ts";

/** The vendor's record of one reference. */
interface Charge {
  readonly attempt: GatewayAttempt;
  paid: { readonly amountMinor: number; readonly currency: string } | null;
}

export class ScriptedGateway implements Gateway {
  readonly id = "scripted";
  readonly mode = "test";
  readonly methods = ["mobile_money", "card", "gateway"] as const;
  readonly charges = new Map<string, Charge>();
  readonly refunds = new Map<string, GatewayRefund>();
  polls = 0;
  /** The number of calls that charge or pay out; the vendor knows no idempotency keys. */
  initiations = 0;
  payouts = 0;
  /** The answer to the next request; null returns a payment page. */
  nextAnswer: (() => Promise<Initiation>) | null = null;
  /** The answer to the next refund; null succeeds. */
  nextRefund: RefundOutcome | null = null;
  /** Awaited before a poll is answered. */
  pause: () => Promise<void> = async () => {};

  termsOf() {
    return { multipleMinor: 1, minimumMinor: 100 };
  }

  validate() {
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
    return { kind: "redirect", url, expiresAt: null, gatewayId: null };
  }

  submitAction(): Promise<Initiation> {
    return Promise.resolve({ kind: "unknown" });
  }

  async verify({ gatewayReference }: GatewayAttempt): Promise<PaymentOutcome> {
    this.polls += 1;
    await this.pause();
    const charge = this.charges.get(gatewayReference);
    if (charge === undefined) return { state: "not_found" };
    if (charge.paid === null) return { state: "pending", gatewayId: null };
    return {
      state: "succeeded",
      gatewayReference,
      mode: "test",
      ...charge.paid,
      gatewayId: `g-${gatewayReference}`,
    };
  }

  cancel(): Promise<Cancellation> {
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

  verifyRefund(refund: GatewayRefund): Promise<RefundOutcome> {
    return this.refund(refund);
  }

  parseWebhook(bytes: Uint8Array, headers: Headers): Notice {
    if (headers.get("x-signature") !== "right") return { kind: "reject" };
    const { id, reference } = JSON.parse(new TextDecoder().decode(bytes));
    const dedupKey = String(id);
    return {
      kind: "notice",
      dedupKey,
      gatewayReference: String(reference),
      topic: "payment",
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

  #chargeOf(paymentId: string): Charge {
    const found = [...this.charges.values()].find((one) => one.attempt.paymentId === paymentId);
    if (found === undefined) throw new Error(`${paymentId} never reached the gateway.`);
    return found;
  }
}
