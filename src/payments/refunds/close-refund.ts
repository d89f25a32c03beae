// Story: a person gave the money of a refund back another way.

import type { Id } from "#kernel/id.ts";
import type { Tx } from "#platform/database/database.ts";

import { advanceRefund } from "./advance-refund.ts";
import { lockRefund } from "./lock-refund.ts";
import { type Refund, refundForbidden } from "./refund.ts";

/**
 * Afterwards the refund is closed and counts as given back; the amount of a failed one is set aside first.
 * A refund that is closed with this note is returned as it is. Refuses with `refund_not_found`,
 * `invalid_transition` unless it failed or needs attention, and `refund_exceeds_captured`.
 */
export async function closeRefund(tx: Tx, id: Id<"refund">, note: string | null): Promise<Refund> {
  const locked = await lockRefund(tx, id);
  const { status, closeNote } = locked.refund;
  // Another note is another act: the money may have been given back twice.
  if (status === "closed" && closeNote === note) return locked.refund;
  if (status !== "failed" && status !== "needs_attention") {
    throw refundForbidden(locked.refund, "close");
  }
  const closed = await advanceRefund(tx, locked, {
    action: "close",
    change: { closeNote: note, closedAt: tx.now },
  });
  return closed.refund;
}
