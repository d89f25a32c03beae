// Timers happen at their time, in order, once, and one failure does not delay the others.

import { describe, expect, test } from "bun:test";

import type { TimerStory, TimerWorkflow } from "#platform/scheduler/timer-work.ts";
import { clearTimer, setTimer, TimerRunner } from "#platform/scheduler/timers.ts";

import { codeOf, NOON } from "../../support/database.ts";
import { HOUR_MS, MINUTE_MS, noting, openTimerShop, SECOND_MS } from "./timer-shop.ts";

const ring = noting("ring");

/** Fails until the test mends it. */
function broken(name: string) {
  const state = { isBroken: true };
  const story: TimerStory = {
    name,
    run: async (tx, subject) => {
      await noting(name).run(tx, subject);
      if (state.isBroken) throw new Error("out of order");
    },
  };
  return { story, state };
}

describe("a timer", () => {
  test("does not happen before its time", async () => {
    await using opened = await openTimerShop({ timers: [ring] });
    await opened.set("ring", "a", MINUTE_MS);

    await opened.pass(MINUTE_MS - 1);

    expect(await opened.happened()).toEqual([]);
    expect(await opened.timers()).toHaveLength(1);
  });

  test("happens once, and is gone", async () => {
    await using opened = await openTimerShop({ timers: [ring] });
    await opened.set("ring", "a", MINUTE_MS);

    await opened.pass(MINUTE_MS);
    await opened.pass(HOUR_MS);

    expect(await opened.happened()).toEqual(["ring a +60000"]);
    expect(await opened.timers()).toEqual([]);
  });

  test("that is set again is due at the later word", async () => {
    await using opened = await openTimerShop({ timers: [ring] });
    await opened.set("ring", "a", MINUTE_MS);
    await opened.set("ring", "a", 2 * MINUTE_MS);

    await opened.pass(MINUTE_MS);
    await opened.pass(MINUTE_MS);

    expect(await opened.happened()).toEqual(["ring a +120000"]);
  });

  test("that was cleared never happens", async () => {
    await using opened = await openTimerShop({ timers: [ring] });
    await opened.set("ring", "a", MINUTE_MS);
    await opened.set("ring", "b", MINUTE_MS);
    await opened.shop.database.write((tx) => clearTimer(tx, "ring", "a"));

    await opened.pass(HOUR_MS);

    expect(await opened.happened()).toEqual(["ring b +3600000"]);
  });

  test("is set with its story: a refused story leaves none", async () => {
    await using opened = await openTimerShop({ timers: [ring] });
    const refused = opened.shop.database.write(async (tx) => {
      await setTimer(tx, { name: "ring", subject: "a", dueAt: NOON });
      throw new Error("refused");
    });

    expect(await codeOf(refused)).toBe("refused");
    await opened.pass(HOUR_MS);

    expect(await opened.happened()).toEqual([]);
  });

  test("with a name unknown to this program waits for a program that knows it", async () => {
    await using opened = await openTimerShop({ timers: [ring] });
    await opened.set("later", "a", 0);
    await opened.set("ring", "a", MINUTE_MS);

    await opened.pass(HOUR_MS);

    expect(await opened.happened()).toEqual(["ring a +3600000"]);
    expect(await opened.timers()).toMatchObject([{ name: "later", attempts: 0 }]);
  });
});

test("timers happen in the order of their time, then name, then subject", async () => {
  await using opened = await openTimerShop({ timers: [ring, noting("bell")] });
  await opened.set("ring", "late", 3 * SECOND_MS);
  await opened.set("ring", "b", SECOND_MS);
  await opened.set("ring", "a", SECOND_MS);
  await opened.set("bell", "c", SECOND_MS);
  await opened.set("ring", "early", 0);

  await opened.pass(MINUTE_MS);

  expect((await opened.happened()).map((one) => one.replace(/ \+.*/, ""))).toEqual([
    "ring early",
    "bell c",
    "ring a",
    "ring b",
    "ring late",
  ]);
});

test("two names that are the same are refused at the start", async () => {
  await using opened = await openTimerShop({ timers: [] });
  const options = { shop: opened.shop, timers: [ring, noting("ring")], onFault: () => {} };

  expect(() => new TimerRunner(options)).toThrow("same name");
});

