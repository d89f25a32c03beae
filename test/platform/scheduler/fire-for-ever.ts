// A process of its own that lets timers happen until it is killed. Each story writes twice and takes
// a moment in between; a new timer is set for each that happened.

import { writeSync } from "node:fs";

import { realClock } from "#kernel/time.ts";
import type { TimerStory } from "#platform/scheduler/timer-work.ts";
import { setTimer, TimerRunner } from "#platform/scheduler/timers.ts";

import { openCrateDatabase, stillOpen } from "../../support/database.ts";

/** A subject `7.3` is crate number seven, packed for the fourth time. */
export const packing: TimerStory = {
  name: "packing",
  run: async (tx, subject) => {
    await tx.emit({ name: "packing.begun", subject, data: null });
    // The program is killed in here, between its writes.
    await Bun.sleep(1);
    const [crate, round] = subject.split(".").map(Number);
    const next = `${crate}.${(round ?? 0) + 1}`;
    await setTimer(tx, { name: packing.name, subject: next, dueAt: tx.now });
    await tx.emit({ name: "packing.ended", subject, data: null });
  },
};

if (import.meta.main) {
  const database = await openCrateDatabase(process.argv[2] ?? "", realClock);
  const onFault = (_: string, error: unknown) => {
    throw error;
  };
  const shop = { mode: "test", database, clock: realClock, closing: stillOpen } as const;
  /** Tells that a crate is packed once more, so that its story before is committed. */
  const packingAloud: TimerStory = {
    ...packing,
    run: async (tx, subject) => {
      if (!subject.endsWith(".0")) writeSync(1, "again\n");
      await packing.run(tx, subject);
    },
  };
  const runner = new TimerRunner({ shop, timers: [packingAloud], onFault });
  await runner.fireDue();
}
