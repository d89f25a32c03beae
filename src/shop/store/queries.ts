// SQL of the shop's settings beside the statements of every record: the row is found without its id.

import { sql } from "drizzle-orm";

import type { Tx } from "#platform/database/database.ts";
import { prepared, preparedLock, preparedWrite } from "#platform/database/prepared.ts";
import { rememberedOne } from "#platform/database/remembered.ts";
import { versionedStatements } from "#platform/database/statements.ts";

import { type Store, storeNotFound } from "./store.ts";
import { store } from "./tables.ts";

export const storeRows = versionedStatements(store, storeNotFound);

const onlyStore = prepared<Record<string, never>>()((db) => db.select().from(store));
const storeToLock = preparedLock<Record<string, never>>()((db) => db.select().from(store));

/** The id alone, which the table has in every version. */
export const onlyId = prepared()((db) => db.select({ id: store.id }).from(store));

/** Returns the shop's row, or undefined in a database that has no shop yet. */
export const findStore = rememberedOne<Store>([store], async (db) => (await onlyStore(db, {}))[0]);

/** Locks the shop's row until the transaction ends. Refuses with `store_not_found`. */
export async function lockStore(tx: Tx): Promise<Store> {
  const [row] = await storeToLock(tx, {});
  if (row === undefined) throw storeNotFound();
  return row;
}

/** Writes the version of the price terms; the row keeps its own, since no setting changed. */
export const savePriceTermsVersion = preparedWrite<{ priceTermsVersion: string }>()((tx, at) =>
  tx.update(store).set({ hasPriceTerms: true, priceTermsVersion: sql`${at.priceTermsVersion}` }),
);

/** Notes that nothing decides on prices any more. */
export const dropPriceTermsVersion = preparedWrite<Record<string, never>>()((tx) =>
  tx.update(store).set({ hasPriceTerms: false, priceTermsVersion: null }),
);
