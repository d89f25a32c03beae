// Stories: the secrets of the hook are sealed with another key, or are those of a foreign backup.

import type { Tx } from "#platform/database/database.ts";
import type { Resealing } from "#platform/vault/resealing.ts";

import { SEAL_PLACE } from "./hook.ts";
import { dropHook, lockHook, saveHook } from "./queries.ts";

/** Seals both secrets with the vault's present key. Leaves those that no key opens. */
export async function resealHook(tx: Tx, resealing: Resealing): Promise<void> {
  const hook = await lockHook(tx);
  if (hook === undefined) return;
  const { sealedSecret, sealedOldSecret: old } = hook;
  await saveHook(tx, {
    ...hook,
    sealedSecret: resealing.reseal(sealedSecret, SEAL_PLACE),
    sealedOldSecret: old === null ? null : resealing.reseal(old, SEAL_PLACE),
  });
}

/** Removes the hook: its secret may be known to another shop. */
export async function distrustHook(tx: Tx): Promise<void> {
  await dropHook(tx, {});
}
