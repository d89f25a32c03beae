// Background work that follows the log: it begins with an event, goes on while more is left, and belongs to the leader.

import { expect, spyOn, test } from "bun:test";

import { PacedWork, type PacedWorkTerms } from "#platform/scheduler/paced-work.ts";

import { openTestDatabase, type TestDatabase } from "../../support/database.ts";
import { HandLeader, leading } from "./hand-leader.ts";

const packed = { name: "crate.packed", subject: "a", data: null };
const announce = ({ database }: TestDatabase) => database.write((tx) => tx.emit(packed));

/** Work of so many steps; `done` resolves after the last one. */
function stepsOf(count: number) {
  const done = Promise.withResolvers<void>();
  const counted = { steps: 0, done: done.promise };
  const step = async () => {
    counted.steps += 1;
    if (counted.steps === count) done.resolve();
    return counted.steps < count;
  };
  return { counted, step };
}

function started(
  { database }: TestDatabase,
  terms: Pick<PacedWorkTerms, "step" | "leader"> & Partial<Pick<PacedWorkTerms, "pace">>,
): AsyncDisposable {
  const onFault = (error: unknown) => {
    throw error;
  };
  const pace = { collectMs: 1, busyFactor: 0, busyMs: 0 };
  const work = new PacedWork({ database, pace, onFault, ...terms });
  work.start();
  return { [Symbol.asyncDispose]: () => work.stop() };
}

test("work goes on until none is left, without another event", async () => {
  await using opened = await openTestDatabase();
  const { counted, step } = stepsOf(5);
  await using _ = started(opened, { step });

  await counted.done;

  expect(counted.steps).toBe(5);
});

test("an event begins work again that was done", async () => {
  await using opened = await openTestDatabase();
  const first = stepsOf(1);
  const second = stepsOf(1);
  let step = first.step;
  await using _ = started(opened, { step: () => step() });
  await first.counted.done;
  step = second.step;

  await announce(opened);
  await second.counted.done;

  expect(second.counted.steps).toBe(1);
});

test("a program does no work before it leads", async () => {
  await using opened = await openTestDatabase();
  const leader = new HandLeader();
  const { counted, step } = stepsOf(1);
  await using works = new AsyncDisposableStack();
  works.use(started(opened, { step, leader }));
  await announce(opened);
  // Another follower's step says that the event was announced, and its pause is over.
  const other = stepsOf(1);
  works.use(started(opened, { step: other.step, leader: leading() }));
  await other.counted.done;
  const before = counted.steps;

  leader.give();
  await counted.done;

  expect([before, counted.steps]).toEqual([0, 1]);
});

test("work of a busy shop goes on within two seconds, however long a step took", async () => {
  await using opened = await openTestDatabase();
  const leader = leading();
  const [stepped, rested] = [Promise.withResolvers<void>(), Promise.withResolvers<number>()];
  const step = async () => {
    leader.give();
    await Bun.sleep(1);
    stepped.resolve();
    return true;
  };
  await using _ = started(opened, {
    step,
    leader,
    pace: { collectMs: 1, busyFactor: 1e9, busyMs: 0 },
  });
  await stepped.promise;

  const timer = setTimeout(() => {}, 0);
  const noted = (...[, milliseconds = 0]: readonly [unknown, number?]) => {
    rested.resolve(milliseconds);
    return timer;
  };
  const timers = spyOn(globalThis, "setTimeout");
  timers.mockImplementation(Object.assign(noted, setTimeout));
  const milliseconds = await rested.promise;
  timers.mockRestore();

  expect(milliseconds).toBe(2_000);
});
