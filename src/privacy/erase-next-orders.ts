// Story: erase an erased customer's personal data from the next of their orders. A customer may have thousands, and other
// requests are served between two pieces.

import type { Customer } from "#customers/customer.ts";
import { lockCustomer } from "#customers/lookups.ts";
import type { Id } from "#kernel/id.ts";
import { MINUTE_MS } from "#kernel/time.ts";
import type { Tx } from "#platform/database/database.ts";
import { requireNewestSchema } from "#platform/database/migrations.ts";
import { redactAnswers } from "#platform/event-log/redaction.ts";
import { clearTimer, setTimer } from "#platform/scheduler/timers.ts";
import { redactOrders } from "#sales/orders/redact-orders.ts";

import { withoutPerson } from "./redact-fields.ts";

/** The timer of a customer whose erasure is not finished. */
export const erasureTimer = "finish_erasure";

/** Removes a customer from what this folder does not know. */
export type AlsoForget = (tx: Tx, customer: Customer) => Promise<void>;

/** The rest of an erasure. */
export interface Rest {
  /** The last order that was erased; null before the first piece. */
  readonly after: Id<"order"> | null;
  readonly alsoForget: AlsoForget;
}

/**
 * Redacts the orders after the given one, newest first, and after the last ones the stored answers and what was told of
 * the orders since the first piece. Returns the order to go on after; null if all is done. A timer goes on after a crash.
 * Refuses with `newer_schema`.
 */
export async function eraseNextOrders(
  tx: Tx,
  id: Id<"customer">,
  { after, alsoForget }: Rest,
): Promise<Id<"order"> | null> {
  await requireNewestSchema(tx);
  const redact = withoutPerson(id);
  const last = await redactOrders(tx, id, { after, redact });
  if (last !== null) {
    await setTimer(tx, { name: erasureTimer, subject: id, dueAt: tx.now + MINUTE_MS });
    return last;
  }
  // Last, since an answer about an order may be stored as long as the order still has the customer.
  await redactAnswers(tx, id, redact);
  if (after !== null) await alsoForget(tx, await lockCustomer(tx, id));
  await clearTimer(tx, erasureTimer, id);
  return null;
}
