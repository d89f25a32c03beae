// Stories: rotate the secret of an endpoint, delete the previous one when the overlap ends, seal all
// of them with another key, and stop using those of a foreign backup.

import { type ExpectedVersion, requireVersion } from "#kernel/change.ts";
import type { Id } from "#kernel/id.ts";
import { HOUR_MS } from "#kernel/time.ts";
import type { Tx } from "#platform/database/database.ts";
import { newSecret } from "#platform/net/signature.ts";
import { clearTimer, setTimer } from "#platform/scheduler/timers.ts";
import { Resealing } from "#platform/vault/vault.ts";

import { advanceEndpoint } from "./advance-endpoint.ts";
import { getWebhook } from "./lookups.ts";
import {
  findSealedEndpoint,
  getSealedEndpoint,
  listAllEndpoints,
  listSealedEndpoints,
  saveSeals,
  saveSecrets,
} from "./queries.ts";
import type { SecretWebhook } from "./update-webhook.ts";
import { OLD_SECRET_TIMER } from "./webhook.ts";

export interface Rotation {
  /** The previous secret keeps signing for this many hours; 0 ends it at once. */
  readonly overlapHours: number;
  readonly expected: ExpectedVersion;
}

/**
 * Afterwards the new secret signs, and the previous one as well until the overlap ends on the shop's
 * clock. Older secrets are deleted. Refuses with `webhook_not_found` and `stale_version`.
 */
export async function rotateSecret(
  tx: Tx,
  id: Id<"webhook">,
  { overlapHours, expected }: Rotation,
): Promise<SecretWebhook> {
  const endpoint = await getSealedEndpoint(tx, id);
  requireVersion(endpoint.version, expected);
  const secret = newSecret();
  const oldSecretExpiresAt = overlapHours > 0 ? tx.now + overlapHours * HOUR_MS : null;
  if (oldSecretExpiresAt === null) await clearTimer(tx, OLD_SECRET_TIMER, id);
  else await setTimer(tx, { name: OLD_SECRET_TIMER, subject: id, dueAt: oldSecretExpiresAt });
  await saveSecrets(tx, endpoint, {
    sealedSecret: tx.vault.seal(secret),
    sealedOldSecret: oldSecretExpiresAt === null ? null : endpoint.sealedSecret,
    oldSecretExpiresAt,
  });
  return { ...(await getWebhook(tx, id)), secret };
}

/** Deletes the previous secret. Does nothing if the endpoint or its previous secret is gone. */
export async function forgetOldSecret(tx: Tx, id: Id<"webhook">): Promise<void> {
  const endpoint = await findSealedEndpoint(tx, id);
  if (endpoint === undefined || endpoint.sealedOldSecret === null) return;
  await saveSecrets(tx, endpoint, { sealedOldSecret: null, oldSecretExpiresAt: null });
}

/** Seals every secret with the vault's present key. Leaves those that no key opens. */
export async function resealSecrets(tx: Tx, resealing: Resealing): Promise<void> {
  for (const { id, sealedSecret, sealedOldSecret } of await listSealedEndpoints(tx)) {
    await saveSeals(tx, id, {
      sealedSecret: resealing.reseal(sealedSecret),
      sealedOldSecret: sealedOldSecret === null ? null : resealing.reseal(sealedOldSecret),
    });
  }
}

/** Disables every enabled endpoint as `needs_new_secret`. */
export async function distrustSecrets(tx: Tx): Promise<void> {
  for (const endpoint of await listAllEndpoints(tx)) {
    await advanceEndpoint(tx, endpoint, { action: "disable", reason: "needs_new_secret" });
  }
}
