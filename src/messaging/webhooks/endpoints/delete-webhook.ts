// Story: delete an endpoint.

import { type ExpectedVersion, requireVersion } from "#kernel/change.ts";
import type { Id } from "#kernel/id.ts";
import { deleteReplay } from "#messaging/webhooks/deliveries/replay-queries.ts";
import { type Tx, WriteConflict } from "#platform/database/database.ts";

import { deleteEndpointRow, deleteHealth, endpointRows } from "./queries.ts";

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
