// What happens to payments by itself, on the shop's clock: looks, ends, refunds on their way.

import { type Id, isId } from "#kernel/id.ts";
import { expirePayment } from "#payments/attempts/expire-payment.ts";
import { expireUnpaidOrder } from "#payments/attempts/expire-unpaid-order.ts";
import { pollPayment } from "#payments/attempts/poll-payment.ts";
import { settlePaidOrder } from "#payments/attempts/settle-paid-order.ts";
import { pruneNotices } from "#payments/notices/prune-notices.ts";
import { sendRefund } from "#payments/refunds/send-refund.ts";
import { settleCancelledOrder } from "#payments/refunds/settle-cancelled-order.ts";
import type { Shop } from "#platform/database/database.ts";
import type { Job } from "#platform/scheduler/scheduler.ts";
import { clearTimer, type TimerWorkflow } from "#platform/scheduler/timers.ts";
import { orderCancelledTimers, unpaidOrderTimer } from "#sales/orders/order.ts";

import { type Cashier, cashierOf } from "./cashier.ts";
import { paymentTimerNames } from "./payment.ts";

export const paymentTimers: readonly TimerWorkflow[] = [
  {
    name: unpaidOrderTimer,
    runWith: async (shop, subject) => {
      if (isId("order", subject)) await expireUnpaidOrder(cashierOf(shop), subject);
    },
  },
  {
    name: paymentTimerNames.look,
    runWith: async (shop, subject) => {
      await pollPayment(cashierOf(shop), subject, "now");
    },
  },
  {
    name: paymentTimerNames.expire,
    runWith: async (shop, subject) => {
      if (isId("payment", subject)) await expirePayment(cashierOf(shop), subject);
    },
  },
  {
    name: paymentTimerNames.refund,
    runWith: async (shop, subject) => {
      if (isId("refund", subject)) await sendRefund(cashierOf(shop), subject);
    },
  },
  settling(paymentTimerNames.paid, settlePaidOrder),
  settling(orderCancelledTimers.refund, (cashier, id) =>
    settleCancelledOrder(cashier, id, { refund: true }),
  ),
  settling(orderCancelledTimers.keep, (cashier, id) =>
    settleCancelledOrder(cashier, id, { refund: false }),
  ),
];

/** Once a day, at an odd time. */
export function pruneNoticesJob(shops: readonly Shop[]): Job {
  return {
    name: "prune-notices",
    pattern: "43 2 * * *",
    run: async () => {
      for (const shop of shops) await pruneNotices(shop);
    },
  };
}

/** What an order's payments need once it is paid or cancelled; the timer ends when it is done. */
function settling(
  name: string,
  settle: (cashier: Cashier, id: Id<"order">) => Promise<void>,
): TimerWorkflow {
  return {
    name,
    runWith: async (shop, subject) => {
      if (isId("order", subject)) await settle(cashierOf(shop), subject);
      await shop.database.write((tx) => clearTimer(tx, name, subject));
    },
  };
}
