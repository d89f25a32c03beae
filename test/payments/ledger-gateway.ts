// A gateway whose ledger is a file, so that it outlives any process; it can end the process that calls
// it, by SIGKILL, at a named point of a call.

import { appendFileSync, existsSync, readFileSync } from "node:fs";

import type { Id } from "#kernel/id.ts";
import type {
  CancelOutcome,
  FoundRefunds,
  Gateway,
  GatewayAttempt,
  GatewayRefund,
  Initiation,
  PaymentOutcome,
  RefundOutcome,
} from "#payments/port/gateway.ts";
import type { Notice, NoticeRules } from "#payments/port/notice.ts";
import { gatewayReferenceOf } from "#payments/rows/payment.ts";

import { nothingReported } from "../support/scripted-gateway.ts";

/** Where the calling process is killed; `none` lets it live. */
export type KillPoint =
  | "none"
  | "before the call"
  | "during the call"
  | "after the answer"
  | "during a poll"
  | "after a poll"
  | "during a refund"
  | "after a refund"
  | "during a retry"
  | "after a retry";

type ChargeState = "opened" | "paid" | "declined";

/** The vendor's ledger: one line for each operation. */
export class Ledger {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /** The reference of each charge, once for each time it was opened. */
  get charges(): string[] {
    return this.#subjectsOf("opened");
  }

  /** The reference of each refund, once for each time it was made. */
  get refunds(): string[] {
    return this.#subjectsOf("refunded");
  }

  note(state: ChargeState | "refunded", subject: string): void {
    appendFileSync(this.#path, `${state} ${subject}\n`);
  }

  /** The state of a charge; null if it is unknown. */
  stateOf(reference: string): ChargeState | null {
    const states = ["paid", "declined", "opened"] as const;
    return states.find((state) => this.#subjectsOf(state).includes(reference)) ?? null;
  }

  #subjectsOf(state: string): string[] {
    if (!existsSync(this.#path)) return [];
    const lines = readFileSync(this.#path, "utf8").split("\n");
    return lines
      .map((line) => line.split(" "))
      .filter(([noted]) => noted === state)
      .map(([, subject = ""]) => subject);
  }
}

export class LedgerGateway implements Gateway {
  readonly id = "ledger";
  readonly standing = "open";
  readonly refundsFailLate = false;
  readonly noticeRules: NoticeRules = { methods: ["POST"], isSigned: true };
  readonly mode = "test";
  readonly methods = ["mobile_money"] as const;
  readonly #ledger: Ledger;
  readonly #point: string;

  constructor(ledger: Ledger, point: string) {
    this.#ledger = ledger;
    this.#point = point;
  }

  takes() {
    return { multipleMinor: 1, minimumMinor: 1, maximumMinor: null };
  }

  newReference(id: Id<"payment">, attemptNumber: number): string {
    return gatewayReferenceOf(id, attemptNumber);
  }

  validate() {
    return [];
  }

  async initiate({ gatewayReference }: GatewayAttempt): Promise<Initiation> {
    this.#dieAt("before the call");
    if (this.#ledger.stateOf(gatewayReference) === null)
      this.#ledger.note("opened", gatewayReference);
    this.#dieAt("during the call");
    const die = () => this.#dieAt("after the answer");
    return {
      // Read when the shop saves the outcome.
      get kind() {
        die();
        return "offline" as const;
      },
      action: "approve_on_phone",
      displayText: "Approve it.",
      names: [],
    };
  }

  submitAction(): Promise<Initiation> {
    return Promise.resolve({ kind: "unknown" });
  }

  async verify(attempt: GatewayAttempt): Promise<PaymentOutcome> {
    this.#dieAt("during a poll");
    const outcome = this.#outcomeOf(attempt);
    const die = () => this.#dieAt("after a poll");
    return new Proxy(outcome, {
      get: (target, name) => {
        if (name === "state") die();
        return Reflect.get(target, name);
      },
    });
  }

  cancel(): Promise<CancelOutcome> {
    return Promise.resolve({ kind: "unsupported" });
  }

  async refund({ refundId, reference }: GatewayRefund): Promise<RefundOutcome> {
    const isRetry = reference !== refundId;
    if (!isRetry && this.#point.endsWith("a retry")) {
      return { kind: "failed", gatewayCode: "declined", gatewayRefundId: null };
    }
    this.#dieAt("during a refund");
    this.#dieAt("during a retry");
    if (!this.#ledger.refunds.includes(reference)) this.#ledger.note("refunded", reference);
    this.#dieAt("after a refund");
    this.#dieAt("after a retry");
    return { kind: "succeeded", gatewayRefundId: null };
  }

  verifyRefund(refund: GatewayRefund): Promise<RefundOutcome> {
    return this.refund(refund);
  }

  /** Payments of this ledger are refunded whole. */
  async findRefunds({ amountMinor, currency }: GatewayAttempt): Promise<FoundRefunds> {
    const refunds = this.#ledger.refunds.map((reference) => {
      const gatewayRefundId = `ledger-${reference}`;
      const outcome = { kind: "succeeded", gatewayRefundId } as const;
      return { gatewayRefundId, reference, amountMinor, currency, outcome };
    });
    return { kind: "found", refunds };
  }

  parseWebhook(): Notice {
    return { kind: "reject" };
  }

  #outcomeOf({ gatewayReference, amountMinor, currency }: GatewayAttempt): PaymentOutcome {
    switch (this.#ledger.stateOf(gatewayReference)) {
      case null:
        return { state: "not_found" };
      case "opened":
        return { state: "pending", names: [] };
      case "declined":
        return { state: "failed", failureCode: "declined", gatewayCode: null, names: [] };
      case "paid":
        return {
          state: "succeeded",
          gatewayReference,
          mode: "test",
          amountMinor,
          currency,
          names: [{ kind: "charge", name: `ledger-${gatewayReference}` }],
          ...nothingReported,
          returnedMinor: 0,
        };
    }
  }

  /** Ends the process at once: no response is sent, nothing is closed. */
  #dieAt(point: KillPoint): void {
    if (point !== this.#point) return;
    process.kill(process.pid, "SIGKILL");
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  }
}
