// The key pair by which push services know the shop, which is the connection `push`. It is made before the first browser
// subscribes, because browsers subscribe with its public key. The private key is sealed.

import { type Reader, type Tx, WriteConflict } from "#platform/database/database.ts";
import { newPushKeys, type PushKeys, pushKeysOf } from "#platform/push/vapid.ts";
import { type Resealing, SealBroken, type Vault } from "#platform/vault/vault.ts";

import {
  deleteConnections,
  findConnection,
  insertConnectionIfFree,
  lockConnections,
  setSeal,
} from "./queries.ts";

/** The place for which the secret of a connection is sealed. */
const placeOf = (name: string) => `connection ${name}`;

/** The pair of the shop; a new one if it has none. */
export async function makePushKeys(tx: Tx): Promise<PushKeys> {
  const known = await findPushKeys(tx, tx.vault);
  if (known !== null) return known;
  const keys = newPushKeys();
  const isNew = await insertConnectionIfFree(tx, {
    name: "push",
    sealedValue: tx.vault.seal(keys.privateKey, placeOf("push")),
    display: keys.publicKey,
    setAt: tx.now,
    setBy: tx.actor.id,
    version: 1,
  });
  if (!isNew) throw new WriteConflict("The keys of push messages");
  return keys;
}

/** Null if the shop has none, and if it was sealed with the key of another data directory. */
export async function findPushKeys(db: Reader, vault: Vault): Promise<PushKeys | null> {
  const row = await findConnection(db, "push");
  if (row === undefined) return null;
  try {
    return pushKeysOf(vault.unseal(row.sealedValue, placeOf("push")));
  } catch (error) {
    if (error instanceof SealBroken) return null;
    throw error;
  }
}

/** Seals the secrets of all connections with the vault's present key. Leaves those that no key opens. */
export async function resealConnections(tx: Tx, resealing: Resealing): Promise<void> {
  for (const { name, sealedValue } of await lockConnections(tx)) {
    await setSeal(tx, { name, sealedValue: resealing.reseal(sealedValue, placeOf(name)) });
  }
}

/** Removes all connections: their secrets cannot be read, or may be known to another shop. */
export async function distrustConnections(tx: Tx): Promise<void> {
  await deleteConnections(tx, {});
}
