// Story: create the shop's row in a new database.

import type { Id } from "#kernel/id.ts";
import { nextNumber } from "#platform/database/counters.ts";
import type { Tx } from "#platform/database/database.ts";

import { findStore, storeRows } from "./queries.ts";
import { newStoreSettings } from "./store.ts";

/** Inserts the shop under this id unless the database already has one. Returns the shop's id. */
export async function openStore(tx: Tx, id: Id<"store">): Promise<Id<"store">> {
  const known = await findStore(tx);
  if (known !== undefined) return known.id;
  // The counter's row lock admits one program at a time; later ones find the row that the first wrote.
  await nextNumber(tx, "store_openings", 1);
  const created = await findStore(tx);
  if (created !== undefined) return created.id;
  await storeRows.insert(tx, {
    id,
    ...newStoreSettings,
    version: 1,
    createdAt: tx.now,
    updatedAt: tx.now,
  });
  return id;
}
