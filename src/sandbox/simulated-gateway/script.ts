// What a simulated payer, phone and bank do, as plain data, and what that comes to at an instant.
// Invariant: the outcome follows from the script, the time and what a person did, from nothing else.

import type { CurrencyCode } from "#kernel/currency.ts";
import type { FailureCode } from "#payments/payments/payment.ts";

/** How a payment ends at the gateway. */
export type Ending =
  | { readonly state: "succeeded" }
  | {
      readonly state: "failed";
      readonly failureCode: FailureCode;
      /** The bank's own word, where it has another one. */
      readonly gatewayCode: string | null;
    };

/** One thing that happens by itself, so many seconds of the shop's clock after the request came. */
export type Step =
  | { readonly afterSeconds: number; readonly becomes: Ending }
  /** Two pushes of the same name are two copies of one notice. */
  | { readonly afterSeconds: number; readonly pushes: string };

/** What the shop is told when it asks for the money. */
export type ScriptedAnswer =
  | { readonly says: "outcome" | "redirect" | "unknown" }
  | { readonly says: "approve_on_phone" }
  | { readonly says: "otp"; readonly otp: string }
  /** The first request never leaves the house; the next one is told the outcome. */
  | { readonly says: "not_sent" };

export interface Script {
  readonly answer: ScriptedAnswer;
  readonly steps: readonly Step[];
  /** Whether the request ever reaches the gateway; else nobody there has heard of it. */
  readonly arrives: boolean;
  /** What is taken, compared with what was asked. */
  readonly money: "exact" | "short" | "other_currency";
  readonly refund: "succeeded" | "failed" | "needs_attention";
  /** Whether the gateway lets go of a request that is still open. */
  readonly cancellable: boolean;
}

/** Who plays which script. */
export interface ScriptBook {
  /** Null for a token that is not in the book. */
  ofCard(token: string): Script | null;
  /** A number that is not in the book has a script too: the usual one. */
  ofPhone(phone: string): Script;
  /** Of a payment link: a person decides. */
  readonly ofPage: Script;
}

/** What a person did about a payment on the test page; `left` stops what would happen by itself. */
export type Decision = "approved" | "declined" | "cancelled" | "left";

/** A payment as the simulated gateway knows it. */
export interface Played {
  readonly script: Script;
  readonly decision: Decision | null;
  readonly failureCode: FailureCode | null;
  readonly gatewayCode: string | null;
  /** When the request came; null for one that never reached the gateway. */
  readonly arrivedAt: number | null;
}

/** Where a payment is at an instant; nothing at all for one that never arrived. */
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

function decidedEnding(played: Played): Ending | null {
  if (played.decision === "approved") return { state: "succeeded" };
  if (played.decision !== "declined" && played.decision !== "cancelled") return null;
  return {
    state: "failed",
    failureCode: played.failureCode ?? "not_approved",
    gatewayCode: played.gatewayCode,
  };
}

/** What is taken of the payer when the script says so: a tenth short, or as much of another money. */
export function takenOf(
  script: Script,
  asked: { readonly amountMinor: number; readonly currency: CurrencyCode },
): { readonly amountMinor: number; readonly currency: CurrencyCode } {
  const { amountMinor, currency } = asked;
  if (script.money === "short") {
    return { amountMinor: amountMinor - Math.ceil(amountMinor / 10), currency };
  }
  if (script.money === "other_currency") {
    return { amountMinor, currency: currency === "USD" ? "EUR" : "USD" };
  }
  return { amountMinor, currency };
}
