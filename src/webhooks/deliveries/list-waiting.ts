// Lookup: to whom something is to be sent.

import type { Reader } from "#platform/store/store.ts";
import type { Endpoint } from "#webhooks/webhook.ts";

import { findNextDue, type NextDue } from "./queries.ts";

/** An endpoint to which something is to be sent, and when the first of it is due. */
export interface Waiting extends NextDue {
  readonly endpoint: Endpoint;
}

/** Those of the endpoints to which anything is to be sent, in their order. */
export async function listWaiting(
  db: Reader,
  endpoints: readonly Endpoint[],
): Promise<readonly Waiting[]> {
  const waiting: Waiting[] = [];
  for (const endpoint of endpoints) {
    const next = await findNextDue(db, endpoint.id);
    if (Math.min(next.freshAt, next.replayedAt) < Infinity) waiting.push({ endpoint, ...next });
  }
  return waiting;
}
