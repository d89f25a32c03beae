// Story: a merchant changes where, what or whether to hear.

import type { Id } from "#kernel/id.ts";
import { type ExpectedVersion, requireVersion } from "#kernel/version.ts";
import type { Tx } from "#platform/database/store.ts";

import { advanceEndpoint } from "./advance-endpoint.ts";
import {
  type EndpointChange,
  type EndpointFields,
  type EndpointTerms,
  judgeEndpoint,
} from "./judge-endpoint.ts";
import { keepEndpoint } from "./keep-endpoint.ts";
import { findWebhook, holdWebhook, type WholeWebhook } from "./lookups.ts";
import type { Endpoint, EndpointStatus } from "./webhook.ts";

export interface WebhookUpdate {
  readonly change: EndpointChange & { readonly status?: EndpointStatus | undefined };
  readonly expected: ExpectedVersion;
  readonly terms: EndpointTerms;
}

/**
 * Afterwards what was given holds, the secret as before; where nothing differs, nothing happened.
 * Refuses with `webhook_not_found`, `stale_version`, `validation_failed`.
 */
export async function updateWebhook(
  tx: Tx,
  id: Id<"webhook">,
  { change, expected, terms }: WebhookUpdate,
): Promise<WholeWebhook> {
  const before = await holdWebhook(tx, id);
  requireVersion(before.version, expected);
  const fields = judgeEndpoint(before, change, terms);
  const status = change.status ?? before.status;
  if (status !== before.status) {
    await (status === "disabled"
      ? advanceEndpoint(tx, before, { action: "disable", reason: "manual", change: fields })
      : advanceEndpoint(tx, before, { action: "enable", change: fields }));
  } else if (!isAsBefore(before, fields)) await keepEndpoint(tx, before, fields);
  return findWebhook(tx, id);
}

function isAsBefore(before: Endpoint, fields: EndpointFields): boolean {
  return Bun.deepEquals(before, { ...before, ...fields }, true);
}
