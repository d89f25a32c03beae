// Workflow: notices of gateways are forgotten when no gateway repeats them any more. It goes in small
// pieces, so that no order waits behind it.

import { nextTurn } from "#kernel/time.ts";
import type { Shop } from "#platform/database/shop.ts";

import { deleteNotices } from "./queries.ts";

/** Gateways repeat what was not taken for some days. One that came again later would lead to a look, no more. */
const KEPT_MS = 90 * 86_400_000;
const AT_ONCE = 200;

/** Afterwards no notice is kept that came more than 90 days ago. */
export async function pruneNotices({ database, clock, closing }: Shop): Promise<void> {
  const before = clock.now() - KEPT_MS;
  for (let forgotten = AT_ONCE; forgotten === AT_ONCE && !closing.aborted;) {
    forgotten = await database.write((tx) => deleteNotices(tx, before, AT_ONCE));
    await nextTurn();
  }
}
