// Moving the clock of a test shop: timers on the way fire at their own time, in order, once.

import { describe, expect, test } from "bun:test";

import fc from "fast-check";

import { findClockOffset } from "#platform/scheduler/shop-clock.ts";
import type { TimerStory, TimerWorkflow } from "#platform/scheduler/timer-work.ts";
import { setTimer } from "#platform/scheduler/timers.ts";
import type { Follower } from "#sandbox/clock/time-travel.ts";

import {
  HOUR_MS,
  MINUTE_MS,
  noting,
  openTimerShop,
  SECOND_MS,
  type TimerShop,
} from "../platform/scheduler/timer-shop.ts";
import { codeOf, NOON } from "../support/database.ts";
import { runs } from "../support/runs.ts";

const ring = noting("ring");
/** The most that a move waits for its turn: long enough on a busy machine, as an advance without end takes as long. */
const MOVE_MS_MAX = 500;

describe("an advance", () => {
  test("fires timers at their own time, in order, and returns them", async () => {
    await using opened = await openTimerShop({ timers: [ring, noting("bell")] });
    await opened.set("ring", "b", 2 * MINUTE_MS);
    await opened.set("bell", "a", MINUTE_MS);
    await opened.set("ring", "c", HOUR_MS);
    await opened.set("ring", "after", HOUR_MS + 1);

    const { now, fired, settled } = await opened.travel.advance(HOUR_MS);

    expect(await opened.happened()).toEqual(["bell a +60000", "ring b +120000", "ring c +3600000"]);
    expect(fired).toEqual([
      { at: NOON + MINUTE_MS, name: "bell", subject: "a" },
      { at: NOON + 2 * MINUTE_MS, name: "ring", subject: "b" },
      { at: NOON + HOUR_MS, name: "ring", subject: "c" },
    ]);
    expect([now, opened.shop.clock.now(), settled]).toEqual([NOON + HOUR_MS, now, true]);
  });

  test("fires overdue timers first, at the current time", async () => {
    await using opened = await openTimerShop({ timers: [ring] });
    await opened.set("ring", "overdue", -HOUR_MS);

    await opened.travel.advance(SECOND_MS);

    expect(await opened.happened()).toEqual(["ring overdue +0"]);
  });

  test("fires timers that are set on the way", async () => {
    const chain: TimerStory = {
      name: "chain",
      run: async (tx, subject) => {
        await noting("chain").run(tx, subject);
        await setTimer(tx, { name: "ring", subject, dueAt: tx.now + MINUTE_MS });
        await setTimer(tx, { name: "chain", subject, dueAt: tx.now + 25 * MINUTE_MS });
      },
    };
    await using opened = await openTimerShop({ timers: [chain, ring] });
    await opened.set("chain", "a", 10 * MINUTE_MS);

    await opened.travel.advance(HOUR_MS);

    expect(await opened.happened()).toEqual([
      `chain a +${10 * MINUTE_MS}`,
      `ring a +${11 * MINUTE_MS}`,
      `chain a +${35 * MINUTE_MS}`,
      `ring a +${36 * MINUTE_MS}`,
      `chain a +${60 * MINUTE_MS}`,
    ]);
    expect((await opened.timers()).map(({ name, dueAt }) => [name, dueAt - NOON])).toEqual([
      ["ring", 61 * MINUTE_MS],
      ["chain", 85 * MINUTE_MS],
    ]);
  });

  test("retries failed timers as often as they are due on the way", async () => {
    const third: TimerStory = {
      name: "third",
      run: async (tx, subject) => {
        if (tx.now < NOON + 3 * MINUTE_MS) throw new Error("not yet");
        await noting("third").run(tx, subject);
      },
    };
    await using opened = await openTimerShop({ timers: [third] });
    await opened.set("third", "a", 0);

    const { fired } = await opened.travel.advance(HOUR_MS);

    expect(await opened.happened()).toEqual([`third a +${3 * MINUTE_MS}`]);
    expect(fired).toHaveLength(1);
    expect(opened.faults).toEqual(["third: not yet", "third: not yet"]);
  });

  test("stops the clock while a workflow runs", async () => {
    const seen: number[] = [];
    const call: TimerWorkflow = {
      name: "call",
      runWith: async (shop, subject) => {
        // Longer than the work of other timers: time must not move on meanwhile.
        await Bun.sleep(20);
        seen.push(shop.clock.now() - NOON);
        await shop.database.write((tx) =>
          setTimer(tx, { name: "ring", subject, dueAt: tx.now + 1 }),
        );
      },
    };
    await using opened = await openTimerShop({ timers: [call, ring] });
    await opened.set("call", "a", SECOND_MS);

    await opened.travel.advance(2 * SECOND_MS);

    expect(seen).toEqual([SECOND_MS]);
    expect(await opened.happened()).toEqual(["ring a +1001"]);
  });

  test("returns after its limit and continues in the background", async () => {
    const gate = Promise.withResolvers<void>();
    const stuck: TimerStory = {
      name: "stuck",
      run: async (tx, subject) => {
        await gate.promise;
        await noting("stuck").run(tx, subject);
      },
    };
    await using opened = await openTimerShop({ timers: [ring, stuck], waitMsMax: 300 });
    await opened.set("ring", "a", SECOND_MS);
    await opened.set("stuck", "a", 2 * SECOND_MS);
    await opened.set("ring", "b", 3 * SECOND_MS);

    const early = await opened.travel.advance(MINUTE_MS);
    gate.resolve();
    const later = await opened.travel.advance(MINUTE_MS);

    expect(early.fired).toEqual([{ at: NOON + SECOND_MS, name: "ring", subject: "a" }]);
    expect([early.now, early.settled]).toEqual([NOON + 2 * SECOND_MS, false]);
    expect(await opened.happened()).toEqual(["ring a +1000", "stuck a +2000", "ring b +3000"]);
    expect([later.now, later.settled]).toEqual([NOON + 2 * MINUTE_MS, true]);
  });

  test("waits for another one to end", async () => {
    await using opened = await openTimerShop({ timers: [ring] });
    await opened.set("ring", "a", MINUTE_MS);
    await opened.set("ring", "b", 90 * SECOND_MS);

    const [first, second] = await Promise.all([
      opened.travel.advance(MINUTE_MS),
      opened.travel.advance(MINUTE_MS),
    ]);

    expect(first.fired.map((one) => one.subject)).toEqual(["a"]);
    expect(second.fired.map((one) => one.subject)).toEqual(["b"]);
    expect(opened.shop.clock.now()).toBe(NOON + 2 * MINUTE_MS);
  });

  test("keeps the running shop from firing timers meanwhile", async () => {
    let running = 0;
    let most = 0;
    const counting: TimerWorkflow = {
      name: "counting",
      runWith: async (shop, subject) => {
        running += 1;
        most = Math.max(most, running);
        // A turn of the event loop for the others to begin in.
        await Bun.sleep(1);
        running -= 1;
        await shop.database.write((tx) => noting("counting").run(tx, subject));
      },
    };
    await using opened = await openTimerShop({ timers: [counting] });
    for (let index = 0; index < 20; index += 1) {
      await opened.set("counting", `${index}`, index * SECOND_MS);
    }
    opened.runner.start();

    await Promise.all([opened.travel.advance(30 * SECOND_MS), opened.runner.fireDue()]);

    expect(await opened.happened()).toHaveLength(20);
    expect(most).toBe(1);
  });

  test("that the closing shop interrupts keeps the time it reached", async () => {
    await using opened = await openTimerShop({
      timers: [ring, { name: "end", run: async () => void opened.runner.stop() }],
    });
    await opened.set("end", "a", SECOND_MS);
    await opened.set("ring", "b", MINUTE_MS);

    const { now, settled } = await opened.travel.advance(HOUR_MS);

    expect([now - NOON, settled]).toEqual([SECOND_MS, false]);
    expect(await findClockOffset(opened.shop.database.read)).toBe(SECOND_MS);
    expect((await opened.timers()).map((timer) => timer.subject)).toEqual(["b"]);
  });
});

