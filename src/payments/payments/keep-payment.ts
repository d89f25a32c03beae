// Story: a payment changes within its state.

import { Overtaken, type Tx } from "#platform/database/store.ts";

import type { Payment } from "./payment.ts";
import { replacePayment } from "./queries.ts";

/** Afterwards the change is the payment's next version; its state stays. */
export async function keepPayment(
  tx: Tx,
  before: Payment,
  change: Omit<Partial<Payment>, "status">,
): Promise<Payment> {
  const after = { ...before, ...change, version: before.version + 1, updatedAt: tx.now };
  if (!(await replacePayment(tx, after))) throw new Overtaken("The payment");
  return after;
}
