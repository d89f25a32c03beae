// Story: update, enable or disable an endpoint.

import { type ExpectedVersion, requireVersion } from "#kernel/change.ts";
import type { Id } from "#kernel/id.ts";
import type { Tx } from "#platform/database/database.ts";

import { advanceEndpoint } from "./advance-endpoint.ts";
import { getWebhook, type WholeWebhook } from "./lookups.ts";
import { endpointRows } from "./queries.ts";
import {
  type EndpointChange,
  type EndpointFields,
  type EndpointTerms,
  validateEndpoint,
} from "./validate-endpoint.ts";
import type { EndpointStatus } from "./webhook-life.ts";
import type { Endpoint } from "./webhook.ts";

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
