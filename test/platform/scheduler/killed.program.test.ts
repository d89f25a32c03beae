// Processes that are killed while timers happen: nothing happened twice, and nothing was lost.

import { expect, test } from "bun:test";
import { join } from "node:path";

import { realClock } from "#kernel/time.ts";
import type { Database } from "#platform/database/database.ts";
import { eventsAfter } from "#platform/event-log/event-log.ts";
import { findTimersAfter } from "#platform/scheduler/timer-queries.ts";
import type { TimerWorkflow } from "#platform/scheduler/timer-work.ts";
import { clearTimer, setTimer, TimerRunner } from "#platform/scheduler/timers.ts";

import { openCrateDatabase } from "../../support/database.ts";
import { databaseSettings } from "../../support/postgres-databases.ts";
import { openScratchFolder } from "../../support/scratch.ts";
import { packing } from "./fire-for-ever.ts";
import { MINUTE_MS, noting, openTimerShop } from "./timer-shop.ts";

const CRATES = 50;

/** Lets a process fire for a while after a crate was packed again, and kills it. */
async function killAfter(directory: string, milliseconds: number): Promise<void> {
  const firing = join(import.meta.dir, "fire-for-ever.ts");
  const child = Bun.spawn([process.execPath, firing, directory], {
    env: { ...process.env, ...(await databaseSettings(directory)) },
    stdout: "pipe",
    stderr: "inherit",
  });
  const output = child.stdout.getReader();
  await output.read();
  // The moment of the kill is what the tests choose.
  await Bun.sleep(milliseconds);
  child.kill("SIGKILL");
  await child.exited;
}

/** What the store says happened, and what it says is still to come. */
async function accountOf(database: Database) {
  const events = await eventsAfter(database.read, { after: 0, limit: 1_000_000 });
  const subjectsOf = (name: string) =>
    events.filter((event) => event.name === name).map((event) => event.subject);
  const timers = await findTimersAfter(database.read, null, 1000);
  return {
    begun: subjectsOf("packing.begun"),
    ended: subjectsOf("packing.ended"),
    waiting: timers.map((timer) => timer.subject),
  };
}

test("a process killed ten times in the middle of a story neither lost nor repeated one", async () => {
  using folder = openScratchFolder();
  const directory = folder.path;
  const first = await openCrateDatabase(directory, realClock);
  await first.write(async (tx) => {
    for (let crate = 0; crate < CRATES; crate += 1) {
      await setTimer(tx, { name: packing.name, subject: `${crate}.0`, dueAt: tx.now });
    }
  });
  await first.close();

  for (let kill = 0; kill < 10; kill += 1) await killAfter(directory, Math.random() * 60);

  const database = await openCrateDatabase(directory, realClock);
  const { begun, ended, waiting } = await accountOf(database);
  await database.close();
  expect(ended.length).toBeGreaterThan(0);
  expect(new Set(ended).size).toBe(ended.length);
  expect(begun).toEqual(ended);
  // Every crate waits for the round after its last one, and for no other.
  const rounds = Array.from({ length: CRATES }, (_, crate) =>
    ended.filter((subject) => subject.startsWith(`${crate}.`)),
  );
  expect(waiting.toSorted()).toEqual(
    rounds.map((done, crate) => `${crate}.${done.length}`).toSorted(),
  );
}, 60_000);

test("a workflow that never came back runs again when its minute is over", async () => {
  let runs = 0;
  const begun = Promise.withResolvers<void>();
  const call: TimerWorkflow = {
    name: "call",
    runWith: async (shop, subject) => {
      runs += 1;
      begun.resolve();
      // The first time, as if the program had ended here.
      if (runs === 1) await new Promise(() => {});
      await shop.database.write(async (tx) => {
        await clearTimer(tx, "call", subject);
        await noting("call").run(tx, subject);
      });
    },
  };
  await using opened = await openTimerShop({ timers: [call] });
  await opened.set("call", "a", 0);
  const lost = new TimerRunner({ shop: opened.shop, timers: [call], onFault: () => {} });
  void lost.fireDue();
  await begun.promise;

  await opened.pass(MINUTE_MS - 1);
  const before = await opened.happened();
  await opened.pass(1);

  expect(before).toEqual([]);
  expect(await opened.happened()).toEqual(["call a +60000"]);
  expect(await opened.timers()).toEqual([]);
});
