// Lookup: one endpoint with how it stands with it.

import type { Id } from "#kernel/id.ts";
import { findReplay, type Replay } from "#messaging/webhooks/deliveries/replay-queries.ts";
import type { Reader } from "#platform/database/store.ts";

import { findEndpointRow, findHealth } from "./queries.ts";
import { type Endpoint, type EndpointHealth, webhookNotFound } from "./webhook.ts";

export interface WholeWebhook {
  readonly endpoint: Endpoint;
  readonly health: EndpointHealth;
  /** The one that is under way. */
  readonly replay: Replay | null;
}

/** The endpoint. Refuses with `webhook_not_found`. */
export async function findWebhook(db: Reader, id: Id<"webhook">): Promise<WholeWebhook> {
  const endpoint = await findEndpointRow(db, id);
  if (endpoint === undefined) throw webhookNotFound();
  return { endpoint, health: await findHealth(db, id), replay: await findReplay(db, id) };
}