describe("a story", () => {
  test("may set its own timer for later, and it stays", async () => {
    const hourly: TimerStory = {
      name: "hourly",
      run: async (tx, subject) => {
        await noting("hourly").run(tx, subject);
        await setTimer(tx, { name: "hourly", subject, dueAt: tx.now + HOUR_MS });
      },
    };
    await using opened = await openTimerShop({ timers: [hourly] });
    await opened.set("hourly", "a", 0);

    await opened.pass(0);
    await opened.pass(HOUR_MS);
    await opened.pass(HOUR_MS - 1);

    expect(await opened.happened()).toEqual(["hourly a +0", "hourly a +3600000"]);
  });

  test("that fails leaves nothing but its error, and waits longer each time, at most an hour", async () => {
    const { story } = broken("faulty");
    await using opened = await openTimerShop({ timers: [story] });
    await opened.set("faulty", "a", 0);
    const waits: number[] = [];

    for (let attempt = 1; attempt <= 9; attempt += 1) {
      await opened.runner.fireDue();
      const [timer] = await opened.timers();
      expect(timer).toMatchObject({ attempts: attempt, lastError: "Error: out of order" });
      const wait = (timer?.dueAt ?? 0) - opened.shop.clock.now();
      waits.push(wait / MINUTE_MS);
      await opened.pass(wait - 1);
      expect(opened.faults).toHaveLength(attempt);
      await opened.pass(1);
    }

    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60]);
    expect(await opened.happened()).toEqual([]);
  });

  test("that failed and then goes well is over", async () => {
    const { story, state } = broken("faulty");
    await using opened = await openTimerShop({ timers: [story] });
    await opened.set("faulty", "a", 0);
    await opened.pass(0);
    state.isBroken = false;

    await opened.pass(MINUTE_MS);

    expect(await opened.happened()).toEqual(["faulty a +60000"]);
    expect(await opened.timers()).toEqual([]);
    expect(opened.faults).toEqual(["faulty: out of order"]);
  });

  test("that fails does not hold up the others", async () => {
    const { story } = broken("faulty");
    await using opened = await openTimerShop({ timers: [story, ring] });
    await opened.set("faulty", "a", 0);
    await opened.set("ring", "b", 1);

    await opened.pass(1);

    expect(await opened.happened()).toEqual(["ring b +1"]);
  });
});

describe("a workflow", () => {
  test("calls the world between its commits, and clears its timer itself", async () => {
    const call: TimerWorkflow = {
      name: "call",
      runWith: async (shop, subject) => {
        await shop.database.write((tx) => tx.emit({ name: "asked", subject, data: 0 }));
        // The answer of a call comes in a later turn of the event loop.
        await Bun.sleep(1);
        await shop.database.write(async (tx) => {
          await clearTimer(tx, "call", subject);
          await tx.emit({ name: "answered", subject, data: 0 });
        });
      },
    };
    await using opened = await openTimerShop({ timers: [call] });
    await opened.set("call", "a", 0);

    const fired = await opened.runner.fireDue();

    expect(fired).toEqual([{ at: NOON, name: "call", subject: "a" }]);
    expect(await opened.happened()).toEqual(["asked a +0", "answered a +0"]);
    expect(await opened.timers()).toEqual([]);
  });

  test("that sets its timer again runs again then", async () => {
    const poll: TimerWorkflow = {
      name: "poll",
      runWith: (shop, subject) =>
        shop.database.write(async (tx) => {
          await noting("poll").run(tx, subject);
          await setTimer(tx, { name: "poll", subject, dueAt: tx.now + 5 * SECOND_MS });
        }),
    };
    await using opened = await openTimerShop({ timers: [poll] });
    await opened.set("poll", "a", 0);

    await opened.pass(0);
    await opened.pass(5 * SECOND_MS);

    expect(await opened.happened()).toEqual(["poll a +0", "poll a +5000"]);
  });

  test("that says nothing of its timer runs again after a minute", async () => {
    const silent: TimerWorkflow = {
      name: "silent",
      runWith: (shop, subject) => shop.database.write((tx) => noting("silent").run(tx, subject)),
    };
    await using opened = await openTimerShop({ timers: [silent] });
    await opened.set("silent", "a", 0);

    await opened.pass(0);
    await opened.pass(MINUTE_MS - 1);
    await opened.pass(1);

    expect(await opened.happened()).toEqual(["silent a +0", "silent a +60000"]);
  });

  test("that fails is tried again like a story, unless it had set its timer", async () => {
    const failing: TimerWorkflow = {
      name: "failing",
      runWith: async (shop, subject) => {
        const dueAt = NOON + HOUR_MS;
        if (subject === "set") {
          await shop.database.write((tx) => setTimer(tx, { name: "failing", subject, dueAt }));
        }
        throw new Error("no answer");
      },
    };
    await using opened = await openTimerShop({ timers: [failing] });
    await opened.set("failing", "plain", 0);
    await opened.set("failing", "set", 0);

    await opened.runner.fireDue();

    expect(await opened.timers()).toMatchObject([
      { subject: "plain", dueAt: NOON + MINUTE_MS, attempts: 1, lastError: "Error: no answer" },
      { subject: "set", dueAt: NOON + HOUR_MS, attempts: 0, lastError: null },
    ]);
  });
});

