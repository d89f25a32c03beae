// Workflow: announces an event of things that do not exist, so that a receiver can be tried out. The
// shop's own stories run and are undone; what they announced is the sample. Invariant: nothing in the
// shop changes, and `triggered` marks the event for every reader of the log.

import { nearestName } from "#kernel/nearest-name.ts";
import { Faults, toPointerStep } from "#kernel/refusal.ts";
import type { EventName } from "#messaging/events/event.ts";
import { type Announcement, run, type Tx } from "#platform/database/database.ts";
import type { Shop } from "#platform/database/shop.ts";
import { eventsAfter, type LoggedEvent } from "#platform/event-log/event-log.ts";

import { rehearseShop } from "./rehearse-shop.ts";

/** What is said in place of the sample's own members. */
export type SampleChange = Readonly<Record<string, unknown>>;

/**
 * Afterwards an event of this name is in the log, as the shop's own stories announce it and in the
 * shop's currency. Refuses with `validation_failed` members that the event does not have.
 */
export async function triggerEvent(
  { database }: Shop,
  name: EventName,
  change: SampleChange,
): Promise<LoggedEvent> {
  const subject = await database.write(
    async (tx): Promise<string> => {
      await rehearseShop(untilAnnounced(tx, name));
      throw new Error(`No story of the rehearsal announces ${name}.`);
    },
    {
      otherwise: (tx, error) => {
        if (!(error instanceof Sample)) throw error;
        return announce(tx, error.announcement, change);
      },
    },
  );
  // Its place in the log is known when it is committed, and nothing else is about its subject.
  const [event] = await eventsAfter(database.read, { after: 0, limit: 1, name: [name], subject });
  if (event === undefined) throw new Error("What was announced is not in the log.");
  return event;
}

/** What the rehearsal was for. It is thrown, so that the transaction undoes what led to it. */
class Sample extends Error {
  readonly announcement: Announcement;

  constructor(announcement: Announcement) {
    super(`A sample of ${announcement.name} was announced.`);
    this.name = "Sample";
    this.announcement = announcement;
  }
}

/** The same handle, on which the first announcement of this name ends the story and no other is logged. */
function untilAnnounced(tx: Tx, name: EventName): Tx {
  return {
    now: tx.now,
    actor: tx.actor,
    vault: tx.vault,
    [run]: (statement, values) => tx[run](statement, values),
    wake: () => tx.wake(),
    emit: async (announcement) => {
      if (announcement.name === name) throw new Sample(announcement);
    },
  };
}

/** Answers what the event is about. */
async function announce(tx: Tx, sample: Announcement, change: SampleChange): Promise<string> {
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
    faults.add(
      `/data/${toPointerStep(name)}`,
      "unknown_field",
      `The event has no such member${hint}`,
    );
  }
  faults.refuseIfAny();
}
