// Lookup: the shop's settings, such as its currency, time zone and thresholds.

import type { Reader } from "#platform/database/database.ts";

import { findStoreRow, type StoreRow } from "./queries.ts";
import { storeNotFound } from "./store.ts";

export type Store = StoreRow;

/** Returns the shop's row. Refuses with `store_not_found` in a database that has no shop yet. */
export async function getStore(db: Reader): Promise<Store> {
  const row = await findStoreRow(db);
  if (row === undefined) throw storeNotFound();
  return row;
}
