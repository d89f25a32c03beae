// Story: the hook is given another secret.

import { newSecret } from "#messaging/webhooks/endpoints/signature.ts";
import type { Tx } from "#platform/database/database.ts";

import { hookNotFound, type HookWithSecret, OVERLAP_MS, SEAL_PLACE } from "./hook.ts";
import { lockHook, saveNextHook } from "./queries.ts";

/** Afterwards the new secret signs, and the previous one for a day. Refuses with `message_hook_not_found`. */
export async function rotateHookSecret(tx: Tx): Promise<HookWithSecret> {
  const before = await lockHook(tx);
  if (before === undefined) throw hookNotFound();
  const secret = newSecret();
  const after = await saveNextHook(tx, before, {
    sealedSecret: tx.vault.seal(secret, SEAL_PLACE),
    sealedOldSecret: before.sealedSecret,
    oldSecretExpiresAt: tx.now + OVERLAP_MS,
  });
  return { ...after, secret };
}
