// Work of a queue runs beside other work, as far as the queue has room; an advance of the clock runs it in order.

import { expect, test } from "bun:test";

import type { Shop } from "#platform/database/shop.ts";
import type { TimerWorkflow } from "#platform/scheduler/timer-work.ts";
import { clearTimer } from "#platform/scheduler/timers.ts";

import { HOUR_MS, noting, openTimerShop, SECOND_MS } from "./timer-shop.ts";

/** Calls that end when the test opens the gate; counts those that run at once. */
function slow({ width, about }: { readonly width: number; readonly about?: string }) {
  const gate = Promise.withResolvers<void>();
  const counted = { atOnce: 0, most: 0, calls: 0 };
  const call: TimerWorkflow = {
    name: "call",
    queueOf: async (_, subject) => ({
      name: subject.slice(0, 1),
      width,
      about: about ?? subject,
    }),
    runWith: async (shop, subject) => {
      counted.calls += 1;
      counted.atOnce += 1;
      counted.most = Math.max(counted.most, counted.atOnce);
      await gate.promise;
      counted.atOnce -= 1;
      await shop.database.write(async (tx) => {
        await noting("call").run(tx, subject);
        await clearTimer(tx, "call", subject);
      });
    },
  };
  return { call, gate, counted };
}

const names = (queue: string, count: number) => Array.from({ length: count }, (_, n) => queue + n);

test("a queue runs as many at once as it is wide, and ends all of them", async () => {
  const { call, gate, counted } = slow({ width: 3 });
  const ring: TimerWorkflow = {
    name: "ring",
    runWith: async (shop, subject) => {
      while (counted.atOnce < 3) await new Promise(setImmediate);
      gate.resolve();
      await shop.database.write((tx) => clearTimer(tx, "ring", subject));
    },
  };
  await using opened = await openTimerShop({ timers: [call, ring] });
  for (const subject of names("a", 10)) await opened.set("call", subject, 0);
  await opened.set("ring", "last", 0);

  const fired = await opened.runner.fireDue();

  expect(counted).toEqual({ atOnce: 0, most: 3, calls: 10 });
  expect(fired.map(({ subject }) => subject).toSorted()).toEqual([...names("a", 10), "last"]);
  expect(await opened.timers()).toEqual([]);
});

test("a queue that hangs delays neither another queue nor other work, and claims what it runs only", async () => {
  const { call, gate, counted } = slow({ width: 2 });
  const seen: number[] = [];
  const ring: TimerWorkflow = {
    name: "ring",
    runWith: async (shop, subject) => {
      while (counted.atOnce < 4) await new Promise(setImmediate);
      const due = (await opened.timers()).filter(({ dueAt, name }) => {
        return name === "call" && dueAt <= opened.shop.clock.now();
      });
      seen.push(due.length, counted.atOnce);
      gate.resolve();
      await shop.database.write((tx) => clearTimer(tx, "ring", subject));
    },
  };
  await using opened = await openTimerShop({ timers: [call, ring] });
  for (const subject of [...names("a", 30), ...names("b", 3)]) await opened.set("call", subject, 0);
  await opened.set("ring", "last", 0);

  await opened.runner.fireDue();

  // 33 calls less the two of each queue.
  expect(seen).toEqual([29, 4]);
  expect(counted.calls).toBe(33);
});

test("work about one thing runs one at a time", async () => {
  const { call, gate, counted } = slow({ width: 8, about: "order" });
  gate.resolve();
  await using opened = await openTimerShop({ timers: [call] });
  for (const subject of names("a", 3)) await opened.set("call", subject, 0);

  const fired = await opened.runner.fireDue();

  expect(counted).toEqual({ atOnce: 0, most: 1, calls: 3 });
  expect(fired.map(({ subject }) => subject)).toEqual(names("a", 3));
});

test("during an advance a queue runs one by one, in the order of due times", async () => {
  const { call, gate, counted } = slow({ width: 8 });
  gate.resolve();
  await using opened = await openTimerShop({ timers: [call] });
  for (const [n, subject] of names("a", 5).entries()) {
    await opened.set("call", subject, (5 - n) * SECOND_MS);
  }

  await opened.travel.advance(10 * SECOND_MS);

  expect(counted.most).toBe(1);
  const inOrder = names("a", 5).map((subject, n) => `call ${subject} +${(5 - n) * SECOND_MS}`);
  expect(await opened.happened()).toEqual(inOrder.toReversed());
});

