// Refunds at the simulated gateway. Invariant: refunds that have not failed never exceed the
// charge, as at a real gateway, whatever the shop requests.

import type { FoundRefund, GatewayRefund, RefundOutcome } from "#payments/gateways/port.ts";
import type { Tx } from "#platform/database/database.ts";

import {
  findCharge,
  insertRefund,
  type SimulatedCharge,
  type SimulatedRefund,
  sumRefunds,
} from "./queries.ts";
import { endingAt, takenOf } from "./script.ts";

/** Saves a new refund, settled at once as its charge's script says. */
export async function playRefund(tx: Tx, refund: GatewayRefund): Promise<SimulatedRefund> {
  const { reference, amountMinor } = refund;
  const { gatewayReference } = refund.attempt;
  const charge = await findCharge(tx, gatewayReference);
  const result = await decide(tx, charge, amountMinor);
  const row = { reference, gatewayReference, amountMinor, ...result };
  await insertRefund(tx, row);
  return row;
}

async function decide(tx: Tx, charge: SimulatedCharge | undefined, amountMinor: number) {
  const ending = charge === undefined ? "not_found" : endingAt(charge, tx.now);
  if (charge === undefined || typeof ending === "string" || ending.state === "failed") {
    return { state: "failed" as const, gatewayCode: "charge_not_paid" };
  }
  const before = await sumRefunds(tx, charge.gatewayReference);
  if (before + amountMinor > takenOf(charge.script, charge).amountMinor) {
    return { state: "failed" as const, gatewayCode: "amount_exceeds_charge" };
  }
  const state = charge.script.refund;
  return { state, gatewayCode: state === "failed" ? "refund_declined" : null };
}

/** The refund as the port describes it. */
export function toRefundOutcome(refund: SimulatedRefund): RefundOutcome {
  const gatewayRefundId = `sim-${refund.reference}`;
  if (refund.state !== "failed") return { kind: refund.state, gatewayRefundId };
  return { kind: "failed", gatewayCode: refund.gatewayCode, gatewayRefundId };
}

/** The sum of what went back, minor units. */
export function returnedMinorOf(refunds: readonly SimulatedRefund[]): number {
  const returned = refunds.filter(({ state }) => state === "succeeded");
  return returned.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
}

/** The refund as the gateway's books list it. */
export function toFoundRefund(refund: SimulatedRefund, currency: string): FoundRefund {
  const { reference, amountMinor } = refund;
  const gatewayRefundId = `sim-${reference}`;
  return { gatewayRefundId, reference, amountMinor, currency, outcome: toRefundOutcome(refund) };
}
