// The timers of payments and unpaid orders, on the shop's clock: polls, expiries, refunds to send. And the jobs beside them.
// Work that calls a gateway runs in its queue, so that a slow gateway delays its own payments only.

import { type Id, isId } from "#kernel/id.ts";
import { closeAttempts, expirePayment } from "#payments/attempts/close-payment.ts";
import { pollPayment } from "#payments/attempts/poll-payment.ts";
import { readPayouts } from "#payments/payouts/read-payouts.ts";
import type { PaymentsShop } from "#payments/port/payments-shop.ts";
import {
  findOffSince,
  findUnnoticed,
  watchRefund,
} from "#payments/reconciliation/find-unnoticed.ts";
import { pruneNotices } from "#payments/reconciliation/notices.ts";
import { lapseRefund } from "#payments/refunds/approvals.ts";
import { expireUnpaidOrder, refundOverpaid } from "#payments/refunds/credits.ts";
import { sendRefund } from "#payments/refunds/send-refund.ts";
import { disputeTimer } from "#payments/rows/dispute.ts";
import { isBeingPaid } from "#payments/rows/lookups.ts";
import { isWatched, type Payment, paymentTimerNames } from "#payments/rows/payment.ts";
import { payoutTimer } from "#payments/rows/payout.ts";
import { findPaymentRow, findPaymentsOfOrder } from "#payments/rows/queries.ts";
import { refundRows } from "#payments/rows/refund-queries.ts";
import { pollDisputes } from "#payments/settling/poll-disputes.ts";
import type { Reader } from "#platform/database/database.ts";
import type { Shop } from "#platform/database/shop.ts";
import type { Job } from "#platform/scheduler/scheduler.ts";
import type { Queue, TimerWork, TimerWorkflow } from "#platform/scheduler/timer-work.ts";
import { dueTimeOf, planTimer } from "#platform/scheduler/timers.ts";
import { abandonOrder } from "#sales/recovery/unpaid-orders.ts";
import { settlingTimers, unpaidOrderTimers } from "#sales/rows/order.ts";

export const paymentTimers: readonly TimerWork<PaymentsShop>[] = [
  {
    name: unpaidOrderTimers.abandon,
    run: async (tx, subject) => {
      if (isId("order", subject)) await abandonOrder(tx, subject, isBeingPaid);
    },
  },
  {
    name: unpaidOrderTimers.expire,
    queueOf: gatewayQueueOf,
    runWith: async (shop, subject) => {
      if (isId("order", subject)) await expireUnpaidOrder(shop, subject);
    },
  },
  {
    name: paymentTimerNames.poll,
    queueOf: gatewayQueueOf,
    runWith: async (shop, subject) => {
      await pollPayment(shop, subject, "due");
    },
  },
  {
    name: paymentTimerNames.expire,
    queueOf: gatewayQueueOf,
    runWith: async (shop, subject) => {
      if (isId("payment", subject)) await expirePayment(shop, subject);
    },
  },
  {
    name: paymentTimerNames.refund,
    queueOf: gatewayQueueOf,
    runWith: async (shop, subject, isStillDue) => {
      if (isId("refund", subject)) await sendRefund(shop, subject, isStillDue);
    },
  },
  {
    name: paymentTimerNames.watch,
    queueOf: gatewayQueueOf,
    runWith: async (shop, subject) => {
      if (isId("refund", subject)) await watchRefund(shop, subject);
    },
  },
  {
    name: paymentTimerNames.approval,
    run: async (tx, subject) => {
      if (isId("refund", subject)) await lapseRefund(tx, subject);
    },
  },
  {
    name: disputeTimer,
    queueOf: gatewayQueueOf,
    runWith: async (shop, subject) => {
      await pollDisputes(shop, subject);
    },
  },
  {
    name: payoutTimer,
    queueOf: ({ gateways, health }, subject) =>
      Promise.resolve(queueAt({ gateways, health }, subject, subject)),
    runWith: readNoticedPayouts,
  },
  settling(settlingTimers.closeAttempts, closeAttempts),
  settling(settlingTimers.closeCancelled, closeAttempts),
  settling(settlingTimers.refundOverpaid, refundOverpaid),
];

