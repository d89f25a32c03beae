// The clock of a test shop that several programs serve: a move by one program moves it for all.

import { describe, expect, test } from "bun:test";

import type { Database } from "#platform/database/database.ts";
import type { Shop } from "#platform/database/shop.ts";
import { ClockFollower, saveClockOffset, ShopClock } from "#platform/scheduler/shop-clock.ts";
import type { TimerWorkflow } from "#platform/scheduler/timer-work.ts";
import { setTimer, TimerRunner } from "#platform/scheduler/timers.ts";
import { TimeTravel } from "#sandbox/clock/time-travel.ts";

import { NOON, noonClock, openTestDatabase, stillOpen } from "../../support/database.ts";
import { HOUR_MS, noting } from "./timer-shop.ts";

/** One of several programs, which looks when it is told to. */
function openProgram(shared: Database, workflow?: TimerWorkflow) {
  const database: Database = { ...shared, isShared: true };
  const clock = new ShopClock(noonClock);
  const shop: Shop = { mode: "test", database, clock, closing: stillOpen };
  let woken = 0;
  const onFault = (_: string, error: unknown) => {
    throw error;
  };
  const timers = workflow === undefined ? [noting("ring")] : [noting("ring"), workflow];
  const runner = new TimerRunner({ shop, timers, onFault });
  return {
    clock,
    database,
    travel: new TimeTravel({ database, clock, runner, onFault }),
    follower: new ClockFollower({
      database,
      clock,
      onMoved: () => (woken += 1),
      onFault: (error) => onFault("", error),
    }),
    woken: () => woken,
  };
}

describe("a clock that one program moved", () => {
  test("is moved at another when that looks", async () => {
    await using opened = await openTestDatabase();
    const [one, other] = [openProgram(opened.database), openProgram(opened.database)];
    await one.travel.moveTo(NOON + HOUR_MS);
    const before = other.clock.now();
    await other.follower.poll();

    expect([before, other.clock.now(), other.woken()]).toEqual([NOON, NOON + HOUR_MS, 1]);
  });

  test("is moved no further than both ways together by another one", async () => {
    await using opened = await openTestDatabase();
    const [one, other] = [openProgram(opened.database), openProgram(opened.database)];
    await opened.database.write((tx) =>
      setTimer(tx, { name: "ring", subject: "a", dueAt: NOON + HOUR_MS }),
    );

    const [first, second] = await Promise.all([
      one.travel.advance(HOUR_MS),
      other.travel.advance(HOUR_MS),
    ]);
    await one.follower.poll();

    expect([first.fired.length + second.fired.length, first.settled, second.settled]).toEqual([
      1,
      true,
      true,
    ]);
    expect(one.clock.now()).toBe(Math.max(first.now, second.now));
    expect(one.clock.now()).toBe(NOON + 2 * HOUR_MS);
  });

  test("goes back only with a shop that is emptied", async () => {
    await using opened = await openTestDatabase();
    const [one, other] = [openProgram(opened.database), openProgram(opened.database)];
    await one.travel.moveTo(NOON + HOUR_MS);
    await other.follower.poll();
    await opened.database.write((tx) => saveClockOffset(tx, HOUR_MS / 2));
    await other.follower.poll();
    const kept = other.clock.now();
    await one.travel.returnToMachineTime();
    await other.follower.poll();

    expect([kept, other.clock.now()]).toEqual([NOON + HOUR_MS, NOON]);
  });
});

describe("while one program is on the way", () => {
  test("another knows it, and when it has arrived", async () => {
    await using opened = await openTestDatabase();
    const arrived = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    const slow: TimerWorkflow = {
      name: "slow",
      runWith: async () => {
        arrived.resolve();
        await released.promise;
      },
    };
    const [one, other] = [openProgram(opened.database, slow), openProgram(opened.database)];
    await opened.database.write((tx) =>
      setTimer(tx, { name: "slow", subject: "a", dueAt: NOON + HOUR_MS / 2 }),
    );
    const journey = one.travel.advance(HOUR_MS / 2);
    await arrived.promise;
    await other.follower.poll();
    const meanwhile = [other.follower.isMoving, other.clock.now(), other.woken()];
    released.resolve();
    await journey;
    await other.follower.poll();

    expect(meanwhile).toEqual([true, NOON + HOUR_MS / 2, 1]);
    expect([other.follower.isMoving, other.woken()]).toEqual([false, 2]);
  });

  test("no other program moves the clock", async () => {
    await using opened = await openTestDatabase();
    const arrived = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    const slow: TimerWorkflow = {
      name: "slow",
      runWith: async () => {
        arrived.resolve();
        await released.promise;
      },
    };
    const [one, other] = [openProgram(opened.database, slow), openProgram(opened.database)];
    await opened.database.write((tx) => setTimer(tx, { name: "slow", subject: "a", dueAt: NOON }));
    const order: string[] = [];
    const journey = one.travel.advance(1).then(() => order.push("one"));
    await arrived.promise;
    const next = other.travel.moveTo(NOON + HOUR_MS).then(() => order.push("other"));
    released.resolve();
    await Promise.all([journey, next]);

    expect(order).toEqual(["one", "other"]);
    expect(other.clock.now()).toBe(NOON + HOUR_MS);
  });
});

test("a started follower looks by itself", async () => {
  await using opened = await openTestDatabase();
  const one = openProgram(opened.database);
  const clock = new ShopClock(noonClock);
  const moved = Promise.withResolvers<void>();
  const follower = new ClockFollower({
    database: one.database,
    clock,
    onMoved: () => moved.resolve(),
    onFault: moved.reject,
  });
  follower.start();
  await one.travel.moveTo(NOON + HOUR_MS);

  await moved.promise;
  await follower.stop();

  expect(clock.now()).toBe(NOON + HOUR_MS);
});