describe("the clock", () => {
  test("continues after a move", async () => {
    await using opened = await openTimerShop({ timers: [] });
    await opened.travel.moveTo(NOON + HOUR_MS);

    await opened.pass(SECOND_MS);

    expect(opened.shop.clock.now()).toBe(NOON + HOUR_MS + SECOND_MS);
    expect(opened.travel.offsetMs()).toBe(HOUR_MS);
  });

  test("moves on after the limit, whatever is still due", async () => {
    const again: TimerStory = {
      name: "again",
      run: (tx, subject) => setTimer(tx, { name: "again", subject, dueAt: tx.now }),
    };
    await using opened = await openTimerShop({ timers: [again], waitMsMax: 100 });
    await opened.set("again", "a", 0);

    await opened.travel.moveTo(NOON + HOUR_MS);

    expect(opened.shop.clock.now()).toBe(NOON + HOUR_MS);
    expect(await opened.timers()).toMatchObject([{ name: "again", dueAt: NOON }]);
  });

  test("moves forward only", async () => {
    await using opened = await openTimerShop({ timers: [] });

    expect(await codeOf(opened.travel.moveTo(NOON - 1))).toBe("clock_backwards");
    expect(await codeOf(opened.travel.moveTo(Date.UTC(9999, 0)))).toBe("validation_failed");
    expect(opened.shop.clock.now()).toBe(NOON);
  });

  test("returns to the machine's time, and timers stay", async () => {
    await using opened = await openTimerShop({ timers: [ring] });
    await opened.travel.advance(HOUR_MS);
    await opened.set("ring", "a", HOUR_MS);

    await opened.travel.returnToMachineTime();
    await opened.runner.fireDue();

    expect(opened.shop.clock.now()).toBe(NOON);
    expect(await opened.happened()).toEqual([]);
    expect(await opened.timers()).toHaveLength(1);
  });

  test("returns at once, even during an advance", async () => {
    const everySecond: TimerStory = {
      name: "tick",
      run: (tx, subject) => setTimer(tx, { name: "tick", subject, dueAt: tx.now + SECOND_MS }),
    };
    await using opened = await openTimerShop({ timers: [everySecond], waitMsMax: MOVE_MS_MAX });
    await opened.set("tick", "a", 0);
    const underWay = await opened.travel.advance(100_000 * HOUR_MS);

    await opened.travel.returnToMachineTime();

    expect(underWay.settled).toBeFalse();
    expect(opened.shop.clock.now()).toBe(NOON);
  });

  test("does not move if the story beside it is refused", async () => {
    await using opened = await openTimerShop({ timers: [] });
    await opened.travel.advance(HOUR_MS);

    const refused = opened.travel.returnToMachineTime(async () => {
      throw new Error("refused");
    });

    expect(await codeOf(refused)).toBe("refused");
    expect(opened.shop.clock.now()).toBe(NOON + HOUR_MS);
  });
});

