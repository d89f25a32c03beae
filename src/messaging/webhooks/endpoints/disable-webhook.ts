// Story: disable an endpoint, by hand or because its receiver fails.

import type { Id } from "#kernel/id.ts";
import type { Tx } from "#platform/database/database.ts";

import { advanceEndpoint } from "./advance-endpoint.ts";
import { findEndpointRow } from "./queries.ts";
import { type DisabledReason, type Endpoint, webhookNotFound } from "./webhook.ts";

/**
 * Disables the endpoint and emits `webhook.disabled`. Returns an endpoint that is already disabled
 * unchanged, with its first reason. Refuses with `webhook_not_found`.
 */
export async function disableWebhook(
  tx: Tx,
  id: Id<"webhook">,
  reason: DisabledReason,
): Promise<Endpoint> {
  const endpoint = await findEndpointRow(tx, id);
  if (endpoint === undefined) throw webhookNotFound();
  return advanceEndpoint(tx, endpoint, { action: "disable", reason });
}
