// Decisions about simulated payments. Invariant: a payment is decided once, by its script, by a code, by
// a cancellation or by a person.

import type { FailureCode } from "#payments/rows/payment-life.ts";
import type { Tx } from "#platform/database/database.ts";

import { decideCharge, type SimulatedCharge } from "./queries.ts";
import { type Decision, endingAt } from "./script.ts";

export interface Choice {
  readonly decision: Decision;
  /** Why it is declined or cancelled; null otherwise. */
  readonly failureCode: FailureCode | null;
}

/** Saves the choice. Returns null, and writes nothing, if the payment is not open at the gateway. */
export async function playDecision(
  tx: Tx,
  charge: SimulatedCharge,
  choice: Choice,
): Promise<SimulatedCharge | null> {
  if (endingAt(charge, tx.now) !== "pending") return null;
  const { gatewayReference } = charge;
  const gatewayCode = choice.decision === "cancelled" ? "cancelled" : null;
  const decided = { gatewayReference, ...choice, gatewayCode, decidedAt: tx.now };
  return (await decideCharge(tx, decided)) ?? null;
}