describe("a running shop", () => {
  test("lets happen by itself what is due already, and what is announced and due soon", async () => {
    const both = Promise.withResolvers<void>();
    const counted: TimerWorkflow = {
      name: "counted",
      runWith: async (shop, subject) => {
        await shop.database.write(async (tx) => {
          await clearTimer(tx, "counted", subject);
          await noting("counted").run(tx, subject);
        });
        if ((await opened.happened()).length === 3) both.resolve();
      },
    };
    await using opened = await openTimerShop({ timers: [counted] });
    const { database } = opened.shop;
    await opened.set("counted", "due", 0);
    opened.runner.start();

    await database.write(async (tx) => {
      await setTimer(tx, { name: "counted", subject: "set", dueAt: tx.now });
      await tx.emit({ name: "told", subject: "set", data: 0 });
    });
    await both.promise;

    expect((await opened.happened()).toSorted()).toEqual([
      "counted due +0",
      "counted set +0",
      "told set +0",
    ]);
  });

  test("lets nothing happen after it was stopped", async () => {
    await using opened = await openTimerShop({ timers: [ring] });
    await opened.set("ring", "a", 0);
    opened.runner.start();

    await opened.runner.stop();
    await opened.runner.fireDue();

    expect(await opened.happened()).toEqual([]);
  });

  test("waits for what happens before it is closed", async () => {
    const begun = Promise.withResolvers<void>();
    const slow: TimerWorkflow = {
      name: "slow",
      runWith: async (shop, subject) => {
        begun.resolve();
        // Still running when the test goes on.
        await Bun.sleep(50);
        await shop.database.write((tx) => noting("slow").run(tx, subject));
      },
    };
    await using opened = await openTimerShop({ timers: [slow] });
    await opened.set("slow", "a", 0);
    const firing = opened.runner.fireDue();
    await begun.promise;

    await opened.runner.stop();

    expect(await opened.happened()).toEqual(["slow a +0"]);
    await firing;
  });

  test("starts its timers once", async () => {
    await using opened = await openTimerShop({ timers: [ring] });
    opened.runner.start();

    expect(() => opened.runner.start()).toThrow("once");
  });
});

test("a status tells of each name when it ran, how it went and when it runs next", async () => {
  const { story } = broken("faulty");
  await using opened = await openTimerShop({ timers: [story, ring, noting("never")] });
  await opened.set("faulty", "a", 0);
  await opened.set("ring", "a", 0);
  await opened.set("ring", "b", HOUR_MS);

  await opened.pass(SECOND_MS);

  const lastRunAt = NOON + SECOND_MS;
  expect(await opened.runner.status()).toEqual([
    {
      name: "faulty",
      lastRunAt,
      lastError: "Error: out of order",
      nextRunAt: lastRunAt + MINUTE_MS,
    },
    { name: "ring", lastRunAt, lastError: null, nextRunAt: NOON + HOUR_MS },
    { name: "never", lastRunAt: null, lastError: null, nextRunAt: null },
  ]);
});

test("two that run on one store do not let anything happen twice", async () => {
  await using opened = await openTimerShop({ timers: [ring] });
  const other = new TimerRunner({ shop: opened.shop, timers: [ring], onFault: () => {} });
  for (let index = 0; index < 50; index += 1) await opened.set("ring", `${index}`, index);

  await Promise.all([opened.pass(MINUTE_MS), other.fireDue()]);

  expect(new Set(await opened.happened()).size).toBe(50);
  expect(await opened.happened()).toHaveLength(50);
});
