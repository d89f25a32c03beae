// Lookup: a refund that a story decides on, held after its order and its payment until the
// transaction ends.

import type { Id } from "#kernel/id.ts";
import { type HeldPayment, holdPayment } from "#payments/payments/lookups.ts";
import { findRefundRow, holdRefundRows } from "#payments/payments/queries.ts";
import type { Tx } from "#platform/database/store.ts";

import type { Refund } from "./refund.ts";

/** A refund, its payment and its order, which nobody else changes until the transaction ends. */
export interface HeldRefund {
  readonly refund: Refund;
  readonly held: HeldPayment;
}

/** The refund with this id; that there is none is a bug. */
export async function holdRefund(tx: Tx, id: Id<"refund">): Promise<HeldRefund> {
  const seen = await findRefundRow(tx, id);
  const held = seen === undefined ? undefined : await holdPayment(tx, seen.paymentId);
  const [refund] = await holdRefundRows(tx, { id });
  if (held === undefined || refund === undefined) throw new Error(`There is no refund ${id}.`);
  return { refund, held };
}
