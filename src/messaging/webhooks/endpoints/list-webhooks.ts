// Lookup: pages of endpoints, each with how it stands with it.

import { mapPage, type Page, type PageRequest, toPage } from "#kernel/page.ts";
import { listReplays } from "#messaging/webhooks/deliveries/replay-queries.ts";
import type { Reader } from "#platform/database/store.ts";

import type { WholeWebhook } from "./find-webhook.ts";
import { type EndpointFilters, findAllHealth, listEndpointRows } from "./queries.ts";
import { healthy } from "./webhook.ts";

/** Endpoints, newest first. */
export async function listWebhooks(
  db: Reader,
  filters: EndpointFilters,
  { limit, after }: PageRequest,
): Promise<Page<WholeWebhook>> {
  const found = await listEndpointRows(db, filters, { rows: limit + 1, after });
  const health = await findAllHealth(db);
  const replays = new Map((await listReplays(db)).map((one) => [one.endpointId, one]));
  return mapPage(toPage(found, limit), (endpoint) => ({
    endpoint,
    health: health.get(endpoint.id) ?? healthy,
    replay: replays.get(endpoint.id) ?? null,
  }));
}
