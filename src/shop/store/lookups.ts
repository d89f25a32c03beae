// Reads and locks of the shop's row for other folders, beside `getStore`.

import type { Reader, Tx } from "#platform/database/database.ts";

import { lockStore, onlyId } from "./queries.ts";

/** Returns the shop's id, also from a database with the schema of another version; null if it has no shop yet. */
export async function findStoreId(db: Reader): Promise<string | null> {
  return (await onlyId(db, {}))[0]?.id ?? null;
}

/**
 * Locks the settings until the transaction ends: stories that count what others do at the same time run
 * one after the other. Comes before every other lock.
 */
export async function lockSettings(tx: Tx): Promise<void> {
  await lockStore(tx);
}
