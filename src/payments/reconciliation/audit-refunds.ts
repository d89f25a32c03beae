// Lookup: checks that refunds agree with what happened to their units, with their events, with what orders owe and with
// the taxes that were sold. Asked for each page of payments.

import type { Difference } from "#kernel/difference.ts";
import type { Id } from "#kernel/id.ts";
import type { Payment } from "#payments/rows/payment.ts";
import { findPaymentsOfOrder } from "#payments/rows/queries.ts";
import { findRefundsOfOrder, findRefundsOfOrders } from "#payments/rows/refund-queries.ts";
import { isSetAside, type Refund, sumOf } from "#payments/rows/refund.ts";
import { refundedTaxes, soldTaxes } from "#payments/settling/refund-taxes.ts";
import type { Reader } from "#platform/database/database.ts";
import { eventsAfter } from "#platform/event-log/event-log.ts";
import { isTimerSet } from "#platform/scheduler/timers.ts";
import { findOrder, findOrdersOfIds, getUncachedOrder } from "#sales/orders/lookups.ts";
import { netOf, overpaidOf, owedOf } from "#sales/rows/balance.ts";
import { type Order, settlingTimers } from "#sales/rows/order.ts";
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
  const { id, status, orderId, paymentId, approval } = refund;
  if (status !== "failed" && status !== "needs_attention" && status !== "cancelled") return;
  const name = approval === "declined" ? "refund.declined" : `refund.${status}`;
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

/**
 * Yields each tax of an order of which its refunds have more than was sold, or less once the whole sale was refunded,
 * and each refund with other taxes than its order. All refunds of an order count together, in the page of the first.
 * It takes two statements, and one where no tax was sold.
 */
export async function* auditRefundedTaxes(
  db: Reader,
  ofPage: readonly Refund[],
): AsyncGenerator<Difference> {
  const orderIds = new Set(ofPage.flatMap(({ orderId }) => orderId ?? []));
  const orders = (await findOrdersOfIds(db, [...orderIds])).filter(
    (order) => soldTaxes(order).length > 0,
  );
  const ids = orders.map(({ id }) => id);
  const refunds = Map.groupBy(await findRefundsOfOrders(db, ids), ({ orderId }) => orderId);
  const inPage = new Set<string>(ofPage.map(({ id }) => id));
  for (const order of orders) {
    const all = refunds.get(order.id) ?? [];
    if (!inPage.has(all[0]?.id ?? "")) continue;
    yield* foreignTaxes(order, all);
    yield* wrongSums(db, order, all);
  }
}

/** The taxes of a refund stand in the order of the order's, or there are none. */
function* foreignTaxes({ breakdown }: Order, refunds: readonly Refund[]): Generator<Difference> {
  const agreed = breakdown?.taxes ?? [];
  for (const { id, taxes } of refunds) {
    const isAgreed = agreed.every(({ rate, taxClass, isIncluded }, index) => {
      const tax = taxes[index];
      const isSame = tax?.taxClass === taxClass && tax.isIncluded === isIncluded;
      return isSame && Bun.deepEquals(tax.rate, rate);
    });
    if (taxes.length === 0 || (taxes.length === agreed.length && isAgreed)) continue;
    yield { subject: id, what: "taxes", expected: "those of the order", found: "others" };
  }
}

async function* wrongSums(
  db: Reader,
  order: Order,
  refunds: readonly Refund[],
): AsyncGenerator<Difference> {
  const isWhole = netOf(order) <= 0 && order.saleRefundingMinor === order.saleTotalMinor;
  const differences = taxDifferences(order, refunds, isWhole);
  if (differences.length === 0) return;
  const isCorrected = isWhole && (await hasCorrection(db, order));
  yield* isCorrected ? taxDifferences(order, refunds, false) : differences;
}

function taxDifferences(order: Order, refunds: readonly Refund[], isWhole: boolean): Difference[] {
  const refunded = refundedTaxes(soldTaxes(order), refunds);
  return soldTaxes(order).flatMap((sold, index) => {
    const found = refunded[index] ?? { taxableMinor: 0, amountMinor: 0 };
    const name = order.breakdown?.taxes[index]?.rate.name ?? "tax";
    return [
      { what: `refunded base of ${name}`, soldMinor: sold.taxableMinor, found: found.taxableMinor },
      { what: `refunded ${name}`, soldMinor: sold.amountMinor, found: found.amountMinor },
    ].flatMap(({ what, soldMinor, found: minor }) => {
      if (isWhole ? minor === soldMinor : minor <= soldMinor) return [];
      const expected = isWhole ? soldMinor : `at most ${soldMinor}`;
      return [{ subject: order.id, what, expected, found: minor }];
    });
  });
}

/** Returns true if a payment was corrected: the correction instead of a refund may have taken the rest of the sale. */
async function hasCorrection(db: Reader, { id: subject }: Order): Promise<boolean> {
  const name = ["payment.corrected"];
  return (await eventsAfter(db, { after: 0, limit: 1, subject, name })).length > 0;
}
