// Reads and locks of the shop's row for other folders, beside `getStore`.

import type { Reader, Tx } from "#platform/database/database.ts";

import {
  connectionsVersion,
  findAccountToLock,
  findStore,
  lockStore,
  onlyId,
  raiseConnectionsVersion,
} from "./queries.ts";
import { type Store, storeNotFound } from "./store.ts";

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

/**
 * Locks the settings as `lockSettings` does. Every story that changes what the shop asks outside calls it first: each
 * program of the shop opens its gateways anew once that is committed.
 */
export async function lockConnections(tx: Tx): Promise<void> {
  await lockStore(tx);
  await raiseConnectionsVersion(tx, {});
}

/** The number of changes of what the shop asks outside; undefined in a database that has no shop yet. */
export async function findConnectionsVersion(db: Reader): Promise<number | undefined> {
  return (await connectionsVersion(db, {}))[0]?.version;
}

/** Returns the shop's row. Refuses with `store_not_found` in a database that has no shop yet. */
export async function getStore(db: Reader): Promise<Store> {
  const row = await findStore(db);
  if (row === undefined) throw storeNotFound();
  return row;
}

/** The receiving account with this id, which stays as it is until the transaction ends; undefined if there is none. */
export const findLockedAccount = findAccountToLock;
