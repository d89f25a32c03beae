// Workflow: a customer was erased, and receivers may have answered what they were told. Afterwards no
// answer to an event about them is kept. It goes in small pieces and begins anew after a crash.

import type { Id } from "#kernel/id.ts";
import { nextTurn } from "#kernel/time.ts";
import type { Reader } from "#platform/database/database.ts";
import type { Shop } from "#platform/database/shop.ts";
import { eventsNaming, lastSequence } from "#platform/event-log/event-log.ts";
import { clearTimer } from "#platform/scheduler/timers.ts";

import { emptyExcerpts } from "./attempt-queries.ts";
import { FORGET_TIMER } from "./delivery.ts";
import { findEndpointIdAfter } from "./queries.ts";

/** Events looked through at once: about 3 ms. */
const EVENTS_AT_ONCE = 1_000;

/** Looks through the whole log: what was replayed lately may be as old as the shop. */
export async function forgetCustomer(shop: Shop, customerId: string): Promise<void> {
  const { database } = shop;
  const last = await lastSequence(database.read);
  const endpointId = await findAnswering(database.read);
  let after = 0;
  while (after < last && !shop.closing.aborted) {
    const until = after + EVENTS_AT_ONCE;
    const eventId = await eventsNaming(database.read, { after, until, text: customerId });
    if (eventId.length > 0 && endpointId.length > 0) {
      await database.write((tx) => emptyExcerpts(tx, { endpointId, eventId }));
    }
    after = until;
    await nextTurn();
  }
  if (shop.closing.aborted) return;
  await database.write((tx) => clearTimer(tx, FORGET_TIMER, customerId));
}

/** Everybody whose answers are kept, those included that were deleted since. */
async function findAnswering(db: Reader): Promise<Id<"webhook">[]> {
  const found: Id<"webhook">[] = [];
  let next = await findEndpointIdAfter(db, "");
  while (next !== null) {
    found.push(next);
    next = await findEndpointIdAfter(db, next);
  }
  return found;
}
