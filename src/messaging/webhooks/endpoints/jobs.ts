// Timers and jobs of webhooks. The courier, which sends them, is separate.

import { isId } from "#kernel/id.ts";
import { FORGET_TIMER } from "#messaging/webhooks/deliveries/delivery.ts";
import {
  forgetCustomer,
  pruneDeliveries,
} from "#messaging/webhooks/deliveries/prune-deliveries.ts";
import type { Shop } from "#platform/database/shop.ts";
import type { Job } from "#platform/scheduler/scheduler.ts";
import type { TimerWork } from "#platform/scheduler/timer-work.ts";

import { forgetOldSecret } from "./secrets.ts";
import { OLD_SECRET_TIMER } from "./webhook.ts";

export const webhookTimers: readonly TimerWork[] = [
  {
    name: OLD_SECRET_TIMER,
    run: async (tx, subject) => {
      if (isId("webhook", subject)) await forgetOldSecret(tx, subject);
    },
  },
  { name: FORGET_TIMER, runWith: (shop, subject) => forgetCustomer(shop, subject) },
];

/** Hourly at minute 17, because other hourly jobs start on the hour. */
export function pruneDeliveriesJob(shops: readonly Shop[]): Job {
  return {
    name: "prune-deliveries",
    pattern: "17 * * * *",
    run: async () => {
      for (const shop of shops) await pruneDeliveries(shop);
    },
  };
}
