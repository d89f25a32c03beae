// Workflow: delete deliveries that finished long ago, and those of deleted endpoints. Small batches
// keep each write short, so requests do not wait.

import { firstIdAt, type Id } from "#kernel/id.ts";
import { nextTurn } from "#kernel/time.ts";
import { endpointRows } from "#messaging/webhooks/endpoints/queries.ts";
import type { Reader } from "#platform/database/database.ts";
import type { Shop } from "#platform/database/shop.ts";
import { eventsNaming, lastSequence } from "#platform/event-log/event-log.ts";
import { clearTimer } from "#platform/scheduler/timers.ts";

import { deleteDeliveries, emptyExcerpts, findOldDeliveries } from "./attempt-queries.ts";
import { FORGET_TIMER, KEPT_MS } from "./delivery.ts";
import { findEndpointIdAfter, listDeliveryRows } from "./queries.ts";

const BATCH_SIZE = 200;

/** Deletes finished deliveries older than `KEPT_MS`, and all deliveries of deleted endpoints. */
export async function pruneDeliveries(shop: Shop): Promise<void> {
  const { database, clock } = shop;
  const before = firstIdAt("delivery", clock.now() - KEPT_MS);
  await inBatches(shop, async () => {
    const old = await findOldDeliveries(database.read, before, BATCH_SIZE);
    return old.map(({ id }) => id);
  });
  let endpointId = "";
  for (;;) {
    await nextTurn();
    const next = await findEndpointIdAfter(database.read, endpointId);
    if (next === null) return;
    endpointId = next;
    if ((await endpointRows.find(database.read, next)) !== undefined) continue;
    await inBatches(shop, async () => {
      const page = { rows: BATCH_SIZE, after: null };
      const left = await listDeliveryRows(database.read, { endpointId: next }, page);
      return left.map(({ id }) => id);
    });
  }
}

async function inBatches(
  { database, closing }: Shop,
  find: () => Promise<Parameters<typeof deleteDeliveries>[1]>,
): Promise<void> {
  while (!closing.aborted) {
    const ids = await find();
    if (ids.length === 0) return;
    await database.write((tx) => deleteDeliveries(tx, ids));
    await nextTurn();
  }
}

// Workflow: after a customer is erased, empty the saved responses to events about them, because a
// receiver may echo what it received. Works in small batches and starts over after a crash.

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
    await nextTurn();
    found.push(next);
    next = await findEndpointIdAfter(db, next);
  }
  return found;
}
