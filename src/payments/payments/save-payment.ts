// Story: a payment changes within its state.

import { type Tx, WriteConflict } from "#platform/database/database.ts";

import type { Payment } from "./payment.ts";
import { replacePayment } from "./queries.ts";

/** Afterwards the change is the payment's next version; its state stays. */
export async function savePayment(
  tx: Tx,
  before: Payment,
  change: Omit<Partial<Payment>, "status">,
): Promise<Payment> {
  const after = { ...before, ...change, version: before.version + 1, updatedAt: tx.now };
  if (!(await replacePayment(tx, after))) throw new WriteConflict("The payment");
  return after;
}
