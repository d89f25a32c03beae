// Whatever random stories do at once, exactly the writes of those that were acknowledged are there. The
// stories of one moment commit in any order, so the log is compared with what each story left.

import { expect, test } from "bun:test";

import fc from "fast-check";

import { defineRefusal } from "#kernel/refusal.ts";
import type { Story, Tx } from "#platform/database/database.ts";
import { eventsAfter } from "#platform/event-log/event-log.ts";

import {
  codeOf,
  crate,
  crateIds,
  errorOf,
  insertCrate,
  openTestDatabase,
} from "../../support/database.ts";
import { runs } from "../../support/runs.ts";

const crateTaken = defineRefusal("crate_taken", "conflict", "The crate is taken.");

const act = fc.constantFrom(
  "write",
  "announce",
  "wait",
  "break a constraint",
  "read",
  "refuse",
  "throw",
);
type Act = typeof act extends fc.Arbitrary<infer A> ? A : never;

const plan = fc.record({
  acts: fc.array(act, { maxLength: 6 }),
  instead: fc.option(fc.array(act, { maxLength: 3 }), { nil: null }),
  pauseBefore: fc.boolean(),
});

/** What a story leaves when it is acknowledged. */
interface Traces {
  readonly name: string;
  readonly rows: string[];
  readonly events: string[];
}

const acts: Record<Act, (tx: Tx, name: string, traces: Traces) => Promise<void>> = {
  write: async (tx, name, traces) => {
    await insertCrate(tx, crate(name));
    traces.rows.push(name);
  },
  announce: async (tx, name, traces) => {
    await tx.emit({ name: "crate.packed", subject: name, data: null });
    traces.events.push(name);
  },
  wait: () => new Promise((resolve) => setImmediate(resolve)),
  // Told at once, or when the row that waited is written: then the story runs again, and is told at once.
  "break a constraint": async (tx, name) => {
    await errorOf(insertCrate(tx, crate(name, { quantity: -1 })));
  },
  read: async (tx, name) => {
    expect(await crateIds(tx)).not.toContain(name);
  },
  refuse: () => Promise.reject(crateTaken()),
  throw: () => Promise.reject(new Error("a bug")),
};

/** A story of these acts that answers what it leaves. */
function storyOf(name: string, steps: readonly Act[]): Story<Traces> {
  return async (tx) => {
    const traces: Traces = { name, rows: [], events: [] };
    for (const [index, step] of steps.entries()) {
      await acts[step](tx, `${name}.${index}`, traces);
    }
    return traces;
  };
}

/** The names of the stories that announced these events, each once, in the order of the log. */
function announcers(subjects: readonly (string | null)[]): string[] {
  const names = subjects.map((subject) => String(subject).split(".")[0] ?? "");
  return names.filter((name, index) => name !== names[index - 1]);
}

test("exactly the writes of the acknowledged stories are there, each story's in its order", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(plan, { maxLength: 40 }), async (plans) => {
      await using opened = await openTestDatabase();
      const { database } = opened;
      const left: Traces[] = [];

      await Promise.all(
        plans.map(async ({ acts: steps, instead, pauseBefore }, index) => {
          // Stories that begin in different turns of the event loop.
          if (pauseBefore) await Bun.sleep(index % 3);
          const told = database.write(
            storyOf(`story ${index}`, steps),
            instead === null ? {} : { otherwise: storyOf(`instead ${index}`, instead) },
          );
          if ((await codeOf(told)) === null) left.push(await told);
        }),
      );

      const again = await opened.reopen();
      const log = await eventsAfter(again.read, { after: 0, limit: 1000 });
      expect(await crateIds(again.read)).toEqual(left.flatMap((one) => one.rows).toSorted());
      const bySequence = announcers(log.map((event) => event.subject)).map((name) =>
        left.find((one) => one.name === name),
      );
      expect(log.map((event) => event.subject)).toEqual(
        bySequence.flatMap((one) => one?.events ?? []),
      );
      expect(log).toHaveLength(left.flatMap((one) => one.events).length);
      expect(log.map((event) => event.sequence)).toEqual(log.map((_, index) => index + 1));
    }),
    { numRuns: runs(10) },
  );
}, 30_000);
