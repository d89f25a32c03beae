// Story: what is due is taken to be sent. Invariant: nothing is sent that was not claimed in a commit
// before, and the attempt counts from then on, so that no event can bring the program down for ever.

import { findEvents, type LoggedEvent } from "#platform/store/event-log.ts";
import type { Tx } from "#platform/store/store.ts";
import type { Endpoint } from "#webhooks/webhook.ts";

import { advanceDelivery } from "./advance-delivery.ts";
import type { Delivery } from "./delivery.ts";
import { findDue } from "./queries.ts";

/** How much an endpoint can take now. */
export interface Demand {
  readonly endpoint: Endpoint;
  readonly rows: number;
}

export interface ClaimedDelivery {
  readonly delivery: Delivery;
  /** Null where it is no longer in the log. */
  readonly event: LoggedEvent | null;
}

/** Afterwards what is due of what was asked for is ours to send, under this claim. */
export async function claimDue(
  tx: Tx,
  claim: string,
  demands: readonly Demand[],
): Promise<ClaimedDelivery[]> {
  const claimed: Delivery[] = [];
  for (const { endpoint, rows } of demands) {
    for (const due of await findDue(tx, endpoint.id, { now: tx.now, rows })) {
      const taken = await take(tx, due, { endpoint, claim });
      if (taken !== null) claimed.push(taken);
    }
  }
  const events = await findEvents(
    tx,
    claimed.map(({ eventId }) => eventId),
  );
  return claimed.map((delivery) => ({ delivery, event: events.get(delivery.eventId) ?? null }));
}

/** What was still waiting when the endpoint was disabled is not sent after it was enabled again. */
async function take(
  tx: Tx,
  due: Delivery,
  { endpoint, claim }: { readonly endpoint: Endpoint; readonly claim: string },
): Promise<Delivery | null> {
  const isStale = !due.isReplay && (due.sequence ?? 0) <= endpoint.startsAfter;
  if (!isStale) {
    return advanceDelivery(tx, due, { action: "claim", attempts: due.attempts + 1, claim });
  }
  await advanceDelivery(tx, due, { action: "cancel" });
  return null;
}
