// The secrets that an endpoint's messages are signed with: rotated, and forgotten when the overlap is over.

import type { Id } from "#kernel/id.ts";
import { type ExpectedVersion, requireVersion } from "#kernel/version.ts";
import type { Tx } from "#platform/database/database.ts";
import { clearTimer, setTimer } from "#platform/scheduler/timers.ts";

import type { SecretWebhook } from "./create-webhook.ts";
import { getWebhook } from "./lookups.ts";
import { findEndpointRow } from "./queries.ts";
import { saveEndpoint } from "./save-endpoint.ts";
import { newSecret } from "./signature.ts";
import { OLD_SECRET_TIMER } from "./webhook.ts";

const HOUR_MS = 3_600_000;

export interface Rotation {
  /** How long the secret of until now signs too; not at all where it is 0. */
  readonly overlapHours: number;
  readonly expected: ExpectedVersion;
}

/**
 * Afterwards the new secret signs, the one before it too until the overlap is over on the shop's
 * clock, and none that is older. Refuses with `webhook_not_found` and `stale_version`.
 */
export async function rotateSecret(
  tx: Tx,
  id: Id<"webhook">,
  { overlapHours, expected }: Rotation,
): Promise<SecretWebhook> {
  const { endpoint } = await getWebhook(tx, id);
  requireVersion(endpoint.version, expected);
  const secret = newSecret();
  const oldSecretExpiresAt = overlapHours > 0 ? tx.now + overlapHours * HOUR_MS : null;
  if (oldSecretExpiresAt === null) await clearTimer(tx, OLD_SECRET_TIMER, id);
  else await setTimer(tx, { name: OLD_SECRET_TIMER, subject: id, dueAt: oldSecretExpiresAt });
  await saveEndpoint(tx, endpoint, {
    sealedSecret: tx.vault.seal(secret),
    sealedOldSecret: oldSecretExpiresAt === null ? null : endpoint.sealedSecret,
    oldSecretExpiresAt,
  });
  return { ...(await getWebhook(tx, id)), secret };
}

/** Afterwards the endpoint has one secret. Nothing happens where it is gone, or has one already. */
export async function forgetOldSecret(tx: Tx, id: Id<"webhook">): Promise<void> {
  const endpoint = await findEndpointRow(tx, id);
  if (endpoint === undefined || endpoint.sealedOldSecret === null) return;
  await saveEndpoint(tx, endpoint, { sealedOldSecret: null, oldSecretExpiresAt: null });
}
