// Reads that fail on a vendor's answer. Invariant: such an answer is an unknown outcome, never a failure and never a
// throw.

import type { PaymentOutcome, Unclear } from "#payments/gateways/port.ts";

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