/** Says that its work was due in 1970, and never does it. */
const idle: Follower = {
  name: "idle",
  settle: () => Promise.resolve([]),
  nextDueAt: () => Promise.resolve(0),
  wake: () => undefined,
  forget: () => undefined,
};

describe("a follower that names work and does none", () => {
  test("ends an advance, which has not settled, and is named in the log", async () => {
    await using opened = await openTimerShop({ timers: [], followers: [idle] });

    const { settled, now } = await opened.travel.advance(HOUR_MS);

    expect([settled, now]).toEqual([false, NOON]);
    expect(opened.faults).toEqual(["advance: idle names work that it does not do."]);
  });

  test("leaves timers of the event loop their turn, also while it works without end", async () => {
    const endless: Follower = {
      ...idle,
      settle: () => Promise.resolve([{ at: NOON, name: "endless", subject: "a" }]),
    };
    await using opened = await openTimerShop({
      timers: [],
      followers: [endless],
      waitMsMax: MOVE_MS_MAX,
    });
    let isRung = false;
    setTimeout(() => (isRung = true), 0);

    const { settled } = await opened.travel.advance(HOUR_MS);
    await opened.travel.returnToMachineTime();

    expect([isRung, settled]).toEqual([true, false]);
  });
});

/** A timer at noon that works until the gate is opened. */
function gated(): { readonly open: () => void; readonly timer: TimerStory } {
  const gate = Promise.withResolvers<void>();
  return { open: gate.resolve, timer: { name: "stuck", run: () => gate.promise } };
}

