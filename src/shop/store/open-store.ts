// Story: a new database becomes a shop.

import type { Id } from "#kernel/id.ts";
import { nextNumber } from "#platform/database/counters.ts";
import type { Tx } from "#platform/database/database.ts";

import { findStoreRow, insertStore } from "./queries.ts";
import { newStoreSettings } from "./store.ts";

/** Afterwards the database has its shop, under the given id where it had none; answers its id. */
export async function openStore(tx: Tx, id: Id<"store">): Promise<Id<"store">> {
  const known = await findStoreRow(tx);
  if (known !== undefined) return known.id;
  // Of programs that open one database at once a single one passes, and the others find its shop.
  await nextNumber(tx, "store_openings", 1);
  const made = await findStoreRow(tx);
  if (made !== undefined) return made.id;
  await insertStore(tx, {
    id,
    ...newStoreSettings,
    version: 1,
    createdAt: tx.now,
    updatedAt: tx.now,
  });
  return id;
}
