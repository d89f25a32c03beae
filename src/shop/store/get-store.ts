// Lookup: the shop's settings, for whoever needs its currency, time zone or thresholds.

import type { Reader } from "#platform/database/database.ts";

import { findStoreRow, type StoreRow } from "./queries.ts";
import { storeNotFound } from "./store.ts";

export type Store = StoreRow;

/** The shop's row. Refuses with `store_not_found` in a database that was never started. */
export async function getStore(db: Reader): Promise<Store> {
  const row = await findStoreRow(db);
  if (row === undefined) throw storeNotFound();
  return row;
}
