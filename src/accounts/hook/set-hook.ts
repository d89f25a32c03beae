// Story: the merchant says where messages go.

import { type ExpectedVersion, requireVersion } from "#kernel/change.ts";
import { newSecret } from "#messaging/webhooks/endpoints/signature.ts";
import {
  type EndpointTerms,
  validateEndpoint,
} from "#messaging/webhooks/endpoints/validate-endpoint.ts";
import { type Tx, WriteConflict } from "#platform/database/database.ts";

import { type HookWithSecret, SEAL_PLACE, type SealedHook } from "./hook.ts";
import { HOOK_ID, insertHookIfFree, lockHook, saveNextHook } from "./queries.ts";

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