test("an advance begins after the work of queues has ended", async () => {
  const { call, gate, counted } = slow({ width: 8 });
  await using opened = await openTimerShop({ timers: [call] });
  await opened.set("call", "a0", 0);
  const firing = opened.runner.fireDue();
  const order: string[] = [];

  const travelled = opened.runner.exclusively(async () => {
    order.push(`advance beside ${counted.atOnce}`);
  });
  while (counted.atOnce === 0) await new Promise(setImmediate);
  gate.resolve();
  await Promise.all([firing, travelled]);

  expect(order).toEqual(["advance beside 0"]);
});

test("a due time that a call sets anew while it runs is kept, and the call runs again", async () => {
  const { call, gate, counted } = slow({ width: 8 });
  await using opened = await openTimerShop({ timers: [{ ...call, runWith }] });
  await opened.set("call", "a0", 0);
  async function runWith(...[shop, subject, isStillDue]: Parameters<TimerWorkflow["runWith"]>) {
    if (counted.calls === 0) {
      await opened.set("call", "a0", 0);
      counted.calls += 1;
      return;
    }
    await call.runWith(shop, subject, isStillDue);
  }
  gate.resolve();

  await opened.runner.fireDue();

  expect(counted.calls).toBe(2);
  expect(await opened.timers()).toEqual([]);
});

test("a call learns that its timer was set anew since it fired", async () => {
  const seen: boolean[] = [];
  const call: TimerWorkflow = {
    name: "call",
    runWith: async ({ database }, subject, isStillDue) => {
      seen.push(await database.write(isStillDue));
      await opened.set("call", subject, HOUR_MS);
      seen.push(await database.write(isStillDue));
    },
  };
  await using opened = await openTimerShop({ timers: [call] });
  await opened.set("call", "a", 0);

  await opened.runner.fireDue();

  expect(seen).toEqual([true, false]);
});

test("work gets the room that became free while what is due was still being read", async () => {
  const first = Promise.withResolvers<void>();
  const second = Promise.withResolvers<void>();
  const finish = (shop: Shop, subject: string) =>
    shop.database.write((tx) => clearTimer(tx, "call", subject));
  const call: TimerWorkflow = {
    name: "call",
    queueOf: async (_, subject) => {
      if (subject === "b0") {
        // The second of queue a was passed over by now.
        first.resolve();
        while ((await opened.timers()).length > 2) await new Promise(setImmediate);
        await new Promise(setImmediate);
      }
      return { name: subject.slice(0, 1), width: 1, about: subject };
    },
    runWith: async (shop, subject) => {
      if (subject === "a0") await first.promise;
      if (subject === "a1") second.resolve();
      if (subject === "b0") await second.promise;
      await finish(shop, subject);
    },
  };
  await using opened = await openTimerShop({ timers: [call] });
  for (const subject of ["a0", "a1", "b0"]) await opened.set("call", subject, 0);

  const fired = await opened.runner.fireDue();

  expect(fired.map(({ subject }) => subject).toSorted()).toEqual(["a0", "a1", "b0"]);
});

// Regression: thousands that waited for a gateway were passed over in one go, and no request was answered meanwhile.
test("other work has its turn while timers are passed over", async () => {
  const { call, gate } = slow({ width: 1 });
  let turn = 0;
  let timer = setImmediate(function next() {
    turn += 1;
    timer = setImmediate(next);
  });
  const seen = new Set<number>();
  const noted: TimerWorkflow = {
    ...call,
    queueOf: async (_, subject) => {
      seen.add(turn);
      if (subject === "a99") gate.resolve();
      return { name: "a", width: 1, about: subject };
    },
  };
  await using opened = await openTimerShop({ timers: [noted] });
  for (const subject of names("a", 100)) await opened.set("call", subject, 0);

  const passing = opened.runner.fireDue();
  await gate.promise;
  clearImmediate(timer);
  await passing;

  expect(seen.size).toBeGreaterThan(1);
});
