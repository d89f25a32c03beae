// Workflow: deletes carts to which no customer comes back, in small batches so that no order waits behind them.

import type { Id } from "#kernel/id.ts";
import { DAY_MS, nextTurn } from "#kernel/time.ts";
import type { Tx } from "#platform/database/database.ts";
import type { Shop } from "#platform/database/shop.ts";
import { clearTimer } from "#platform/scheduler/timers.ts";
import {
  countOpenCarts,
  deleteCartRow,
  findExpiredCarts,
  findNamelessCarts,
} from "#sales/carts/queries.ts";

/** An expired cart is kept this long, for merchants who look at what was not bought. */
const EXPIRED_KEPT_MS = 30 * DAY_MS;
/** Open carts of a shop: some 60 MB. Strangers can make a thousand a minute. */
const OPEN_MAX = 100_000;
const AT_ONCE = 200;

/**
 * Afterwards no cart has been expired for 30 days, and where more than `openMax` are open the oldest of
 * those without a contact are gone: nothing could be sent to their customers. No event is emitted.
 */
export async function pruneCarts(shop: Shop, openMax = OPEN_MAX): Promise<void> {
  const expiredBefore = shop.clock.now() - EXPIRED_KEPT_MS;
  await inBatches(shop, (tx) => findExpiredCarts(tx, { expiredBefore, limit: AT_ONCE }));
  await inBatches(shop, async (tx) => {
    const surplus = (await countOpenCarts(tx)) - openMax;
    return surplus > 0 ? findNamelessCarts(tx, Math.min(surplus, AT_ONCE)) : [];
  });
}

/** Deletes what `find` finds until it finds less than a batch. Stops early when the shop closes. */
async function inBatches(
  { database, closing }: Shop,
  find: (tx: Tx) => Promise<readonly Id<"cart">[]>,
): Promise<void> {
  let deleted = AT_ONCE;
  while (deleted === AT_ONCE && !closing.aborted) {
    deleted = await database.write(async (tx) => {
      const found = await find(tx);
      for (const id of found) await drop(tx, id);
      return found.length;
    });
    await nextTurn();
  }
}

async function drop(tx: Tx, id: Id<"cart">): Promise<void> {
  await deleteCartRow(tx, id);
  await clearTimer(tx, "abandon_cart", id);
  await clearTimer(tx, "expire_cart", id);
}
