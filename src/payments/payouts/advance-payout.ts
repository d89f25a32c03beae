// The only writer of a payout's state.

import { arrow } from "#kernel/machine.ts";
import { type ListedPayout, payoutActionTo, payoutLife } from "#payments/rows/payout-life.ts";
import { payoutRows, releaseFromPayout } from "#payments/rows/payout-queries.ts";
import { type Payout, type PayoutLine, unknownMinor } from "#payments/rows/payout.ts";
import type { Tx } from "#platform/database/database.ts";

import { payoutMoved } from "./events.ts";

interface Written {
  /** As it is stored. */
  readonly payout: Payout;
  readonly lines: readonly PayoutLine[];
  readonly change?: Partial<Payout>;
}

/**
 * Afterwards the payout is in the state that its gateway tells, if its life leads there; in one that failed are no
 * payments. Emits `payout.paid` or `payout.failed` when it becomes so.
 */
export async function advancePayout(
  tx: Tx,
  { payout, lines, change = {} }: Written,
  { status: told }: ListedPayout,
): Promise<void> {
  const action = payoutActionTo[told];
  const step = action === null ? null : arrow(payoutLife, payout.status, action);
  if (step === null) return;
  const after = await payoutRows.save(tx, payout, { ...change, status: step.next });
  if (step.next === "failed") await releaseLines(tx, lines);
  if (step.event === null) return;
  const wasPaid = payout.status === "paid";
  const news = { ...after, wasPaid, unknownMinor: unknownMinor(lines) };
  await tx.emit(payoutMoved(step.event, news));
}

/** Afterwards the payments of the lines are in no payout. */
export async function releaseLines(tx: Tx, lines: readonly PayoutLine[]): Promise<void> {
  for (const { kind, paymentId, payoutId } of lines) {
    if (kind === "charge" && paymentId !== null) await releaseFromPayout(tx, paymentId, payoutId);
  }
}
