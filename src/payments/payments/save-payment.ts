// Story: changes a payment without changing its state.

import { type Tx, WriteConflict } from "#platform/database/database.ts";

import type { Payment } from "./payment.ts";
import { replacePayment } from "./queries.ts";

/** Writes the change as the payment's next version. Throws `WriteConflict` if another one exists. */
export async function savePayment(
  tx: Tx,
  before: Payment,
  change: Omit<Partial<Payment>, "status">,
): Promise<Payment> {
  const after = { ...before, ...change, version: before.version + 1, updatedAt: tx.now };
  if (!(await replacePayment(tx, after))) throw new WriteConflict("The payment");
  return after;
}
