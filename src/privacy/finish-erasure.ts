// Workflow: the orders of an erased customer, piece by piece. It may begin anew: what is erased stays as it is.

import { type Id, isId } from "#kernel/id.ts";
import { nextTurn } from "#kernel/time.ts";
import type { Shop } from "#platform/database/shop.ts";
import type { TimerWorkflow } from "#platform/scheduler/timer-work.ts";

import { eraseNextOrders, erasureTimer } from "./erase-next-orders.ts";

/** Erases the customer from all of their orders after the given one. */
export async function finishErasure(
  shop: Shop,
  id: Id<"customer">,
  first: Id<"order"> | null = null,
): Promise<void> {
  let after = first;
  do {
    const last = after;
    after = await shop.database.write((tx) => eraseNextOrders(tx, id, last));
    await nextTurn();
  } while (after !== null);
}

/** Finishes what a crash left. */
export const erasureTimers: readonly TimerWorkflow[] = [
  {
    name: erasureTimer,
    queueOf: async (_shop, about) => ({ name: erasureTimer, width: 1, about }),
    runWith: async (shop, subject) => {
      if (isId("customer", subject)) await finishErasure(shop, subject);
    },
  },
];
