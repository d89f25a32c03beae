// Claims of deliveries. Invariant: the worker sends a delivery only after committing its claim.

import type { Endpoint } from "#messaging/webhooks/endpoints/webhook.ts";
import type { Tx } from "#platform/database/database.ts";

import { advanceDelivery } from "./advance-delivery.ts";
import { type Delivery, isBehind } from "./delivery.ts";
import { findDue } from "./queries.ts";

/** How many deliveries to claim for an endpoint, and how many of them may be replayed ones. */
export interface Demand {
  readonly endpoint: Endpoint;
  readonly rows: number;
  readonly replayedRows: number;
}

/** Claims due deliveries up to the demands and returns them. The caller may send them after the commit. */
export async function claimDue(
  tx: Tx,
  claim: string,
  demands: readonly Demand[],
): Promise<Delivery[]> {
  const claimed: Delivery[] = [];
  // All programs claim in the same order of endpoints, which prevents deadlocks.
  for (const demand of demands.toSorted(byEndpoint)) {
    for (const due of await findDue(tx, demand.endpoint.id, { now: tx.now, ...demand })) {
      const taken = await take(tx, due, { ...demand, claim });
      if (taken !== null) claimed.push(taken);
    }
  }
  return claimed;
}

function byEndpoint(one: Demand, other: Demand): number {
  return one.endpoint.id < other.endpoint.id ? -1 : 1;
}

/** Cancels a delivery from before the endpoint was last enabled; it must not be sent. */
async function take(
  tx: Tx,
  due: Delivery,
  { endpoint, claim }: { readonly endpoint: Endpoint; readonly claim: string },
): Promise<Delivery | null> {
  if (!isBehind(due, endpoint)) {
    return advanceDelivery(tx, due, { action: "claim", attempts: due.attempts + 1, claim });
  }
  await advanceDelivery(tx, due, { action: "cancel" });
  return null;
}

/** Makes the delivery due again. The attempt did not happen, so it does not count. */
export async function releaseClaim(tx: Tx, delivery: Delivery): Promise<void> {
  const attempts = delivery.attempts - 1;
  await advanceDelivery(tx, delivery, { action: "release", attempts, nextAt: tx.now });
}
