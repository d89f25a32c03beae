// The timers of unfinished carts and unpaid orders, on the shop's clock. The expiry of an unpaid
// order is a timer of payments, because its gateway is polled first.

import { isId } from "#kernel/id.ts";
import type { TimerStory } from "#platform/scheduler/timers.ts";

import { abandonCart, expireCart } from "./unfinished-carts.ts";
import { abandonOrder } from "./unpaid-orders.ts";

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
  {
    name: "abandon_order",
    run: async (tx, subject) => {
      if (isId("order", subject)) await abandonOrder(tx, subject);
    },
  },
];
