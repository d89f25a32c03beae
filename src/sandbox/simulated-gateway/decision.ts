// What a person does about a simulated payment. Invariant: a payment is decided once; what the
// script or somebody settled stays.

import type { FailureCode } from "#payments/payments/payment.ts";
import type { Tx } from "#platform/database/database.ts";

import { decideCharge, type SimulatedCharge } from "./queries.ts";
import { type Decision, endingAt } from "./script.ts";

export interface Choice {
  readonly decision: Decision;
  /** Why it is declined or cancelled; null otherwise. */
  readonly failureCode: FailureCode | null;
}

/** Notes the choice; null, and nothing changes, where the payment is not open at the gateway. */
export async function playDecision(
  tx: Tx,
  charge: SimulatedCharge,
  choice: Choice,
): Promise<SimulatedCharge | null> {
  if (endingAt(charge, tx.now) !== "pending") return null;
  const { gatewayReference } = charge;
  const gatewayCode = choice.decision === "cancelled" ? "cancelled" : null;
  return (await decideCharge(tx, { gatewayReference, ...choice, gatewayCode })) ?? null;
}
