// Lookup: locks a refund after its order and its payment.

import type { Id } from "#kernel/id.ts";
import { type LockedPayment, lockPayment } from "#payments/payments/lookups.ts";
import { refundRows } from "#payments/payments/queries.ts";
import type { Tx } from "#platform/database/database.ts";

import type { Refund } from "./refund.ts";

/** A refund, its payment and its order, all locked until the transaction ends. */
export interface LockedRefund {
  readonly refund: Refund;
  readonly locked: LockedPayment;
}

/** Locks the refund with this id. Throws if there is none, which is a bug. */
export async function lockRefund(tx: Tx, id: Id<"refund">): Promise<LockedRefund> {
  const found = await refundRows.find(tx, id);
  const locked = found === undefined ? undefined : await lockPayment(tx, found.paymentId);
  const refund = await refundRows.findLocked(tx, id);
  if (locked === undefined || refund === undefined) throw new Error(`There is no refund ${id}.`);
  return { refund, locked };
}
