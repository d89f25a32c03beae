// Lookup: to whom something is to be sent.

import { findAllNextDue, type NextDue } from "#messaging/webhooks/deliveries/queries.ts";
import type { Endpoint, EndpointStatus } from "#messaging/webhooks/endpoints/webhook.ts";
import type { Reader } from "#platform/database/store.ts";

/** An endpoint to which something is to be sent, and when the first of it is due. */
export interface Waiting extends NextDue {
  readonly endpoint: Endpoint;
}

/** Those of the endpoints to which anything is to be sent, in their order. */
export async function listWaiting(
  db: Reader,
  endpoints: readonly Endpoint[],
): Promise<Readonly<Record<EndpointStatus, readonly Waiting[]>>> {
  const due = await findAllNextDue(db);
  const waiting = endpoints.flatMap((endpoint) => {
    const next = due.get(endpoint.id);
    return next === undefined ? [] : [{ endpoint, ...next }];
  });
  const { enabled = [], disabled = [] } = Object.groupBy(waiting, (one) => one.endpoint.status);
  return { enabled, disabled };
}
