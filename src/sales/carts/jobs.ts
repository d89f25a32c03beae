// What happens to carts by itself, on the shop's clock.

import { isId } from "#kernel/id.ts";
import type { TimerStory } from "#platform/scheduler/timers.ts";
import { abandonCart, expireCart } from "#sales/recovery/left-carts.ts";

export const cartTimers: readonly TimerStory[] = [
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
