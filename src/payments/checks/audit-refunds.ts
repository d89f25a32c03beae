// Lookup: checks that refunds agree with what happened to their units, with their events and with what orders
// owe. Asked for each page of payments.

import type { Difference } from "#kernel/difference.ts";
import type { Id } from "#kernel/id.ts";
import type { Payment } from "#payments/payments/payment.ts";
import { findPaymentsOfOrder } from "#payments/payments/queries.ts";
import { findRefundsOfOrder } from "#payments/refunds/queries.ts";
import { isSetAside, type Refund, sumOf } from "#payments/refunds/refund.ts";
import type { Reader } from "#platform/database/database.ts";
import { eventsAfter } from "#platform/event-log/event-log.ts";
import { isTimerSet } from "#platform/scheduler/timers.ts";
import { findOrder, getUncachedOrder } from "#sales/orders/lookups.ts";
import { overpaidOf, owedOf } from "#sales/rows/balance.ts";
import { settlingTimers } from "#sales/rows/order.ts";
import { creditedUnits } from "#sales/rows/sale.ts";

/** Events of one name and order; people retry refunds and payments. */
const EVENTS_MAX = 1_000;

/**
 * Yields each refund of the payment that failed or needs attention without an event that says so, each line
 * of which more units were refunded than were cancelled or came back, and each order for which gateways
 * received more than is owed without a refund. Versions whose payments had no facts announced no refund that
 * failed, and moved no units with refunds: of their payments neither is expected.
 */
export async function* auditRefunds(
  db: Reader,
  payment: Payment,
  refunds: readonly Refund[],
): AsyncGenerator<Difference> {
  for (const refund of refunds) {
    const found = [
      ...(await Array.fromAsync(unannounced(db, refund))),
      ...(await Array.fromAsync(unmovedUnits(db, refund))),
    ];
    if (found.length > 0 && !(await hadNoFacts(db, payment))) yield* found;
  }
  yield* unreturnedSurplus(db, payment);
}

/** Returns true if the version that made the payment knew no facts of it, such as its instrument. */
async function hadNoFacts(db: Reader, { id, orderId }: Payment): Promise<boolean> {
  const name = ["payment.initialized"];
  const made = await eventsAfter(db, { after: 0, limit: EVENTS_MAX, subject: orderId ?? id, name });
  const own = made.find(({ data }) => data.includes(`"payment_id":"${id}"`));
  return own !== undefined && !own.data.includes('"instrument":');
}

/** The state may have been entered before; each time has its own event. */
async function* unannounced(db: Reader, refund: Refund): AsyncGenerator<Difference> {
  const { id, status, orderId, paymentId } = refund;
  if (status !== "failed" && status !== "needs_attention" && status !== "cancelled") return;
  const name = `refund.${status}`;
  const subject = orderId ?? paymentId;
  const found = await eventsAfter(db, { after: 0, limit: EVENTS_MAX, subject, name: [name] });
  if (found.some(({ data }) => data.includes(`"refund_id":"${id}"`))) return;
  yield { subject: id, what: `${name} events`, expected: "one or more", found: 0 };
}

/** All refunds of an order count together; the first one with lines stands for them. */
async function* unmovedUnits(db: Reader, { id, orderId }: Refund): AsyncGenerator<Difference> {
  if (orderId === null) return;
  const withLines = (await findRefundsOfOrder(db, orderId)).filter(
    (refund) => refund.lines.length > 0 && isSetAside(refund),
  );
  if (withLines[0]?.id !== id) return;
  const units = new Map<string, number>();
  for (const { lineItemId, quantity } of withLines.flatMap(({ lines }) => lines)) {
    units.set(lineItemId, (units.get(lineItemId) ?? 0) + quantity);
  }
  for (const line of (await getUncachedOrder(db, orderId)).lines) {
    const refunded = units.get(line.id) ?? 0;
    const moved = creditedUnits(line);
    if (refunded <= moved) continue;
    const expected = `at least ${refunded}`;
    yield { subject: line.id, what: "units cancelled or returned", expected, found: moved };
  }
}

/** The first payment of an order that its gateway captured stands for all of them. */
async function* unreturnedSurplus(db: Reader, payment: Payment): AsyncGenerator<Difference> {
  const { id, orderId } = payment;
  if (orderId === null || !isKeptByGateway(payment)) return;
  const order = await findOrder(db, orderId);
  if (order === undefined || overpaidOf(order) === 0) return;
  const payments = (await findPaymentsOfOrder(db, orderId)).filter(isKeptByGateway);
  if (payments[0]?.id !== id || (await isReturning(db, orderId))) return;
  const ids = new Set<string>(payments.map((one) => one.id));
  const failed = (await findRefundsOfOrder(db, orderId)).filter(
    (refund) => !isSetAside(refund) && ids.has(refund.paymentId),
  );
  const keptMinor = payments.reduce(
    (sum, { capturedMinor, refundingMinor }) => sum + capturedMinor - refundingMinor,
    0,
  );
  const expected = owedOf(order) + sumOf(failed);
  if (keptMinor <= expected) return;
  yield { subject: orderId, what: "money of gateways", expected, found: keptMinor };
}

/** A surplus of money that did not match, which a person accepted, is a person's to give back. */
function isKeptByGateway(payment: Payment): boolean {
  const { gateway, status, receivedMinor, receivedCurrency } = payment;
  const isMatching =
    receivedMinor !== null &&
    receivedMinor >= payment.amountMinor &&
    receivedCurrency === payment.currency;
  return gateway !== null && isMatching && status !== "review" && payment.capturedMinor > 0;
}

/** Returns true if a surplus is about to be refunded. */
function isReturning(db: Reader, orderId: Id<"order">): Promise<boolean> {
  return isTimerSet(db, settlingTimers.refundOverpaid, orderId);
}
