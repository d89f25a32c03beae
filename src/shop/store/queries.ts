// All SQL of the shop's own row.

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

/** The shop's row, if the database has one yet. */
export async function findStoreRow(db: Reader): Promise<StoreRow | undefined> {
  return (await onlyStore(db, {}))[0];
}

/** The shop's row, which nobody else changes until the transaction ends; others go on reading it. */
export async function lockStoreRow(tx: Tx): Promise<StoreRow | undefined> {
  return (await storeToLock(tx, {}))[0];
}

export const insertStore: (tx: Tx, row: StoreRow) => Promise<void> = preparedInsert(store);

/** Writes the row as its next version; false where it is no longer the version before. */
export const replaceStore: (tx: Tx, row: StoreRow) => Promise<boolean> = preparedReplace(store);
