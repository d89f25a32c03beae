// Lookup: the shop's settings, such as its currency, time zone and thresholds.

import type { Reader } from "#platform/database/database.ts";

import { findStore } from "./queries.ts";
import { type Store, storeNotFound } from "./store.ts";

/** Returns the shop's row. Refuses with `store_not_found` in a database that has no shop yet. */
export async function getStore(db: Reader): Promise<Store> {
  const row = await findStore(db);
  if (row === undefined) throw storeNotFound();
  return row;
}
