// Deliveries that are taken to be sent. Invariant: nothing is sent that was not claimed in a commit before.

import type { Endpoint } from "#messaging/webhooks/endpoints/webhook.ts";
import type { Tx } from "#platform/database/database.ts";

import { advanceDelivery } from "./advance-delivery.ts";
import { type Delivery, isBehind } from "./delivery.ts";
import { findDue } from "./queries.ts";

/** How much an endpoint can take now, and how much of that may be replayed. */
export interface Demand {
  readonly endpoint: Endpoint;
  readonly rows: number;
  readonly replayedRows: number;
}

/** Afterwards what is due of what was asked for is ours to send, under this claim. */
export async function claimDue(
  tx: Tx,
  claim: string,
  demands: readonly Demand[],
): Promise<Delivery[]> {
  const claimed: Delivery[] = [];
  // In one order, whoever claims: two that wait for each other would both wait for nothing.
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

/** What was still waiting when the endpoint was disabled is not sent after it was enabled again. */
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

/** Afterwards the delivery is due again, and the attempt that did not happen does not count. */
export async function releaseClaim(tx: Tx, delivery: Delivery): Promise<void> {
  const attempts = delivery.attempts - 1;
  await advanceDelivery(tx, delivery, { action: "release", attempts, nextAt: tx.now });
}
