// Story: nothing is sent to an endpoint any more, by hand or because it does not answer.

import type { Id } from "#kernel/id.ts";
import type { Tx } from "#platform/database/database.ts";

import { advanceEndpoint } from "./advance-endpoint.ts";
import { findEndpointRow } from "./queries.ts";
import { type DisabledReason, type Endpoint, webhookNotFound } from "./webhook.ts";

/**
 * Afterwards the endpoint is disabled, and the world heard so once. One that is disabled already is
 * answered as it is, with its first reason. Refuses with `webhook_not_found`.
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
