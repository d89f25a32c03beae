// Story: the shop's settings are locked.

import type { Tx } from "#platform/database/database.ts";

import { lockStore } from "./queries.ts";

/**
 * Locks the settings until the transaction ends: stories that count what others do at the same time run
 * one after the other. Comes before every other lock.
 */
export async function lockSettings(tx: Tx): Promise<void> {
  await lockStore(tx);
}
