// Workflow: announces an event of things that do not exist, so that a receiver can be tried out. The
// shop's own stories run and are undone; what they announced is the sample. Invariant: nothing in the
// shop changes, and `triggered` marks the event for every reader of the log.

import { Faults } from "#kernel/refusal.ts";
import type { EventName } from "#messaging/events/event.ts";
import { type Announcement, jsonTextOf, run, type Tx } from "#platform/database/database.ts";
import type { Shop } from "#platform/database/shop.ts";
import { eventsAfter, type LoggedEvent, thaw } from "#platform/event-log/event-log.ts";
import { shapeCheck } from "#platform/http/contract/check-shape.ts";

import { eventPayloads } from "./event-payloads.ts";
import { rehearseShop } from "./rehearse-shop.ts";

/** The members in place of the sample's own. */
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
        return announce(tx, error, change);
      },
    },
  );
  // Its place in the log is known when it is committed, and nothing else is about its subject.
  const [event] = await eventsAfter(database.read, { after: 0, limit: 1, name: [name], subject });
  if (event === undefined) throw new Error("What was announced is not in the log.");
  return event;
}

/** The sample that the rehearsal was for. It is thrown, so that the transaction undoes what led to it. */
class Sample extends Error {
  readonly event: EventName;
  readonly announcement: Announcement;

  constructor(event: EventName, announcement: Announcement) {
    super(`A sample of ${event} was announced.`);
    this.name = "Sample";
    this.event = event;
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
    alone: () => tx.alone(),
    scrub: () => tx.scrub(),
    emit: async (announcement) => {
      if (announcement.name === name) throw new Sample(name, announcement);
    },
  };
}

/** Emits the changed sample and returns its subject. */
async function announce(tx: Tx, sample: Sample, change: SampleChange): Promise<string> {
  const { name, subject, data } = sample.announcement;
  const changed = { ...Object(thaw(jsonTextOf(data))), ...change };
  refuseOtherShapes(sample.event, changed);
  await tx.emit({ name, subject, data: { ...changed, triggered: true } });
  return subject;
}

/** A triggered event has the members and types that the documentation promises, so that receivers can be generated. */
function refuseOtherShapes(name: EventName, changed: SampleChange): void {
  const faults = new Faults();
  // Amounts are text until they are written: the check reads what a receiver will read.
  const read: unknown = JSON.parse(JSON.stringify(changed));
  for (const { pointer, code, detail } of shapeCheck(eventPayloads[name])(read)) {
    faults.add(`/data${pointer ?? ""}`, code, detail);
  }
  faults.refuseIfAny();
}
