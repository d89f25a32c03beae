// Story: the next piece of a replay. What is replayed waits behind what is fresh, and no more of it
// is made than an endpoint takes in a while.

import { newId } from "#kernel/id.ts";
import { type DeliveryStatus, newDelivery } from "#messaging/webhooks/deliveries/delivery.ts";
import { insertDelivery } from "#messaging/webhooks/deliveries/queries.ts";
import {
  advanceReplayRow,
  countPendingReplayed,
  deleteReplay,
  findStatusesOf,
  holdReplay,
  type Replay,
} from "#messaging/webhooks/deliveries/replay-queries.ts";
import { findEndpointRow } from "#messaging/webhooks/endpoints/queries.ts";
import { wants } from "#messaging/webhooks/endpoints/webhook.ts";
import type { Tx } from "#platform/database/store.ts";
import { eventsAfter, type LoggedEvent } from "#platform/event-log/event-log.ts";

const AT_ONCE = 100;

/**
 * Afterwards the replay has come further, or is over. Answers whether to go on at once: not while
 * what it made before still waits.
 */
export async function goOnWithReplay(tx: Tx, endpointId: Replay["endpointId"]): Promise<boolean> {
  const replay = await holdReplay(tx, endpointId);
  if (replay === null) return false;
  const { after, until } = replay;
  const endpoint = await findEndpointRow(tx, endpointId);
  if (endpoint?.status !== "enabled") {
    await deleteReplay(tx, endpointId);
    return false;
  }
  if ((await countPendingReplayed(tx, endpointId, AT_ONCE)) === AT_ONCE) return false;
  const found = await eventsAfter(tx, { after, until, limit: AT_ONCE });
  const wanted = found.filter(({ name }) => wants(replay.names ?? endpoint.events, name));
  for (const event of replay.failedOnly ? await failed(tx, endpointId, wanted) : wanted) {
    const id = newId("delivery", tx.now);
    await insertDelivery(tx, newDelivery(id, { event, endpointId, now: tx.now, isReplay: true }));
  }
  const last = found.at(-1);
  if (last !== undefined && found.length === AT_ONCE) {
    await advanceReplayRow(tx, replay, last.sequence);
    return true;
  }
  await deleteReplay(tx, endpointId);
  return false;
}

/** Those that were given up or cancelled, and neither arrived nor are on their way. */
async function failed(
  tx: Tx,
  endpointId: Replay["endpointId"],
  events: readonly LoggedEvent[],
): Promise<LoggedEvent[]> {
  const ids = events.map(({ id }) => id);
  const statuses = await findStatusesOf(tx, endpointId, ids);
  const given = new Set(statuses.filter(isLost).map(({ eventId }) => eventId));
  for (const one of statuses) if (!isLost(one)) given.delete(one.eventId);
  return events.filter(({ id }) => given.has(id));
}

function isLost({ status }: { readonly status: DeliveryStatus }): boolean {
  return status === "exhausted" || status === "cancelled";
}
