// A vendor's test account, as the live cases use it: attempts that no other run has made, and the gateway between.

import { newId } from "#kernel/id.ts";
import type { Vendor, VendorTerms } from "#payments/gateways/vendors.ts";
import type {
  Gateway,
  GatewayAttempt,
  GatewayCallTerms,
  GatewayRefund,
  Initiation,
  PaymentOutcome,
} from "#payments/port/gateway.ts";
import type { GatewayName } from "#payments/rows/payment-life.ts";

/** What lies outside the gateway: the passing of time, and a person with a browser. */
export interface Outside {
  readonly now: () => number;
  readonly pause: (ms: number) => Promise<void>;
  /** Has a person do something on a page of the vendor; null where nobody is there. */
  readonly askPerson: ((what: string, url: string) => Promise<void>) | null;
}

/** Where the vendor is asked, and with which secret. */
export interface Account {
  readonly vendor: Vendor;
  readonly secret: string;
  readonly address: string;
}

const PAUSE_MS = 3_000;
const POLLS_MAX = 100;
const ENDS_MS = 2_100_000;

export class LiveWorld {
  readonly gateway: Gateway;
  readonly terms: VendorTerms;
  readonly outside: Outside;
  readonly #vendor: Vendor;
  readonly #names = new WeakMap<GatewayAttempt, GatewayName[]>();

  constructor({ vendor, secret, address }: Account, outside: Outside) {
    const clock = { now: () => outside.now() };
    this.terms = { mode: "test", clock, secret, webhookSecrets: [], address };
    this.#vendor = vendor;
    this.gateway = vendor.construct(this.terms);
    this.outside = outside;
  }

  /** The gateway of a secret that no account has. */
  withWrongSecret(): Gateway {
    const [prefix = ""] = this.#vendor.prefixes.test;
    return this.#vendor.construct({ ...this.terms, secret: `${prefix}NoAccountHasThisSecret` });
  }

  attempt(
    given: Pick<GatewayAttempt, "amountMinor" | "currency" | "method"> & Partial<GatewayAttempt>,
  ): GatewayAttempt {
    const now = this.outside.now();
    const paymentId = newId("payment", now);
    const names: GatewayName[] = [];
    const attempt: GatewayAttempt = {
      paymentId,
      gatewayReference: this.gateway.newReference(paymentId, 1),
      reference: paymentId,
      orderId: null,
      customerId: null,
      phone: null,
      provider: null,
      cardToken: null,
      email: "buyer@example.com",
      returnUrl: "https://shop.example/pay/return/live",
      names,
      wasAsked: false,
      gatewayEndsAt: now + ENDS_MS,
      gatewayAskedAt: now,
      createdAt: now,
      ...given,
    };
    this.#names.set(attempt, names);
    return attempt;
  }

  /** Terms of calls about the attempt, which learns the names that are told. */
  call(attempt: GatewayAttempt): GatewayCallTerms {
    return {
      signal: AbortSignal.timeout(60_000),
      name: async (names) => void this.#names.get(attempt)?.push(...names),
      keyed: async () => {},
    };
  }

  initiate(attempt: GatewayAttempt): Promise<Initiation> {
    return this.gateway.initiate(attempt, this.call(attempt));
  }

  verify(attempt: GatewayAttempt): Promise<PaymentOutcome> {
    return this.gateway.verify(attempt, this.call(attempt));
  }

  /** What became of the attempt once it is pending no more; what it still is after five minutes. */
  async settled(attempt: GatewayAttempt): Promise<PaymentOutcome> {
    for (let polls = 0; polls < POLLS_MAX; polls += 1) {
      const outcome = await this.verify(attempt);
      if (outcome.state !== "pending") return outcome;
      await this.outside.pause(PAUSE_MS);
    }
    return this.verify(attempt);
  }

  /** Asks until the answer is one that is awaited; the last answer after five minutes. */
  async until<T>(ask: () => Promise<T>, isAwaited: (answer: T) => boolean): Promise<T> {
    for (let polls = 0; polls < POLLS_MAX; polls += 1) {
      const answer = await ask();
      if (isAwaited(answer)) return answer;
      await this.outside.pause(PAUSE_MS);
    }
    return ask();
  }

  refundOf(attempt: GatewayAttempt, amountMinor: number): GatewayRefund {
    const now = this.outside.now();
    const refundId = newId("refund", now);
    const tried = { reference: refundId, gatewayRefundId: null, wasAsked: false, createdAt: now };
    const money = { amountMinor, currency: attempt.currency, reason: "other" } as const;
    return { refundId, ...tried, ...money, attempt };
  }
}
