// Workflow: the orders of an erased customer, piece by piece. It may begin anew: what is erased stays as it is.

import { type Id, isId } from "#kernel/id.ts";
import { nextTurn } from "#kernel/time.ts";
import type { Shop } from "#platform/database/shop.ts";
import type { TimerWorkflow } from "#platform/scheduler/timer-work.ts";

import { type AlsoForget, eraseNextOrders, erasureTimer, type Rest } from "./erase-next-orders.ts";

/** Erases the customer from the rest of their orders. */
export async function finishErasure(shop: Shop, id: Id<"customer">, rest: Rest): Promise<void> {
  let { after } = rest;
  do {
    const piece = { ...rest, after };
    after = await shop.database.write((tx) => eraseNextOrders(tx, id, piece));
    await nextTurn();
  } while (after !== null);
}

/** Finishes what a crash left. */
export const erasureTimers = (alsoForget: AlsoForget): readonly TimerWorkflow[] => [
  {
    name: erasureTimer,
    queueOf: async (_shop, about) => ({ name: erasureTimer, width: 1, about }),
    runWith: async (shop, subject) => {
      const rest = { after: null, alsoForget };
      if (isId("customer", subject)) await finishErasure(shop, subject, rest);
    },
  },
];
