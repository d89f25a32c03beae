// Scripts: what a simulated customer, phone and bank do, as plain data, and the outcome at an instant.
// Invariant: the outcome depends on the script, the time and the decision of a person only.

import type { CurrencyCode } from "#kernel/currency.ts";
import type { FailureCode } from "#payments/rows/payment-life.ts";

/** How a payment ends at the gateway. */
export type Ending =
  | { readonly state: "succeeded" }
  | {
      readonly state: "failed";
      readonly failureCode: FailureCode;
      /** The bank's own code, if it differs. */
      readonly gatewayCode: string | null;
    };

/** One step, so many seconds of the shop's clock after the request arrived. */
export type Step =
  | { readonly afterSeconds: number; readonly becomes: Ending }
  /** Pushes of one name are copies of one notice. */
  | { readonly afterSeconds: number; readonly pushes: string };

/** The answer to the shop's request. */
export type ScriptedAnswer =
  | { readonly says: "outcome" | "redirect" | "unknown" }
  | { readonly says: "approve_on_phone" }
  | { readonly says: "otp"; readonly otp: string }
  /** The first request is not sent; the next one gets the outcome. */
  | { readonly says: "not_sent" };

export interface Script {
  readonly answer: ScriptedAnswer;
  readonly steps: readonly Step[];
  /** True if the request reaches the gateway; if not, the gateway does not know it. */
  readonly arrives: boolean;
  /** The money taken, compared with the amount requested. */
  readonly money: "exact" | "short" | "other_currency";
  readonly refund: "succeeded" | "failed" | "needs_attention";
  /** True if the gateway can cancel a request that is still open. */
  readonly cancellable: boolean;
}

/** Which script belongs to which token or number. */
export interface ScriptBook {
  /** Null for a token that is not in the book. */
  ofCard(token: string): Script | null;
  /** A number that is not in the book has the usual script. */
  ofPhone(phone: string): Script;
  /** The script of a hosted page: a person decides. */
  readonly ofPage: Script;
}

/** The decision of a person on the test page; `left` stops the remaining steps. */
export type Decision = "approved" | "declined" | "cancelled" | "left";

/** A payment as the simulated gateway knows it. */
export interface Played {
  readonly script: Script;
  readonly decision: Decision | null;
  readonly decidedAt: number | null;
  readonly failureCode: FailureCode | null;
  readonly gatewayCode: string | null;
  /** When the request arrived; null if it never reached the gateway. */
  readonly arrivedAt: number | null;
}

/** The state of a payment at an instant; `not_found` if its request never arrived. */
export function endingAt(played: Played, now: number): Ending | "pending" | "not_found" {
  if (played.arrivedAt === null || !played.script.arrives) return "not_found";
  const decided = decidedEnding(played);
  if (decided !== null) return decided;
  if (played.decision === "left") return "pending";
  const elapsedMs = now - played.arrivedAt;
  const happened = played.script.steps.filter((step) => step.afterSeconds * 1000 <= elapsedMs);
  const last = happened.findLast((step) => "becomes" in step);
  return last === undefined ? "pending" : last.becomes;
}

/** When the payment reached its ending, by the gateway's clock; null for one that a person decided before that was kept. */
export function endedAt(played: Played, now: number): number | null {
  const { arrivedAt } = played;
  if (decidedEnding(played) !== null || arrivedAt === null) return played.decidedAt;
  const instants = played.script.steps
    .filter((step) => "becomes" in step)
    .map((step) => arrivedAt + step.afterSeconds * 1000);
  return instants.findLast((instant) => instant <= now) ?? null;
}

function decidedEnding(played: Played): Ending | null {
  if (played.decision === "approved") return { state: "succeeded" };
  if (played.decision !== "declined" && played.decision !== "cancelled") return null;
  return {
    state: "failed",
    failureCode: played.failureCode ?? "not_approved",
    gatewayCode: played.gatewayCode,
  };
}

/** The money that the script takes: exact, 10% short, or the same amount in another currency. */
export function takenOf(
  script: Script,
  requested: { readonly amountMinor: number; readonly currency: CurrencyCode },
): { readonly amountMinor: number; readonly currency: CurrencyCode } {
  const { amountMinor, currency } = requested;
  if (script.money === "short") {
    return { amountMinor: amountMinor - Math.ceil(amountMinor / 10), currency };
  }
  if (script.money === "other_currency") {
    return { amountMinor, currency: currency === "USD" ? "EUR" : "USD" };
  }
  return { amountMinor, currency };
}
