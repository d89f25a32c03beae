// A small vendor of mobile money: it wants a UUID as reference, asks on the phone, calls back once by PUT and signs
// nothing.

import { createHash, timingSafeEqual } from "node:crypto";

import { Books } from "#mocks/books.ts";
import type {
  AskedOfGateway,
  CancelOutcome,
  CurrencyTerms,
  FoundRefunds,
  Gateway,
  GatewayAttempt,
  GatewayCallTerms,
  GatewayRefund,
  Initiation,
  PaymentOutcome,
  RefundOutcome,
} from "#payments/port/gateway.ts";
import type { ArrivedNotice, Notice, NoticeRules } from "#payments/port/notice.ts";

interface Charge {
  readonly amountMinor: number;
  readonly currency: string;
  readonly phone: string | null;
  readonly provider: string | null;
  state: "pending" | "approved" | "declined";
}

interface Refund {
  readonly gatewayReference: string;
  readonly amountMinor: number;
  readonly currency: string;
}

/** One percent, rounded up. */
function feeOf(amountMinor: number): number {
  return Math.ceil(amountMinor / 100);
}

export class CallbackGateway implements Gateway {
  readonly id = "callback";
  readonly mode = "test";
  readonly standing = "open";
  readonly methods = ["mobile_money"] as const;
  readonly refundsFailLate = false;
  readonly noticeRules: NoticeRules = { methods: ["POST", "PUT"], isSigned: false };
  readonly #token: string;
  readonly #books = new Books({ now: () => 0, waitMs: 0 });
  readonly #charges = new Map<string, Charge>();
  readonly #refunds = new Map<string, Refund>();

  /** Throws for an empty token: its door would be open to everyone. */
  constructor(token: string) {
    if (token === "") throw new Error("The address of the notices needs a secret token.");
    this.#token = token;
  }

  takes({ method, currency }: AskedOfGateway): CurrencyTerms | null {
    if (method !== "mobile_money" || (currency !== "GHS" && currency !== "XAF")) return null;
    return { multipleMinor: 1, minimumMinor: 1, maximumMinor: null };
  }

  validate() {
    return [];
  }

  newReference(id: string, attemptNumber: number): string {
    const hash = createHash("sha256").update(`${id} ${attemptNumber}`).digest("hex");
    const parts = [
      hash.slice(0, 8),
      hash.slice(8, 12),
      `4${hash.slice(13, 16)}`,
      `a${hash.slice(17, 20)}`,
      hash.slice(20, 32),
    ];
    return parts.join("-");
  }

  async initiate(
    { gatewayReference, ...asked }: GatewayAttempt,
    terms: GatewayCallTerms,
  ): Promise<Initiation> {
    const { amountMinor, currency, phone, provider, gatewayEndsAt } = asked;
    const body = { amountMinor, currency, phone, provider, validUntil: gatewayEndsAt };
    await terms.keyed(gatewayReference, JSON.stringify(body));
    if (!this.#charges.has(gatewayReference)) {
      const charge: Charge = { amountMinor, currency, phone, provider, state: "pending" };
      this.#charges.set(gatewayReference, charge);
    }
    const displayText = "Approve the payment on your phone.";
    return { kind: "offline", action: "approve_on_phone", displayText, names: [] };
  }

  async submitAction(): Promise<Initiation> {
    return { kind: "unknown" };
  }

  async verify({ gatewayReference }: GatewayAttempt): Promise<PaymentOutcome> {
    const charge = this.#charges.get(gatewayReference);
    if (charge === undefined) return { state: "not_found" };
    const { state, amountMinor, currency } = charge;
    const names = [{ kind: "receipt", name: `cb-${gatewayReference}` }] as const;
    if (state === "pending") return { state, names: [] };
    if (state === "declined") {
      return { state: "failed", failureCode: "not_approved", gatewayCode: "REJECTED", names };
    }
    const returnedMinor = this.#books.refundedMinor(gatewayReference);
    const paid = { gatewayReference, mode: "test", amountMinor, currency } as const;
    const facts = {
      paidAt: 0,
      channel: "mobile_money",
      instrument: { brand: charge.provider, last4: charge.phone?.slice(-4) ?? null, country: null },
      feeMinor: feeOf(amountMinor),
    };
    return { state: "succeeded", ...paid, names, ...facts, returnedMinor };
  }

  async cancel(): Promise<CancelOutcome> {
    return { kind: "unsupported" };
  }

  async refund(refund: GatewayRefund): Promise<RefundOutcome> {
    const { reference, amountMinor, currency, attempt } = refund;
    if (this.#refunds.has(reference)) return this.verifyRefund(refund);
    const { gatewayReference } = attempt;
    const charge = this.#charges.get(gatewayReference);
    const isPaid = charge?.state === "approved";
    const leftMinor = isPaid ? this.#books.refundableMinor(gatewayReference) : 0;
    if (amountMinor > leftMinor) {
      return { kind: "failed", gatewayCode: "NOT_ENOUGH", gatewayRefundId: null };
    }
    this.#books.openRefund({ id: reference, charge: gatewayReference, amountMinor });
    this.#books.payRefund(reference);
    this.#refunds.set(reference, { gatewayReference, amountMinor, currency });
    return { kind: "succeeded", gatewayRefundId: `cb-${reference}` };
  }

  async verifyRefund({ reference }: GatewayRefund): Promise<RefundOutcome> {
    if (!this.#refunds.has(reference)) return { kind: "not_found" };
    return { kind: "succeeded", gatewayRefundId: `cb-${reference}` };
  }

  async findRefunds({ gatewayReference }: GatewayAttempt): Promise<FoundRefunds> {
    const refunds = [...this.#refunds]
      .filter(([, refund]) => refund.gatewayReference === gatewayReference)
      .map(([reference, { amountMinor, currency }]) => {
        const gatewayRefundId = `cb-${reference}`;
        const outcome = { kind: "succeeded", gatewayRefundId } as const;
        return { gatewayRefundId, reference, amountMinor, currency, outcome };
      });
    return { kind: "found", refunds };
  }

  parseWebhook({ bytes, token }: ArrivedNotice): Notice {
    const [given, expected] = [Buffer.from(token ?? ""), Buffer.from(this.#token)];
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
      return { kind: "reject" };
    }
    const { externalId, status } = JSON.parse(new TextDecoder().decode(bytes));
    const gatewayReference = String(externalId);
    const dedupKey = `${gatewayReference} ${String(status)}`;
    return {
      kind: "notice",
      dedupKey,
      gatewayReference,
      names: [],
      topic: "payment",
      mode: "test",
    };
  }

  /** The payer answers on the phone. Returns the notice that the vendor sends. */
  answer(gatewayReference: string, state: "approved" | "declined"): ArrivedNotice {
    const charge = this.#charges.get(gatewayReference);
    if (charge === undefined) throw new Error(`${gatewayReference} never reached the gateway.`);
    if (state === "approved" && charge.state !== "approved") {
      const { amountMinor, currency } = charge;
      const feeMinor = feeOf(amountMinor);
      this.#books.charge({ id: gatewayReference, amountMinor, currency, feeMinor });
    }
    charge.state = state;
    const body = JSON.stringify({ externalId: gatewayReference, status: state });
    return { bytes: new TextEncoder().encode(body), headers: new Headers(), token: this.#token };
  }
}
