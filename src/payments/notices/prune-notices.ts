// Workflow: deletes old notices, in small batches so that no order waits behind them.

import { DAY_MS, nextTurn } from "#kernel/time.ts";
import type { Shop } from "#platform/database/shop.ts";

import { deleteNotices } from "./queries.ts";

/** Gateways repeat a notice for some days. A later copy would cause one more poll, nothing else. */
const KEPT_MS = 90 * DAY_MS;
const AT_ONCE = 200;

/** Deletes notices that arrived more than 90 days ago. Stops early when the shop closes. */
export async function pruneNotices({ database, clock, closing }: Shop): Promise<void> {
  const before = clock.now() - KEPT_MS;
  for (let deleted = AT_ONCE; deleted === AT_ONCE && !closing.aborted;) {
    deleted = await database.write((tx) => deleteNotices(tx, before, AT_ONCE));
    await nextTurn();
  }
}
