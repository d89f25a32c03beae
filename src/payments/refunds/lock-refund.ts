// Lookup: a refund that a story decides on, held after its order and its payment until the
// transaction ends.

import type { Id } from "#kernel/id.ts";
import { type LockedPayment, lockPayment } from "#payments/payments/lookups.ts";
import { findRefundRow, lockRefundRows } from "#payments/payments/queries.ts";
import type { Tx } from "#platform/database/database.ts";

import type { Refund } from "./refund.ts";

/** A refund, its payment and its order, which nobody else changes until the transaction ends. */
export interface LockedRefund {
  readonly refund: Refund;
  readonly held: LockedPayment;
}

/** The refund with this id; that there is none is a bug. */
export async function lockRefund(tx: Tx, id: Id<"refund">): Promise<LockedRefund> {
  const seen = await findRefundRow(tx, id);
  const held = seen === undefined ? undefined : await lockPayment(tx, seen.paymentId);
  const [refund] = await lockRefundRows(tx, { id });
  if (held === undefined || refund === undefined) throw new Error(`There is no refund ${id}.`);
  return { refund, held };
}
