// Answers of vendors that prove nothing, and calls that provably had no effect. Invariant: an answer that surprises is
// an unknown outcome, never a failure and never a throw.

import { HOUR_MS, SECOND_MS } from "#kernel/time.ts";
import type { NotSent, PaymentOutcome, Unclear } from "#payments/port/gateway.ts";
import type { CallFailure } from "#platform/net/call-failure.ts";

import { Surprise } from "./fields.ts";

export type UnknownAnswer = Unclear & { readonly kind: "unknown" };

/** Returns the result of the work; an unknown answer where it is surprised. */
export async function orUnknown<T>(work: () => Promise<T>): Promise<T | UnknownAnswer> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Surprise)) throw error;
    return surpriseAt(error.pointer);
  }
}

/** The answer that no document describes. */
export function surpriseAt(pointer: string): UnknownAnswer {
  return { kind: "unknown", trouble: "surprise", pointer };
}

/** The same as what became of a payment. */
export function unknownOutcome({ kind: state, ...why }: UnknownAnswer): PaymentOutcome {
  return { state, ...why };
}

/** The call of which no byte was sent; it had no effect. */
export function unsent(failure: CallFailure): NotSent {
  const isMisconfigured = failure === "blocked_address" || failure === "tls";
  return notSent(isMisconfigured ? "misconfigured" : null);
}

export function notSent(trouble: NotSent["trouble"], retryAfterMs: number | null = null): NotSent {
  return { kind: "not_sent", trouble, retryAfterMs };
}

/** Longer ones are no pause but, for example, an instant: a refund would wait for it for decades. */
const WAIT_MS_MAX = HOUR_MS;

/** The call that was one too many. The vendor's header has the seconds to wait, or is missing. */
export function rateLimited(header: string | null): NotSent {
  const waitMs = Number(header) * SECOND_MS;
  return notSent("rate_limited", waitMs > 0 ? Math.min(waitMs, WAIT_MS_MAX) : null);
}
