// All SQL of the shop's settings.

import type { Reader, Tx } from "#platform/database/database.ts";
import {
  prepared,
  preparedInsert,
  preparedLock,
  preparedReplace,
} from "#platform/database/prepared.ts";

import { store } from "./tables.ts";

export type StoreRow = typeof store.$inferSelect;

const onlyStore = prepared<Record<string, never>>()((db) => db.select().from(store));
const storeToLock = preparedLock<Record<string, never>>()((db) => db.select().from(store));

/** Returns the shop's row, or undefined in a database that has no shop yet. */
export async function findStoreRow(db: Reader): Promise<StoreRow | undefined> {
  return (await onlyStore(db, {}))[0];
}

/** Locks the shop's row until the transaction ends. Readers are not blocked. */
export async function lockStoreRow(tx: Tx): Promise<StoreRow | undefined> {
  return (await storeToLock(tx, {}))[0];
}

export const insertStore: (tx: Tx, row: StoreRow) => Promise<void> = preparedInsert(store);

/** Writes the row as its next version. Returns false if another write changed the version first. */
export const replaceStore: (tx: Tx, row: StoreRow) => Promise<boolean> = preparedReplace(store);
