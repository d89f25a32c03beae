// A gateway whose books are a file, so that they outlive any process; it can end the process that
// asks it, by SIGKILL, at a named point of what it is asked.

import { appendFileSync, existsSync, readFileSync } from "node:fs";

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

/** Where the asking process ends. `none` lets it live. */
export type KillPoint =
  | "none"
  | "before the call"
  | "during the call"
  | "after the answer"
  | "during a look"
  | "after a look"
  | "during a refund"
  | "after a refund";

type ChargeState = "asked" | "paid" | "declined";

/** The vendor's books: one line for each thing that happened. */
export class Ledger {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /** Each charge that was ever opened, once for each time. */
  get charges(): string[] {
    return this.#subjectsOf("asked");
  }

  /** Each refund that was made. */
  get refunds(): string[] {
    return this.#subjectsOf("refunded");
  }

  note(state: ChargeState | "refunded", subject: string): void {
    appendFileSync(this.#path, `${state} ${subject}\n`);
  }

  /** What became of a charge; null where it is not known. */
  stateOf(reference: string): ChargeState | null {
    const states = ["paid", "declined", "asked"] as const;
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
  readonly mode = "test";
  readonly methods = ["mobile_money"] as const;
  readonly #ledger: Ledger;
  readonly #point: string;

  constructor(ledger: Ledger, point: string) {
    this.#ledger = ledger;
    this.#point = point;
  }

  termsOf() {
    return { multipleMinor: 1, minimumMinor: 1 };
  }

  validate() {
    return [];
  }

  async initiate({ gatewayReference }: GatewayAttempt): Promise<Initiation> {
    this.#dieAt("before the call");
    if (this.#ledger.stateOf(gatewayReference) === null)
      this.#ledger.note("asked", gatewayReference);
    this.#dieAt("during the call");
    const die = () => this.#dieAt("after the answer");
    return {
      // Read by whoever writes the outcome down.
      get kind() {
        die();
        return "offline" as const;
      },
      action: "approve_on_phone",
      displayText: "Approve it.",
      gatewayId: null,
    };
  }

  submitAction(): Promise<Initiation> {
    return Promise.resolve({ kind: "unknown" });
  }

  async verify(attempt: GatewayAttempt): Promise<PaymentOutcome> {
    this.#dieAt("during a look");
    const outcome = this.#outcomeOf(attempt);
    const die = () => this.#dieAt("after a look");
    return new Proxy(outcome, {
      get: (target, name) => {
        if (name === "state") die();
        return Reflect.get(target, name);
      },
    });
  }

  cancel(): Promise<Cancellation> {
    return Promise.resolve({ kind: "unsupported" });
  }

  async refund({ refundId }: GatewayRefund): Promise<RefundOutcome> {
    this.#dieAt("during a refund");
    if (!this.#ledger.refunds.includes(refundId)) this.#ledger.note("refunded", refundId);
    this.#dieAt("after a refund");
    return { kind: "succeeded", gatewayRefundId: null };
  }

  verifyRefund(refund: GatewayRefund): Promise<RefundOutcome> {
    return this.refund(refund);
  }

  parseWebhook(): Notice {
    return { kind: "reject" };
  }

  #outcomeOf({ gatewayReference, amountMinor, currency }: GatewayAttempt): PaymentOutcome {
    switch (this.#ledger.stateOf(gatewayReference)) {
      case null:
        return { state: "not_found" };
      case "asked":
        return { state: "pending", gatewayId: null };
      case "declined":
        return { state: "failed", failureCode: "declined", gatewayCode: null, gatewayId: null };
      case "paid":
        return {
          state: "succeeded",
          gatewayReference,
          mode: "test",
          amountMinor,
          currency,
          gatewayId: null,
        };
    }
  }

  /** Nothing of this process runs on: no answer is sent, nothing is closed. */
  #dieAt(point: KillPoint): void {
    if (point !== this.#point) return;
    process.kill(process.pid, "SIGKILL");
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  }
}
