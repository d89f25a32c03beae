// Story: create deliveries from logged events. Invariant: the cursor moves in the same commit as the
// deliveries, so each subscribed endpoint gets exactly one delivery per event.

import { newId } from "#kernel/id.ts";
import { CONSUMER, FORGET_TIMER, newDelivery } from "#messaging/webhooks/deliveries/delivery.ts";
import { deliveryRows } from "#messaging/webhooks/deliveries/queries.ts";
import { listAllEndpoints } from "#messaging/webhooks/endpoints/queries.ts";
import { type Endpoint, wants } from "#messaging/webhooks/endpoints/webhook.ts";
import type { Tx } from "#platform/database/database.ts";
import { eventsAfter, lastSequence, type LoggedEvent } from "#platform/event-log/event-log.ts";
import { lockLogCursor, moveLogCursor } from "#platform/event-log/log-cursors.ts";
import { setTimer } from "#platform/scheduler/timers.ts";

/** Deliveries per commit: about 4 ms, the longest that a request waits behind it. */
const ROWS_PER_COMMIT = 200;
const EVENTS_PER_COMMIT = 100;

/**
 * Creates the deliveries of the next events in the log, as many as fit one commit. Returns whether
 * there may be more.
 */
export async function fanOut(tx: Tx): Promise<boolean> {
  const from = await lockLogCursor(tx, CONSUMER);
  // Read before the endpoints: no event later than a new endpoint may be passed without it.
  const until = await lastSequence(tx);
  const endpoints = await listAllEndpoints(tx);
  // Without endpoints the cursor stays: the first endpoint starts after the newest event anyway.
  if (endpoints.length === 0) return false;
  const enabled = endpoints.filter(({ status }) => status === "enabled");
  const after = Math.max(from, Math.min(...endpoints.map(({ startsAfter }) => startsAfter)));
  const limit = Math.ceil(
    Math.min(EVENTS_PER_COMMIT, ROWS_PER_COMMIT / Math.max(enabled.length, 1)),
  );
  const found = await eventsAfter(tx, { after, until, limit });
  const last = found.at(-1);
  if (last === undefined) return false;
  await moveLogCursor(tx, CONSUMER, { from, to: last.sequence });
  for (const event of found) {
    for (const endpoint of enabled) await deliver(tx, event, endpoint);
    if (event.name === "customer.deleted") await scheduleForget(tx, event);
  }
  return found.length === limit;
}

async function deliver(tx: Tx, event: LoggedEvent, endpoint: Endpoint): Promise<void> {
  if (event.sequence <= endpoint.startsAfter || !wants(endpoint.events, event.name)) return;
  const id = newId("delivery", tx.now);
  await deliveryRows.insert(tx, newDelivery(id, { event, endpointId: endpoint.id, now: tx.now }));
}

/** Saved responses may repeat the data of the deleted customer; the timer empties them. */
async function scheduleForget(tx: Tx, event: LoggedEvent): Promise<void> {
  await setTimer(tx, { name: FORGET_TIMER, subject: event.subject, dueAt: tx.now });
}
