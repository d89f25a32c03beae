// What happens to webhooks by itself, beside their being sent.

import type { Job } from "#platform/scheduler/scheduler.ts";
import type { TimerWorkflow } from "#platform/scheduler/timers.ts";
import type { Shop } from "#platform/store/store.ts";

import { FORGET_TIMER } from "./deliveries/delivery.ts";
import { forgetPerson } from "./deliveries/forget-person.ts";
import { pruneDeliveries } from "./deliveries/prune-deliveries.ts";

export const webhookTimers: readonly TimerWorkflow[] = [
  { name: FORGET_TIMER, runWith: (shop, subject) => forgetPerson(shop, subject) },
];

/** Once an hour, a little after it: other hourly work begins on the hour. */
export function pruneDeliveriesJob(shops: readonly Shop[]): Job {
  return {
    name: "prune-deliveries",
    pattern: "17 * * * *",
    run: async () => {
      for (const shop of shops) await pruneDeliveries(shop);
    },
  };
}
