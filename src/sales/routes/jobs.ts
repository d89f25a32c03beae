// The timers of unfinished carts, on the shop's clock. Those of an unpaid order are timers of payments,
// because an attempt that is open at a gateway stops its clock. Scheduled jobs: carts of strangers are deleted, and lines of
// orders that an older version wrote get what is shown of their variants.

import { findSellableVariants } from "#catalog/products/lookups.ts";
import { isId } from "#kernel/id.ts";
import { nextTurn } from "#kernel/time.ts";
import type { Shop } from "#platform/database/shop.ts";
import type { Job } from "#platform/scheduler/scheduler.ts";
import type { TimerStory } from "#platform/scheduler/timer-work.ts";
import { asKept, variantsOf } from "#pricing/quote/price-order.ts";
import { pruneCarts } from "#sales/recovery/prune-carts.ts";
import { abandonCart, expireCart } from "#sales/recovery/unpaid-orders.ts";
import { fillLine, linesToFill } from "#sales/rows/fill-queries.ts";

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

/** Lines per transaction, so that no request waits for it. */
const LINES_AT_ONCE = 500;

/** Every minute; once all lines are filled it reads an empty index. */
export function fillShownJob(shops: readonly Shop[]): Job {
  return {
    name: "fill-shown",
    pattern: "* * * * *",
    run: async () => {
      for (const shop of shops) await fillShown(shop);
    },
  };
}

/** Writes what today's catalog shows of the variants. It is no change of the orders: they get no event and no version. */
async function fillShown({ database, closing }: Shop): Promise<void> {
  while (!closing.aborted) {
    const found = await linesToFill(database.read, { rows: LINES_AT_ONCE });
    if (found.length === 0) return;
    await database.write(async (tx) => {
      const variants = await findSellableVariants(tx, [...new Set(variantsOf(found))]);
      for (const line of found) {
        const offer = line.variantId === null ? undefined : variants.get(line.variantId);
        await fillLine(tx, { ...line, shown: offer === undefined ? null : asKept(offer.shown) });
      }
    });
    await nextTurn();
  }
}
