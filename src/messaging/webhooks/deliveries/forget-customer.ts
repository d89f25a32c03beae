// Workflow: after a customer is erased, empty the saved responses to events about them, because a
// receiver may echo what it received. Works in small batches and starts over after a crash.

import type { Id } from "#kernel/id.ts";
import { nextTurn } from "#kernel/time.ts";
import type { Reader } from "#platform/database/database.ts";
import type { Shop } from "#platform/database/shop.ts";
import { eventsNaming, lastSequence } from "#platform/event-log/event-log.ts";
import { clearTimer } from "#platform/scheduler/timers.ts";

import { emptyExcerpts } from "./attempt-queries.ts";
import { FORGET_TIMER } from "./delivery.ts";
import { findEndpointIdAfter } from "./queries.ts";

/** Events scanned per batch: about 3 ms. */
const EVENTS_PER_BATCH = 1_000;

/** Scans the whole log, because a replay may deliver events of any age. */
export async function forgetCustomer(shop: Shop, customerId: string): Promise<void> {
  const { database } = shop;
  const last = await lastSequence(database.read);
  const endpointId = await findEndpointIds(database.read);
  let after = 0;
  while (after < last && !shop.closing.aborted) {
    const until = after + EVENTS_PER_BATCH;
    const eventId = await eventsNaming(database.read, { after, until, text: customerId });
    if (eventId.length > 0 && endpointId.length > 0) {
      await database.write((tx) => emptyExcerpts(tx, { endpointId, eventId }));
    }
    after = until;
    await nextTurn();
  }
  if (shop.closing.aborted) return;
  await database.write(async (tx) => {
    await clearTimer(tx, FORGET_TIMER, customerId);
    tx.scrub();
  });
}

/** Endpoints with saved deliveries, including deleted endpoints. */
async function findEndpointIds(db: Reader): Promise<Id<"webhook">[]> {
  const found: Id<"webhook">[] = [];
  let next = await findEndpointIdAfter(db, "");
  while (next !== null) {
    found.push(next);
    next = await findEndpointIdAfter(db, next);
  }
  return found;
}
