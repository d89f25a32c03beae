// The only writer of a refund's state. Looks the action up in the life table and writes the next version.

import { arrow } from "#kernel/machine.ts";
import { type RefundAction, refundLife } from "#payments/payments/payment-life.ts";
import { paymentTimerNames } from "#payments/payments/payment.ts";
import { refundRows } from "#payments/payments/queries.ts";
import type { Tx } from "#platform/database/database.ts";
import { clearTimer } from "#platform/scheduler/timers.ts";

import { isRefundOpen, type Refund } from "./refund.ts";

export interface RefundMove {
  /** Null if the state stays and only other fields change. */
  readonly action: RefundAction | null;
  readonly change: Partial<Refund>;
}

/** Afterwards the refund is in its next state; an action that the state does not allow keeps it. */
export async function advanceRefund(
  tx: Tx,
  before: Refund,
  { action, change }: RefundMove,
): Promise<Refund> {
  const step = action === null ? null : arrow(refundLife, before.status, action);
  const status = step?.next ?? before.status;
  const after = await refundRows.save(tx, before, { ...change, status });
  if (!isRefundOpen(after)) await clearTimer(tx, paymentTimerNames.refund, after.id);
  return after;
}
