// What happens to payments by itself, on the shop's clock: looks, ends, refunds on their way.

import { isId } from "#kernel/id.ts";
import { orderCancelledTimers, unpaidOrderTimer } from "#orders/order.ts";
import type { Job } from "#platform/scheduler/scheduler.ts";
import { clearTimer, type TimerWorkflow } from "#platform/scheduler/timers.ts";
import type { Shop } from "#platform/store/store.ts";

import { cashierOf } from "./cashier.ts";
import { closeAttempts } from "./close-attempts.ts";
import { expirePayment } from "./expire-payment.ts";
import { expireUnpaidOrder } from "./expire-unpaid-order.ts";
import { lookAtPayment } from "./look-at-payment.ts";
import { pruneNotices } from "./notices/prune-notices.ts";
import { paymentTimerNames } from "./payment.ts";
import { sendRefund } from "./send-refund.ts";
import { settleCancelledOrder } from "./settle-cancelled-order.ts";

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
      await lookAtPayment(cashierOf(shop), subject, "now");
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
  {
    name: paymentTimerNames.close,
    runWith: async (shop, subject) => {
      if (isId("order", subject)) await closeAttempts(cashierOf(shop), subject);
      await end(shop, paymentTimerNames.close, subject);
    },
  },
  closing(orderCancelledTimers.refund, true),
  closing(orderCancelledTimers.keep, false),
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

function closing(name: string, refund: boolean): TimerWorkflow {
  return {
    name,
    runWith: async (shop, subject) => {
      if (isId("order", subject)) {
        await settleCancelledOrder(cashierOf(shop), subject, { refund });
      }
      await end(shop, name, subject);
    },
  };
}

async function end(shop: Shop, name: string, subject: string): Promise<void> {
  await shop.store.write((tx) => clearTimer(tx, name, subject));
}
