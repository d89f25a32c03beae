// Story: create an endpoint. Only this result contains its secret.

import { newId } from "#kernel/id.ts";
import type { Tx } from "#platform/database/database.ts";
import { lastSequence } from "#platform/event-log/event-log.ts";

import { getWebhook, type WholeWebhook } from "./lookups.ts";
import { endpointRows, lockNewEndpoints } from "./queries.ts";
import { newSecret } from "./signature.ts";
import { type EndpointChange, type EndpointTerms, validateEndpoint } from "./validate-endpoint.ts";
import { ENDPOINTS_MAX, everything, webhookLimit } from "./webhook.ts";

export interface NewWebhook extends EndpointChange {
  readonly url: string;
}

/** An endpoint with its new secret. No later read returns the secret. */
export interface SecretWebhook extends WholeWebhook {
  readonly secret: string;
}

/**
 * Afterwards the endpoint receives later events: all of them unless the request names some. Refuses
 * with `validation_failed` and `webhook_limit`.
 */
export async function createWebhook(
  tx: Tx,
  request: NewWebhook,
  terms: EndpointTerms,
): Promise<SecretWebhook> {
  const defaults = { url: request.url, events: everything, description: null };
  const fields = validateEndpoint(defaults, request, terms);
  await lockNewEndpoints(tx);
  if ((await endpointRows.count(tx)) >= ENDPOINTS_MAX) throw webhookLimit();
  const id = newId("webhook", tx.now);
  const secret = newSecret();
  await endpointRows.insert(tx, {
    ...fields,
    id,
    status: "enabled",
    disabledReason: null,
    disabledAt: null,
    startsAfter: await lastSequence(tx),
    sealedSecret: tx.vault.seal(secret),
    sealedOldSecret: null,
    oldSecretExpiresAt: null,
    version: 1,
    createdAt: tx.now,
    updatedAt: tx.now,
  });
  return { ...(await getWebhook(tx, id)), secret };
}
