// What happens to payments by itself, on the shop's clock: looks, ends, refunds on their way.

import { type Id, isId } from "#kernel/id.ts";
import { expirePayment } from "#payments/attempts/expire-payment.ts";
import { expireUnpaidOrder } from "#payments/attempts/expire-unpaid-order.ts";
import { pollPayment } from "#payments/attempts/poll-payment.ts";
import { settlePaidOrder } from "#payments/attempts/settle-paid-order.ts";
import { pruneNotices } from "#payments/notices/prune-notices.ts";
import { sendRefund } from "#payments/refunds/send-refund.ts";
import { settleCancelledOrder } from "#payments/refunds/settle-cancelled-order.ts";
import type { Shop } from "#platform/database/shop.ts";
import type { Job } from "#platform/scheduler/scheduler.ts";
import { clearTimer, type TimerWorkflow } from "#platform/scheduler/timers.ts";
import { orderCancelledTimers, unpaidOrderTimer } from "#sales/orders/order.ts";

import { paymentTimerNames } from "./payment.ts";
import type { PaymentsShop } from "./payments-shop.ts";

export const paymentTimers: readonly TimerWorkflow<PaymentsShop>[] = [
  {
    name: unpaidOrderTimer,
    runWith: async (shop, subject) => {
      if (isId("order", subject)) await expireUnpaidOrder(shop, subject);
    },
  },
  {
    name: paymentTimerNames.look,
    runWith: async (shop, subject) => {
      await pollPayment(shop, subject, "now");
    },
  },
  {
    name: paymentTimerNames.expire,
    runWith: async (shop, subject) => {
      if (isId("payment", subject)) await expirePayment(shop, subject);
    },
  },
  {
    name: paymentTimerNames.refund,
    runWith: async (shop, subject) => {
      if (isId("refund", subject)) await sendRefund(shop, subject);
    },
  },
  settling(paymentTimerNames.paid, settlePaidOrder),
  settling(orderCancelledTimers.refund, (shop, id) =>
    settleCancelledOrder(shop, id, { refund: true }),
  ),
  settling(orderCancelledTimers.keep, (shop, id) =>
    settleCancelledOrder(shop, id, { refund: false }),
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
  settle: (shop: PaymentsShop, id: Id<"order">) => Promise<void>,
): TimerWorkflow<PaymentsShop> {
  return {
    name,
    runWith: async (shop, subject) => {
      if (isId("order", subject)) await settle(shop, subject);
      await shop.database.write((tx) => clearTimer(tx, name, subject));
    },
  };
}
