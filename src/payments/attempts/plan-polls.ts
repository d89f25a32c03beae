// Story: after a start every open attempt is polled at once, because nothing polled while the program
// was down.

import type { PaymentStatus } from "#payments/payments/payment-life.ts";
import { openStates, paymentTimerNames } from "#payments/payments/payment.ts";
import { findGatewayPaymentIds } from "#payments/payments/queries.ts";
import type { Tx } from "#platform/database/database.ts";
import { setTimer } from "#platform/scheduler/timers.ts";

const ROWS_AT_ONCE = 500;

/** Sets the poll timer of each open attempt to now. */
export async function planPolls(tx: Tx): Promise<void> {
  for (const status of openStates) await planPollsAt(tx, status);
}

async function planPollsAt(tx: Tx, status: PaymentStatus): Promise<void> {
  for (let after = "", hasMore = true; hasMore;) {
    const ids = await findGatewayPaymentIds(tx, { status, after, rows: ROWS_AT_ONCE });
    for (const subject of ids) {
      await setTimer(tx, { name: paymentTimerNames.poll, subject, dueAt: tx.now });
    }
    after = ids.at(-1) ?? after;
    hasMore = ids.length === ROWS_AT_ONCE;
  }
}
