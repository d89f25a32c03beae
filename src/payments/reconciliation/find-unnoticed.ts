// Workflows: what no notice told of is found: disputes and refunds that gateways list, and refunds that failed late.
// Safe to repeat at any time.

import type { Id } from "#kernel/id.ts";
import { DAY_MS, realClock } from "#kernel/time.ts";
import { pollPayment } from "#payments/attempts/poll-payment.ts";
import type { PaymentsShop } from "#payments/port/payments-shop.ts";
import { paymentTimerNames } from "#payments/rows/payment.ts";
import { paymentRows } from "#payments/rows/queries.ts";
import { refundRows } from "#payments/rows/refund-queries.ts";
import { nextWatchAt } from "#payments/rows/refund.ts";
import type { Reader } from "#platform/database/database.ts";
import { eventsAfter, lastSequence } from "#platform/event-log/event-log.ts";
import { clearTimer, setTimer } from "#platform/scheduler/timers.ts";

import { findDisputed, findReturned } from "./listed-returns.ts";

/** Looks as far back as the program may have been off. Returns whether the lists of all gateways could be read. */
export async function findUnnoticed(
  shop: PaymentsShop,
  offSinceMs: number | null,
): Promise<boolean> {
  const now = realClock.now();
  const areDisputesRead = await findDisputed(shop, now, offSinceMs);
  return (await findReturned(shop, now, offSinceMs)) && areDisputesRead;
}

/** The shop's clock and that of a gateway are at most so far apart, milliseconds. */
const MARGIN_MS = DAY_MS;

/**
 * The time since when a shop that was just opened may have been off, or which its database, a backup, may lack: that of
 * the last event, and a little earlier; null where there is none. Epoch milliseconds.
 */
export async function findOffSince(db: Reader): Promise<number | null> {
  const last = await lastSequence(db);
  const [event] = await eventsAfter(db, { after: last - 1, limit: 1 });
  return event === undefined ? null : event.createdAt - MARGIN_MS;
}

/**
 * Afterwards a refund that may fail late says what its gateway lists, and is polled again in a week, until the
 * thirty-fifth day.
 */
export async function watchRefund(shop: PaymentsShop, id: Id<"refund">): Promise<void> {
  const { database, gateways } = shop;
  const { paymentId } = await refundRows.get(database.read, id);
  const payment = await paymentRows.get(database.read, paymentId);
  const mayFail = gateways.some((one) => one.id === payment.gateway && one.refundsFailLate);
  if (mayFail) await pollPayment(shop, paymentId, "due");
  await database.write(async (tx) => {
    const dueAt = mayFail ? nextWatchAt(await refundRows.get(tx, id), tx.now) : null;
    const name = paymentTimerNames.watch;
    if (dueAt === null) await clearTimer(tx, name, id);
    else await setTimer(tx, { name, subject: id, dueAt });
  });
}
