// Background work is done by the leader; work that a request asks for is done by any program.

import { describe, expect, test } from "bun:test";

import type { Database } from "#platform/database/database.ts";
import type { Shop } from "#platform/database/shop.ts";
import { eventsAfter } from "#platform/event-log/event-log.ts";
import { pausedWhile } from "#platform/scheduler/leader-election.ts";
import { setTimer, TimerRunner } from "#platform/scheduler/timers.ts";

import { NOON, noonClock, openTestDatabase, stillOpen } from "../../support/database.ts";
import { HandLeader, leading } from "./hand-leader.ts";

/** A shop whose only timer notes that it happened; it says when. */
function openProgram(database: Database, leader: HandLeader) {
  const happened = Promise.withResolvers<string>();
  const shop: Shop = { mode: "test", database, clock: noonClock, closing: stillOpen };
  const ring = {
    name: "ring",
    run: async (tx: Parameters<typeof setTimer>[0], subject: string) => {
      await tx.emit({ name: "ring", subject, data: {} });
      happened.resolve(subject);
    },
  };
  const onFault = (_: string, error: unknown) => happened.reject(error);
  const runner = new TimerRunner({ shop, timers: [ring], onFault, leader });
  return { runner, leader, happened: happened.promise };
}

/** A timer that is due. */
function setDue(database: Database, subject: string): Promise<void> {
  return database.write((tx) => setTimer(tx, { name: "ring", subject, dueAt: NOON }));
}

async function rung({ database }: { readonly database: Database }): Promise<string[]> {
  const events = await eventsAfter(database.read, { after: 0, limit: 100 });
  return events.map(({ subject }) => subject);
}

describe("timers", () => {
  test("happen at the program that has the lead", async () => {
    await using opened = await openTestDatabase();
    const idle = openProgram(opened.database, new HandLeader());
    const busy = openProgram(opened.database, leading());
    idle.runner.start();
    busy.runner.start();
    await setDue(opened.database, "a");

    const subject = await busy.happened;
    await Promise.all([idle.runner.stop(), busy.runner.stop()]);

    expect(subject).toBe("a");
    expect(await rung(opened)).toEqual(["a"]);
    expect((await idle.runner.status())[0]?.lastRunAt).toBeNull();
  });

  test("wait until a program is the leader, and happen then", async () => {
    await using opened = await openTestDatabase();
    const one = openProgram(opened.database, new HandLeader());
    one.runner.start();
    await setDue(opened.database, "a");
    const before = await rung(opened);
    one.leader.give();

    await one.happened;
    await one.runner.stop();

    expect(before).toEqual([]);
    expect(await rung(opened)).toEqual(["a"]);
  });

  test("happen without the lead where a request asks for it", async () => {
    await using opened = await openTestDatabase();
    const one = openProgram(opened.database, new HandLeader());
    await setDue(opened.database, "a");

    const fired = await one.runner.fireDue();

    expect(fired).toEqual([{ at: NOON, name: "ring", subject: "a" }]);
  });
});

test("a paused leader does not lead until the pause is over", () => {
  let isPaused = true;
  const leader = pausedWhile(leading(), () => isPaused);
  const before = leader.isLeader();
  isPaused = false;

  expect([before, leader.isLeader()]).toEqual([false, true]);
});
