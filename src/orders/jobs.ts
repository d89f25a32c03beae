// What happens to orders by itself, on the shop's clock.

import { isId } from "#kernel/id.ts";
import type { TimerStory } from "#platform/scheduler/timers.ts";

import { abandonOrder } from "./abandon-order.ts";
import { expireOrder } from "./expire-order.ts";

export const orderTimers: readonly TimerStory[] = [
  {
    name: "abandon_order",
    run: async (tx, subject) => {
      if (isId("order", subject)) await abandonOrder(tx, subject);
    },
  },
  {
    name: "expire_order",
    run: async (tx, subject) => {
      if (isId("order", subject)) await expireOrder(tx, subject);
    },
  },
];
