// The only writer of a dispute's state. Looks the action up in the life table, writes the next version, and emits the
// event.

import { arrow } from "#kernel/machine.ts";
import { type DisputeAction, disputeLife } from "#payments/rows/dispute-life.ts";
import { disputeRows } from "#payments/rows/dispute-queries.ts";
import type { Dispute } from "#payments/rows/dispute.ts";
import { disputeMoved } from "#payments/rows/events.ts";
import type { Tx } from "#platform/database/database.ts";

/** Afterwards the dispute is in its next state; an action that the state does not allow, or null, keeps it. */
export async function advanceDispute(
  tx: Tx,
  before: Dispute,
  { action, change }: { readonly action: DisputeAction | null; readonly change: Partial<Dispute> },
): Promise<Dispute> {
  const step = action === null ? null : arrow(disputeLife, before.status, action);
  const moved = step === null ? {} : { status: step.next };
  const after = await disputeRows.save(tx, before, { ...change, ...moved });
  if (step !== null && step.event !== null) await tx.emit(disputeMoved(step.event, after));
  return after;
}
