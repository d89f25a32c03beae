// Story: an endpoint becomes its next version, in the state it is in.

import { type Tx, WriteConflict } from "#platform/database/database.ts";

import { replaceEndpoint } from "./queries.ts";
import type { Endpoint } from "./webhook.ts";

/** Afterwards the change is the endpoint's next version. */
export async function saveEndpoint(
  tx: Tx,
  before: Endpoint,
  change: Partial<Omit<Endpoint, "status">>,
): Promise<void> {
  const after = { ...before, ...change, version: before.version + 1, updatedAt: tx.now };
  if (!(await replaceEndpoint(tx, after))) throw new WriteConflict("The webhook");
}
