// Workflow: an event is announced of things that are not there, to try out whoever listens. Invariant:
// nothing of the shop changes, and whoever gets the event can tell what it is by `triggered`.

import { newId } from "#kernel/id.ts";
import { nearestName } from "#kernel/nearest-name.ts";
import { Faults } from "#kernel/refusal.ts";
import type { EventName } from "#messaging/events/event.ts";
import type { Tx } from "#platform/database/database.ts";
import type { Shop } from "#platform/database/shop.ts";
import { eventsAfter, type LoggedEvent } from "#platform/event-log/event-log.ts";
import { issueRecoveryUrl } from "#sales/recovery/issue-recovery-url.ts";
import { getStore } from "#shop/store/get-store.ts";

import { sampleEvent } from "./sample-events.ts";

/** What is said in place of the sample's own members. */
export type SampleChange = Readonly<Record<string, unknown>>;

/**
 * Afterwards an event of this name is in the log, in the shape of the real ones and in the shop's
 * currency. Refuses with `validation_failed` members that the event does not have.
 */
export async function triggerEvent(
  { database }: Shop,
  name: EventName,
  change: SampleChange,
): Promise<LoggedEvent> {
  const subject = await database.write((tx) => announce(tx, name, change));
  // Its place in the log is known when it is committed, and nothing else is about its subject.
  const [event] = await eventsAfter(database.read, { after: 0, limit: 1, name: [name], subject });
  if (event === undefined) throw new Error("What was announced is not in the log.");
  return event;
}

/** Answers what the event is about. */
async function announce(tx: Tx, name: EventName, change: SampleChange): Promise<string> {
  const cartId = newId("cart", tx.now);
  const sample = sampleEvent(name, {
    now: tx.now,
    currency: (await getStore(tx)).currency,
    cartId,
    recoveryUrl: await issueRecoveryUrl(tx, cartId),
  });
  const members: SampleChange = { ...Object(sample.data) };
  refuseUnknownMembers(change, Object.keys(members));
  await tx.emit({ ...sample, data: { ...members, ...change, triggered: true } });
  return sample.subject;
}

function refuseUnknownMembers(change: SampleChange, known: readonly string[]): void {
  const faults = new Faults();
  for (const name of Object.keys(change)) {
    if (known.includes(name)) continue;
    const nearest = nearestName(name, known);
    const hint = nearest === null ? "." : `; is it ${nearest}?`;
    faults.add(`/data/${escaped(name)}`, "unknown_field", `The event has no such member${hint}`);
  }
  faults.refuseIfAny();
}

/** As a JSON Pointer has it (RFC 6901, section 3). */
function escaped(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}
