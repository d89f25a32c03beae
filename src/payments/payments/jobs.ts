// The timers of payments and unpaid orders, on the shop's clock: polls, expiries, refunds to send. And the jobs beside them.

import { type Id, isId } from "#kernel/id.ts";
import { closeAttempts } from "#payments/attempts/close-attempts.ts";
import { expirePayment } from "#payments/attempts/expire-payment.ts";
import { expireUnpaidOrder } from "#payments/attempts/expire-unpaid-order.ts";
import { pollPayment } from "#payments/attempts/poll-payment.ts";
import { disputeTimer } from "#payments/disputes/dispute.ts";
import { pollDisputes } from "#payments/disputes/poll-disputes.ts";
import { gatewayQueueOf } from "#payments/gateways/gateway-queues.ts";
import { pruneNotices } from "#payments/notices/prune-notices.ts";
import { refundOverpaid } from "#payments/order-refunds/refund-overpaid.ts";
import { findOffSince } from "#payments/reconciliation/find-off-since.ts";
import { findUnnoticed } from "#payments/reconciliation/find-unnoticed.ts";
import { watchRefund } from "#payments/reconciliation/watch-refund.ts";
import { sendRefund } from "#payments/refunds/send-refund.ts";
import type { Shop } from "#platform/database/shop.ts";
import type { Job } from "#platform/scheduler/scheduler.ts";
import type { TimerWork, TimerWorkflow } from "#platform/scheduler/timer-work.ts";
import { dueTimeOf, planTimer } from "#platform/scheduler/timers.ts";
import { abandonOrder } from "#sales/recovery/unpaid-orders.ts";
import { settlingTimers, unpaidOrderTimers } from "#sales/rows/order.ts";

import { isBeingPaid } from "./lookups.ts";
import { paymentTimerNames } from "./payment.ts";
import type { PaymentsShop } from "./payments-shop.ts";

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
    runWith: async (shop, subject) => {
      if (isId("refund", subject)) await sendRefund(shop, subject);
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
    name: disputeTimer,
    queueOf: gatewayQueueOf,
    runWith: async (shop, subject) => {
      await pollDisputes(shop, subject);
    },
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
 * Asks the gateways each hour for disputes and refunds whose notices were lost: some give a merchant a day to answer a
 * dispute, and what went back is not refunded again.
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
