// The timers of unfinished carts, on the shop's clock. Those of an unpaid order are timers of payments,
// because an attempt that is open at a gateway stops its clock.

import { isId } from "#kernel/id.ts";
import type { Shop } from "#platform/database/shop.ts";
import type { Job } from "#platform/scheduler/scheduler.ts";
import type { TimerStory } from "#platform/scheduler/timer-work.ts";
import { pruneCarts } from "#sales/recovery/prune-carts.ts";
import { abandonCart, expireCart } from "#sales/recovery/unpaid-orders.ts";

export const recoveryTimers: readonly TimerStory[] = [
  {
    name: "abandon_cart",
    run: async (tx, subject) => {
      if (isId("cart", subject)) await abandonCart(tx, subject);
    },
  },
  {
    name: "expire_cart",
    run: async (tx, subject) => {
      if (isId("cart", subject)) await expireCart(tx, subject);
    },
  },
];

/** Every minute, because strangers can fill a shop with carts within an hour. */
export function pruneCartsJob(shops: readonly Shop[]): Job {
  return {
    name: "prune-carts",
    pattern: "* * * * *",
    run: async () => {
      for (const shop of shops) await pruneCarts(shop);
    },
  };
}
