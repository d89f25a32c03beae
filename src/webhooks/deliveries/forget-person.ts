// Workflow: a person was erased, and receivers may have answered what they were told. Afterwards no
// answer to an event about them is kept. It goes in small pieces and begins anew after a crash.

import { clearTimer } from "#platform/scheduler/timers.ts";
import { eventsNaming, lastSequence, sequenceBefore } from "#platform/store/event-log.ts";
import type { Shop } from "#platform/store/store.ts";
import { listAllEndpoints } from "#webhooks/queries.ts";

import { emptyExcerpts } from "./attempt-queries.ts";
import { FORGET_TIMER, KEPT_MS } from "./delivery.ts";

/** Events looked through at once: about 3 ms. */
const EVENTS_AT_ONCE = 1_000;

/** Looks through what is younger than attempts are kept. */
export async function forgetPerson(shop: Shop, customerId: string): Promise<void> {
  const { store, clock } = shop;
  const last = await lastSequence(store.read);
  let after = await sequenceBefore(store.read, clock.now() - KEPT_MS);
  while (after < last && !shop.closing.aborted) {
    const until = after + EVENTS_AT_ONCE;
    const eventId = await eventsNaming(store.read, { after, until, text: customerId });
    const endpointId = (await listAllEndpoints(store.read)).map(({ id }) => id);
    if (eventId.length > 0 && endpointId.length > 0) {
      await store.write((tx) => emptyExcerpts(tx, { endpointId, eventId }));
    }
    after = until;
    await Bun.sleep(0);
  }
  if (shop.closing.aborted) return;
  await store.write((tx) => clearTimer(tx, FORGET_TIMER, customerId));
}
