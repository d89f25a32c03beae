// Story: a refund that no gateway has is not wanted any more.

import type { Id } from "#kernel/id.ts";
import type { Tx } from "#platform/database/database.ts";

import { advanceRefund } from "./advance-refund.ts";
import { lockRefund } from "./lock-refund.ts";
import { mayBeCancelled, type Refund, refundForbidden } from "./refund.ts";

/**
 * Afterwards the refund is cancelled: it counts as nothing, and its amount can be refunded otherwise. A refund that is
 * cancelled with this note is returned as it is. Refuses with `refund_not_found`, and `invalid_transition` unless it
 * failed or waits to be handed back.
 */
export async function cancelRefund(tx: Tx, id: Id<"refund">, note: string | null): Promise<Refund> {
  const locked = await lockRefund(tx, id);
  const { status, closeNote } = locked.refund;
  if (status === "cancelled" && closeNote === note) return locked.refund;
  if (!mayBeCancelled(locked.refund)) throw refundForbidden(locked.refund, "cancel");
  const cancelled = await advanceRefund(tx, locked, {
    action: "cancel",
    change: { closeNote: note, closedAt: tx.now },
  });
  return cancelled.refund;
}