/** Prunes the notices of gateways daily, at a minute that no other job uses. */
export function pruneNoticesJob(shops: readonly Shop[]): Job {
  return {
    name: "prune-notices",
    pattern: "43 2 * * *",
    run: async () => {
      for (const shop of shops) await pruneNotices(shop);
    },
  };
}

/**
 * Asks the gateways each hour for disputes and refunds whose notices were lost, since some give a merchant a day to
 * answer a dispute, and what went back is not refunded again; and for their payouts.
 */
export function findUnnoticedJob(shops: readonly PaymentsShop[]): Job {
  const finders = shops.map(finderOf);
  return {
    name: "find-unnoticed",
    pattern: "37 * * * *",
    run: async () => {
      for (const find of finders) await find();
    },
  };
}

/** The work of each hour of a shop that was just opened. */
function finderOf(shop: PaymentsShop): () => Promise<void> {
  // Read now, before there are events of this run.
  let offSince = findOffSince(shop.database.read).catch(() => null);
  return async () => {
    if (await findUnnoticed(shop, await offSince)) offSince = Promise.resolve(null);
    await readPayouts(shop);
  };
}

/**
 * A timer that settles the payments of an order once, and is cleared when that is done. One that was set meanwhile
 * stays: units may have been cancelled since the order was read.
 */
function settling(
  name: string,
  settle: (shop: PaymentsShop, id: Id<"order">) => Promise<void>,
): TimerWorkflow<PaymentsShop> {
  return {
    name,
    queueOf: gatewayQueueOf,
    runWith: async (shop, subject) => {
      const seen = await dueTimeOf(shop.database.read, name, subject);
      if (isId("order", subject)) await settle(shop, subject);
      const done = { name, subject, dueAt: null };
      await shop.database.write((tx) => planTimer(tx, done, seen));
    },
  };
}

/**
 * The queue of the gateway that work about a payment, a refund or an order calls; null if it calls none. An order
 * whose attempts are at several gateways waits for the first. An order expires after its payments were polled, so
 * work about one order runs one at a time.
 */
async function gatewayQueueOf(
  { database, gateways, health }: Pick<PaymentsShop, "database" | "gateways" | "health">,
  subject: string,
): Promise<Queue | null> {
  const payment = await paymentOf(database.read, subject);
  if (payment === undefined || payment.gateway === null) return null;
  const { id, orderId, gateway } = payment;
  return queueAt({ gateways, health }, gateway, orderId ?? id);
}

function queueAt(
  { gateways, health }: Pick<PaymentsShop, "gateways" | "health">,
  gateway: string,
  about: string,
): Queue {
  const { perMinute } = gateways.find((one) => one.id === gateway) ?? {};
  return { name: gateway, width: health.widthOf({ id: gateway, perMinute }), about };
}

/** A notice told of a payout: the lists of its gateway are read before the hour is over. */
async function readNoticedPayouts(shop: PaymentsShop, gateway: string): Promise<void> {
  const seen = await dueTimeOf(shop.database.read, payoutTimer, gateway);
  await readPayouts(
    shop,
    shop.gateways.filter(({ id }) => id === gateway),
  );
  const done = { name: payoutTimer, subject: gateway, dueAt: null };
  await shop.database.write((tx) => planTimer(tx, done, seen));
}

async function paymentOf(db: Reader, subject: string): Promise<Payment | undefined> {
  if (isId("order", subject)) return (await findPaymentsOfOrder(db, subject)).find(isWatched);
  if (!isId("refund", subject)) return findPaymentRow(db, subject);
  const refund = await refundRows.find(db, subject);
  return refund === undefined ? undefined : findPaymentRow(db, refund.paymentId);
}
