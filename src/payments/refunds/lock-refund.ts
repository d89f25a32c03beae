// Lookup: locks a refund after its order and its payment.

import type { Id } from "#kernel/id.ts";
import { type LockedPayment, lockPayment } from "#payments/payments/lookups.ts";
import type { Tx } from "#platform/database/database.ts";

import { refundRows } from "./queries.ts";
import type { Refund } from "./refund.ts";

/** A refund, its payment and its order, all locked until the transaction ends. */
export interface LockedRefund {
  readonly refund: Refund;
  readonly locked: LockedPayment;
}

/** Locks the refund with this id. Refuses with `refund_not_found`. */
export async function lockRefund(tx: Tx, id: Id<"refund">): Promise<LockedRefund> {
  const { paymentId } = await refundRows.get(tx, id);
  const locked = await lockPayment(tx, paymentId);
  // Read again: another transaction may have changed it while this one waited for the locks.
  return { refund: await refundRows.lock(tx, id), locked };
}
