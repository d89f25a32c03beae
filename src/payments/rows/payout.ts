// Payouts: money that left a gateway and reached the bank. Rules.

import { defineRefusal } from "#kernel/refusal.ts";

import type { PayoutLineRow, PayoutRow } from "./tables.ts";

export type Payout = PayoutRow;
export type PayoutLine = PayoutLineRow;

/** A payout with its lines in the gateway's order. */
export interface WholePayout {
  readonly payout: Payout;
  readonly lines: readonly PayoutLine[];
}

/** Reads the payouts of a gateway; the subject is its id. */
export const payoutTimer = "read_payouts";

/** The sum of the lines of which the shop knows nothing, minor units. */
export function unknownMinor(lines: readonly Pick<PayoutLine, "verdict" | "grossMinor">[]): number {
  return lines
    .filter(({ verdict }) => verdict === "unknown")
    .reduce((sum, { grossMinor }) => sum + grossMinor, 0);
}

export const payoutNotFound = defineRefusal(
  "payout_not_found",
  "not_found",
  "There is no such payout.",
);
