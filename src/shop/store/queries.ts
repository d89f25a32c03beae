// SQL of the shop's settings beside the statements of every record: the row is found without its id.

import { asc, eq, sql } from "drizzle-orm";

import type { Reader, Tx } from "#platform/database/database.ts";
import { prepared, preparedLock, preparedWrite } from "#platform/database/prepared.ts";
import { rememberedOne } from "#platform/database/remembered.ts";
import { versionedStatements } from "#platform/database/statements.ts";

import { type Store, storeNotFound } from "./store.ts";
import { receivingAccounts, type ReceivingRow, store, type StoreRow } from "./tables.ts";

export const storeRows = versionedStatements(store, storeNotFound);

const onlyStore = prepared<Record<string, never>>()((db) => db.select().from(store));
const activeAccounts = prepared<{ active: boolean }>()((db, at) =>
  db
    .select()
    .from(receivingAccounts)
    .where(eq(receivingAccounts.active, at.active))
    .orderBy(asc(receivingAccounts.position), asc(receivingAccounts.id)),
);
const accountToLock = preparedLock<{ id: string }>()((db, at) =>
  db.select().from(receivingAccounts).where(eq(receivingAccounts.id, at.id)),
);
const storeToLock = preparedLock<Record<string, never>>()((db) => db.select().from(store));

/** The id alone, which the table has in every version. */
export const onlyId = prepared()((db) => db.select({ id: store.id }).from(store));

/** Returns the shop's row, or undefined in a database that has no shop yet. */
export const findStore = rememberedOne<Store>([store, receivingAccounts], async (db) => {
  const [row] = await onlyStore(db, {});
  return row === undefined ? undefined : withAccounts(db, row);
});

/** The settings with the accounts that customers are told. */
export async function withAccounts(db: Reader, row: StoreRow): Promise<Store> {
  return { ...row, receivingAccounts: await activeAccounts(db, { active: true }) };
}

/** The receiving account with this id, locked until the transaction ends; undefined if there is none. */
export async function findAccountToLock(tx: Tx, id: string): Promise<ReceivingRow | undefined> {
  return (await accountToLock(tx, { id }))[0];
}

/** Locks the shop's row until the transaction ends. Refuses with `store_not_found`. */
export async function lockStore(tx: Tx): Promise<StoreRow> {
  const [row] = await storeToLock(tx, {});
  if (row === undefined) throw storeNotFound();
  return row;
}

/** Writes the version of the price terms; the row keeps its own, since no setting changed. */
export const savePriceTermsVersion = preparedWrite<{ priceTermsVersion: string }>()((tx, at) =>
  tx.update(store).set({ hasPriceTerms: true, priceTermsVersion: sql`${at.priceTermsVersion}` }),
);

export const connectionsVersion = prepared()((db) =>
  db.select({ version: store.connectionsVersion }).from(store),
);

export const raiseConnectionsVersion = preparedWrite<Record<string, never>>()((tx) =>
  tx.update(store).set({ connectionsVersion: sql`connections_version + 1` }),
);

/** Notes that nothing decides on prices any more. */
export const dropPriceTermsVersion = preparedWrite<Record<string, never>>()((tx) =>
  tx.update(store).set({ hasPriceTerms: false, priceTermsVersion: null }),
);
