// Story: write the next version of an endpoint without changing its status.

import { type Tx, WriteConflict } from "#platform/database/database.ts";

import { replaceEndpoint } from "./queries.ts";
import type { Endpoint } from "./webhook.ts";

/** Writes the change as the next version. Throws `WriteConflict` if another version came first. */
export async function saveEndpoint(
  tx: Tx,
  before: Endpoint,
  change: Partial<Omit<Endpoint, "status">>,
): Promise<void> {
  const after = { ...before, ...change, version: before.version + 1, updatedAt: tx.now };
  if (!(await replaceEndpoint(tx, after))) throw new WriteConflict("The webhook");
}
