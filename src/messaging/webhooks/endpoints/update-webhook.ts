// Story: update, enable or disable an endpoint.

import { type ExpectedVersion, requireVersion } from "#kernel/change.ts";
import { type Id, newId } from "#kernel/id.ts";
import { deleteReplay } from "#messaging/webhooks/deliveries/replay-queries.ts";
import { type Tx, WriteConflict } from "#platform/database/database.ts";
import { lastSequence } from "#platform/event-log/event-log.ts";
import { newSecret } from "#platform/net/signature.ts";

import { advanceEndpoint } from "./advance-endpoint.ts";
import { getWebhook, type WholeWebhook } from "./lookups.ts";
import { deleteEndpointRow, deleteHealth, endpointRows, lockNewEndpoints } from "./queries.ts";
import {
  type EndpointChange,
  type EndpointFields,
  type EndpointTerms,
  validateEndpoint,
} from "./validate-endpoint.ts";
import type { EndpointStatus } from "./webhook-life.ts";
import { type Endpoint, ENDPOINTS_MAX, everything, webhookLimit } from "./webhook.ts";

export interface WebhookUpdate {
  readonly change: EndpointChange & { readonly status?: EndpointStatus | undefined };
  readonly expected: ExpectedVersion;
  readonly terms: EndpointTerms;
}

/**
 * Writes the given fields; the secret stays. A request that changes nothing makes no new version.
 * Refuses with `webhook_not_found`, `stale_version`, `validation_failed`.
 */
export async function updateWebhook(
  tx: Tx,
  id: Id<"webhook">,
  { change, expected, terms }: WebhookUpdate,
): Promise<WholeWebhook> {
  const before = await endpointRows.lock(tx, id);
  requireVersion(before.version, expected);
  const fields = validateEndpoint(before, change, terms);
  const status = change.status ?? before.status;
  if (status !== before.status) {
    await (status === "disabled"
      ? advanceEndpoint(tx, before, { action: "disable", reason: "manual", change: fields })
      : advanceEndpoint(tx, before, { action: "enable", change: fields }));
  } else if (!isUnchanged(before, fields)) await endpointRows.save(tx, before, fields);
  return getWebhook(tx, id);
}

function isUnchanged(before: Endpoint, fields: EndpointFields): boolean {
  return Bun.deepEquals(before, { ...before, ...fields }, true);
}

// Story: create an endpoint. Only this result contains its secret.

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

/**
 * Deletes the endpoint, its secrets and its replay; the hourly job deletes its deliveries. Refuses
 * with `webhook_not_found` and `stale_version`.
 */
export async function deleteWebhook(
  tx: Tx,
  id: Id<"webhook">,
  expected: ExpectedVersion,
): Promise<undefined> {
  const endpoint = await endpointRows.get(tx, id);
  requireVersion(endpoint.version, expected);
  await deleteHealth(tx, id);
  if (!(await deleteEndpointRow(tx, endpoint))) throw new WriteConflict("The webhook");
  await deleteReplay(tx, id);
}
