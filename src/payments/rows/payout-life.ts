// The states of a payout, what its lines are of, and a payout as its gateway reports it.

import { type ActionOf, machine, type StateOf } from "#kernel/machine.ts";

import type { GatewayName } from "./payment-life.ts";

/** A row per state. The bank of the shop may send a payout back days after it was paid. */
// prettier-ignore
export const payoutLife = machine({
  pending: { pay: ["paid", "payout.paid"], fail: ["failed", "payout.failed"] },
  paid:    { fail: ["failed", "payout.failed"] },
  failed:  {},
});
export type PayoutStatus = StateOf<typeof payoutLife>;
export type PayoutAction = ActionOf<typeof payoutLife>;
export const payoutStates = [
  "pending",
  "paid",
  "failed",
] as const satisfies readonly PayoutStatus[];

/** The action that leads to what the gateway tells; null where no state becomes pending again. */
export const payoutActionTo: Readonly<Record<PayoutStatus, PayoutAction | null>> = {
  pending: null,
  paid: "pay",
  failed: "fail",
};

/** The places at which the money of a payout arrives. */
export const payoutPlaces = ["bank", "cash"] as const;
export type PayoutPlace = (typeof payoutPlaces)[number];

/** The kinds of lines. */
export const payoutLineKinds = ["charge", "refund", "dispute", "adjustment"] as const;
export type PayoutLineKind = (typeof payoutLineKinds)[number];

/** How a line agrees with what the shop knows. */
export const payoutVerdicts = ["matched", "amount_differs", "paid_before", "unknown"] as const;
export type PayoutVerdict = (typeof payoutVerdicts)[number];

/** A payout in the list of a gateway. Amounts are minor units of its currency. */
export interface ListedPayout {
  readonly name: string;
  readonly status: PayoutStatus;
  /** As the gateway reports it, upper case. */
  readonly currency: string;
  /** The amount that reaches the bank; below zero where the gateway takes money from it. */
  readonly netMinor: number;
  /** The day on which it arrives, such as 2026-01-31: gateways tell a day of the bank, not an instant. */
  readonly arrivesOn: string;
  /** The sum of its charges, where the list says it: lines that come to less are not all of them. */
  readonly chargedMinor?: number;
  /** All fees, where the list says them: its lines may not tell. */
  readonly feeMinor?: number;
}

/** A line of a payout, as its gateway reports it. Amounts are minor units of the payout's currency. */
export interface FoundPayoutLine {
  readonly kind: PayoutLineKind;
  /** The shop's reference of the attempt; null where the gateway does not repeat it. */
  readonly gatewayReference: string | null;
  /** The gateway's names of it: of the payment, and of the refund or the dispute. */
  readonly names: readonly GatewayName[];
  /** Below zero for what went back. */
  readonly grossMinor: number;
  /** The fee that the gateway kept. */
  readonly feeMinor: number;
  /** The amount before it was changed into the currency of the payout; absent where it was not. */
  readonly original?: { readonly amountMinor: number; readonly currency: string };
  /** True of a sum of refunds and disputes that the gateway does not tell one by one: each was recorded by itself. */
  readonly isSum?: boolean;
}
