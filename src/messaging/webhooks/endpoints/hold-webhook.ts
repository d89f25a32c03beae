// Lookup: an endpoint that a story decides on, held until its transaction ends.

import type { Id } from "#kernel/id.ts";
import type { Tx } from "#platform/database/store.ts";

import { holdEndpointRow } from "./queries.ts";
import { type Endpoint, webhookNotFound } from "./webhook.ts";

/** The endpoint, which nobody else changes meanwhile. Refuses with `webhook_not_found`. */
export async function holdWebhook(tx: Tx, id: Id<"webhook">): Promise<Endpoint> {
  const endpoint = await holdEndpointRow(tx, id);
  if (endpoint === undefined) throw webhookNotFound();
  return endpoint;
}
