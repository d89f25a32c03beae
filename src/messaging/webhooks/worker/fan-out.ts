// Story: what happened becomes deliveries. Invariant: the cursor moves in the same commit as the
// deliveries it passed, so an event reaches each endpoint that wants it, and is due there once.

import { newId } from "#kernel/id.ts";
import { CONSUMER, FORGET_TIMER, newDelivery } from "#messaging/webhooks/deliveries/delivery.ts";
import { insertDelivery } from "#messaging/webhooks/deliveries/queries.ts";
import { listAllEndpoints } from "#messaging/webhooks/endpoints/queries.ts";
import { type Endpoint, wants } from "#messaging/webhooks/endpoints/webhook.ts";
import type { Tx } from "#platform/database/database.ts";
import { eventsAfter, lastSequence, type LoggedEvent } from "#platform/event-log/event-log.ts";
import { lockLogCursor, moveLogCursor } from "#platform/event-log/log-cursors.ts";
import { setTimer } from "#platform/scheduler/timers.ts";

/** Deliveries of one commit: about 4 ms, so that no order waits longer behind it. */
const ROWS_AT_ONCE = 200;
const EVENTS_AT_ONCE = 100;

/**
 * Afterwards the next events of the log, at most as many as one commit should take, are on their
 * way to every endpoint that wants them. Answers whether there may be more.
 */
export async function fanOut(tx: Tx): Promise<boolean> {
  const from = await lockLogCursor(tx, CONSUMER);
  // Asked before the endpoints: what happens after one of them was made is not passed over without it.
  const until = await lastSequence(tx);
  const endpoints = await listAllEndpoints(tx);
  // A shop without any begins where its first one does: what was before concerns nobody.
  if (endpoints.length === 0) return false;
  const listening = endpoints.filter(({ status }) => status === "enabled");
  const after = Math.max(from, Math.min(...endpoints.map(({ startsAfter }) => startsAfter)));
  const limit = Math.ceil(Math.min(EVENTS_AT_ONCE, ROWS_AT_ONCE / Math.max(listening.length, 1)));
  const found = await eventsAfter(tx, { after, until, limit });
  const last = found.at(-1);
  if (last === undefined) return false;
  await moveLogCursor(tx, CONSUMER, { from, to: last.sequence });
  for (const event of found) {
    for (const endpoint of listening) await deliver(tx, event, endpoint);
    if (event.name === "customer.deleted") await forgetSoon(tx, event);
  }
  return found.length === limit;
}

async function deliver(tx: Tx, event: LoggedEvent, endpoint: Endpoint): Promise<void> {
  if (event.sequence <= endpoint.startsAfter || !wants(endpoint.events, event.name)) return;
  const id = newId("delivery", tx.now);
  await insertDelivery(tx, newDelivery(id, { event, endpointId: endpoint.id, now: tx.now }));
}

/** Receivers may have answered what they were told of a person who is gone now. */
async function forgetSoon(tx: Tx, event: LoggedEvent): Promise<void> {
  await setTimer(tx, { name: FORGET_TIMER, subject: event.subject, dueAt: tx.now });
}
