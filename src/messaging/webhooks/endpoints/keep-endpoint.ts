// Story: an endpoint becomes its next version, in the state it is in.

import { Overtaken, type Tx } from "#platform/database/store.ts";

import { replaceEndpoint } from "./queries.ts";
import type { Endpoint } from "./webhook.ts";

/** Afterwards the change is the endpoint's next version. */
export async function keepEndpoint(
  tx: Tx,
  before: Endpoint,
  change: Partial<Omit<Endpoint, "status">>,
): Promise<void> {
  const after = { ...before, ...change, version: before.version + 1, updatedAt: tx.now };
  if (!(await replaceEndpoint(tx, after))) throw new Overtaken("The webhook");
}
