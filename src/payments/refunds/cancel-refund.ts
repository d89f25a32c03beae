// Story: a refund that failed is not wanted any more.

import type { Id } from "#kernel/id.ts";
import type { Tx } from "#platform/database/database.ts";

import { advanceRefund } from "./advance-refund.ts";
import { lockRefund } from "./lock-refund.ts";
import { type Refund, refundForbidden } from "./refund.ts";

/**
 * Afterwards the refund is cancelled: it counts as nothing, as when it had failed, and is not tried again. A refund that
 * is cancelled with this note is returned as it is. Refuses with `refund_not_found`, and `invalid_transition` unless it
 * failed.
 */
export async function cancelRefund(tx: Tx, id: Id<"refund">, note: string | null): Promise<Refund> {
  const locked = await lockRefund(tx, id);
  const { status, closeNote } = locked.refund;
  if (status === "cancelled" && closeNote === note) return locked.refund;
  if (status !== "failed") throw refundForbidden(locked.refund, "cancel");
  const cancelled = await advanceRefund(tx, locked, {
    action: "cancel",
    change: { closeNote: note, closedAt: tx.now },
  });
  return cancelled.refund;
}
