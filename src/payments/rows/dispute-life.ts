// The states of a dispute, and a dispute as its gateway reports it.

import { type ActionOf, machine, type StateOf } from "#kernel/machine.ts";

/** A row per state, as the gateway tells: `warning` is a question of the bank, which takes no money. */
// prettier-ignore
export const disputeLife = machine({
  warning: { reopen: ["open", "payment.disputed"], win: ["won", "payment.dispute_closed"], lose: ["lost", "payment.dispute_closed"], close: ["closed", "payment.dispute_closed"] },
  open:    { win: ["won", "payment.dispute_closed"], lose: ["lost", "payment.dispute_closed"], close: ["closed", "payment.dispute_closed"] },
  won:     { reopen: ["open", "payment.disputed"], lose: ["lost", "payment.dispute_closed"] },
  lost:    { reopen: ["open", "payment.disputed"], win: ["won", "payment.dispute_closed"] },
  closed:  { reopen: ["open", "payment.disputed"], win: ["won", "payment.dispute_closed"], lose: ["lost", "payment.dispute_closed"] },
});
export type DisputeStatus = StateOf<typeof disputeLife>;
export type DisputeAction = ActionOf<typeof disputeLife>;
export const disputeStates = [
  "warning",
  "open",
  "won",
  "lost",
  "closed",
] as const satisfies readonly DisputeStatus[];

/** The places of the disputed money: it stays, the gateway took it, or gave it back. */
export const disputedMoney = ["none", "withdrawn", "returned"] as const;
export type DisputedMoney = (typeof disputedMoney)[number];

/** The action that leads to what the gateway tells; null where no state becomes a warning again. */
export const actionTo: Readonly<Record<DisputeStatus, DisputeAction | null>> = {
  warning: null,
  open: "reopen",
  won: "win",
  lost: "lose",
  closed: "close",
};

/** A dispute as its gateway reports it. */
export interface FoundDispute {
  readonly name: string;
  readonly status: DisputeStatus;
  readonly amountMinor: number;
  /** As the gateway reports it, upper case. */
  readonly currency: string;
  /** In the gateway's word. */
  readonly reason: string | null;
  readonly money: DisputedMoney;
  /** Until when the merchant may answer, epoch milliseconds. */
  readonly dueAt: number | null;
}