describe("while a timer works on", () => {
  test.each<readonly [string, (opened: TimerShop) => Promise<unknown>]>([
    ["a move", ({ travel }) => travel.moveTo(NOON + HOUR_MS)],
    ["a return to the machine's time", ({ travel }) => travel.returnToMachineTime()],
    ["a new start", ({ travel }) => travel.startAnewAt(NOON + HOUR_MS, async () => {})],
  ])("%s is refused after the limit, and not made later", async (_, move) => {
    const { open, timer } = gated();
    await using opened = await openTimerShop({ timers: [timer], waitMsMax: 50 });
    await opened.set("stuck", "a", 0);
    const firing = opened.runner.fireDue();

    const refused = await codeOf(move(opened));
    open();
    await firing;

    expect(refused).toBe("clock_moving");
    expect(opened.shop.clock.now()).toBe(NOON);
    expect(await codeOf(move(opened))).toBeNull();
  });
});

test("an advance whose caller was answered stops for a move that waits", async () => {
  const everySecond: TimerStory = {
    name: "tick",
    run: (tx, subject) => setTimer(tx, { name: "tick", subject, dueAt: tx.now + SECOND_MS }),
  };
  await using opened = await openTimerShop({ timers: [everySecond], waitMsMax: MOVE_MS_MAX });
  await opened.set("tick", "a", 0);
  const answered = await opened.travel.advance(100_000 * HOUR_MS);

  await opened.travel.moveTo(NOON + 300_000 * HOUR_MS);

  expect(answered.settled).toBeFalse();
  expect(opened.shop.clock.now()).toBe(NOON + 300_000 * HOUR_MS);
});

const SUBJECTS = ["a", "b", "c", "d", "e", "f", "g", "h"] as const;

test("each timer fires once, in order and never early, in any history", async () => {
  const timers = fc.uniqueArray(
    fc.record({
      name: fc.constantFrom("ring", "bell"),
      subject: fc.constantFrom(...SUBJECTS),
      afterMs: fc.integer({ min: -1000, max: 10_000 }),
    }),
    { selector: ({ name, subject }) => `${name} ${subject}`, maxLength: 16 },
  );
  const jumps = fc.array(
    fc.record({
      kind: fc.constantFrom("advance", "pass", "move"),
      byMs: fc.integer({ min: 1, max: 5000 }),
    }),
    { maxLength: 8 },
  );

  await fc.assert(
    fc.asyncProperty(timers, jumps, async (given, moves) => {
      await using opened = await openTimerShop({ timers: [ring, noting("bell")] });
      for (const { name, subject, afterMs } of given) await opened.set(name, subject, afterMs);
      for (const { kind, byMs } of moves) {
        if (kind === "advance") await opened.travel.advance(byMs);
        else if (kind === "pass") await opened.pass(byMs);
        else await opened.travel.moveTo(opened.shop.clock.now() + byMs);
      }
      await opened.travel.advance(20_000);

      const happened = (await opened.happened()).map((one) => /^(.+) \+(-?\d+)$/.exec(one) ?? []);
      const inOrder = given.toSorted(
        (one, other) =>
          one.afterMs - other.afterMs ||
          (one.name < other.name ? -1 : one.name > other.name ? 1 : 0) ||
          (one.subject < other.subject ? -1 : 1),
      );
      expect(happened.map(([, what]) => what)).toEqual(
        inOrder.map(({ name, subject }) => `${name} ${subject}`),
      );
      happened.forEach(([, , at], index) => {
        expect(Number(at)).toBeGreaterThanOrEqual(inOrder[index]?.afterMs ?? Infinity);
      });
      expect(await opened.timers()).toEqual([]);
    }),
    { numRuns: runs(6) },
  );
});
