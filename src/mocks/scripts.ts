// The acts of a payer's card or phone at a vendor. The table of magic values decides, so that a face of a vendor and
// the simulated gateway tell the same story of the same value.

import type { CurrencyCode } from "#kernel/currency.ts";
import { magicBook } from "#sandbox/simulated-gateway/magic.ts";
import { type Ending, endingAt, type Script, takenOf } from "#sandbox/simulated-gateway/script.ts";

/** The fate of a vendor's answer: `lost_before` its request never arrived, `lost_after` it has its effect. */
export type AnswerFate = "arrives" | "lost_before" | "lost_after" | "refused_once";

/** The state of the payer's money: `challenged` waits for the payer, `working` for a network or bank. */
export type PayerState = Ending | "challenged" | "working";

export interface Sum {
  readonly amountMinor: number;
  readonly currency: CurrencyCode;
}

/** One try to pay at a vendor, by the script of its card or phone. */
export class Payer {
  readonly #script: Script;
  readonly #startedAt: number;

  constructor(script: Script, startedAt: number) {
    this.#script = script;
    this.#startedAt = startedAt;
  }

  get fate(): AnswerFate {
    const { answer, arrives } = this.#script;
    if (answer.says === "not_sent") return "refused_once";
    if (answer.says !== "unknown") return "arrives";
    return arrives ? "lost_after" : "lost_before";
  }

  /** The end of a refund of this payer's money. */
  get refund(): Script["refund"] {
    return this.#script.refund;
  }

  /** True if the payer's bank asks for the money back. */
  get isDisputed(): boolean {
    return this.#script.steps.some((step) => "pushes" in step && step.pushes === "dispute open");
  }

  /** The state by now, epoch milliseconds, while the payer has decided nothing. */
  stateAt(now: number): PayerState {
    const undecided = { decision: null, decidedAt: null, failureCode: null, gatewayCode: null };
    const ending = endingAt(
      { script: { ...this.#script, arrives: true }, arrivedAt: this.#startedAt, ...undecided },
      now,
    );
    if (typeof ending !== "string") return ending;
    const { says } = this.#script.answer;
    return says === "redirect" || says === "otp" ? "challenged" : "working";
  }

  /** The instant at which the outcome comes by itself, epoch milliseconds; null if it never does. */
  get endsAt(): number | null {
    const step = this.#script.steps.find((one) => "becomes" in one);
    return step === undefined ? null : this.#startedAt + step.afterSeconds * 1000;
  }

  /** The money that is taken of a payer who was asked for this sum. */
  takes(asked: Sum): Sum {
    return takenOf(this.#script, asked);
  }
}

/** The payer of a card token; null if the table does not have it. */
export function payerOfCard(token: string, startedAt: number): Payer | null {
  const script = magicBook.ofCard(token);
  return script === null ? null : new Payer(script, startedAt);
}

/** The payer of a phone number, E.164. */
export function payerOfPhone(phone: string, startedAt: number): Payer {
  return new Payer(magicBook.ofPhone(phone), startedAt);
}
