// Stories: the merchant says where messages go, removes the hook, and gives it another secret. Its secrets are sealed.

import { type ExpectedVersion, requireVersion } from "#kernel/change.ts";
import {
  type EndpointTerms,
  validateEndpoint,
} from "#messaging/webhooks/endpoints/validate-endpoint.ts";
import { type Reader, type Tx, WriteConflict } from "#platform/database/database.ts";
import { newSecret } from "#platform/net/signature.ts";
import type { Resealing } from "#platform/vault/vault.ts";

import {
  hookNotFound,
  type HookWithSecret,
  type MessageHook,
  OVERLAP_MS,
  SEAL_PLACE,
  type SealedHook,
} from "./hook.ts";
import {
  dropHook,
  findHook,
  HOOK_ID,
  insertHookIfFree,
  lockHook,
  saveHook,
  saveNextHook,
} from "./queries.ts";

export interface HookChange {
  readonly url: string;
  /** As it was, or false, if undefined. */
  readonly takesEmails: boolean | undefined;
}

interface Terms {
  readonly expected: ExpectedVersion;
  readonly endpoint: EndpointTerms;
}

/**
 * Afterwards messages go to the URL. The answer has the secret only where there was no hook before. Refuses with
 * `validation_failed` for a URL that may not be called, and with `stale_version`.
 */
export async function setHook(
  tx: Tx,
  change: HookChange,
  { expected, endpoint }: Terms,
): Promise<HookWithSecret> {
  const fields = { url: "", events: [], description: null };
  const { url } = validateEndpoint(fields, { url: change.url }, endpoint);
  const before = await lockHook(tx);
  requireVersion(before?.version ?? 0, expected);
  if (before === undefined) return createHook(tx, url, change.takesEmails ?? false);
  const takesEmails = change.takesEmails ?? before.takesEmails;
  return { ...(await saveNextHook(tx, before, { url, takesEmails })), secret: null };
}

async function createHook(tx: Tx, url: string, takesEmails: boolean): Promise<HookWithSecret> {
  const secret = newSecret();
  const hook: SealedHook = {
    id: HOOK_ID,
    url,
    takesEmails,
    sealedSecret: tx.vault.seal(secret, SEAL_PLACE),
    sealedOldSecret: null,
    oldSecretExpiresAt: null,
    version: 1,
    createdAt: tx.now,
    updatedAt: tx.now,
  };
  if (!(await insertHookIfFree(tx, hook))) throw new WriteConflict("The message hook");
  return { ...hook, secret };
}

/** Afterwards there is no hook. Refuses with `message_hook_not_found`. */
export async function removeHook(tx: Tx): Promise<undefined> {
  if ((await lockHook(tx)) === undefined) throw hookNotFound();
  await dropHook(tx, {});
}

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

/** Returns the hook. Refuses with `message_hook_not_found`. */
export async function getHook(db: Reader): Promise<MessageHook> {
  const hook = await findHook(db);
  if (hook === undefined) throw hookNotFound();
  return hook;
}
