// What happens to orders by itself, on the shop's clock. Their end is in payments, which asks the
// gateways first.

import { isId } from "#kernel/id.ts";
import type { TimerStory } from "#platform/scheduler/timers.ts";
import { abandonOrder } from "#sales/recovery/unpaid-orders.ts";

export const orderTimers: readonly TimerStory[] = [
  {
    name: "abandon_order",
    run: async (tx, subject) => {
      if (isId("order", subject)) await abandonOrder(tx, subject);
    },
  },
];
