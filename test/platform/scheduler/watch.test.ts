// Work in the background is done by whoever has the watch; what somebody asks for is done anywhere.

import { describe, expect, test } from "bun:test";

import type { Shop, Store } from "#platform/database/store.ts";
import { eventsAfter } from "#platform/event-log/event-log.ts";
import { pausedWhile } from "#platform/scheduler/leadership.ts";
import { setTimer, TimerRunner } from "#platform/scheduler/timers.ts";

import { NOON, noonClock, openTestStore, stillOpen } from "../../support/store.ts";
import { HandWatch, watching } from "./hand-watch.ts";

/** A shop whose only timer notes that it happened; it says when. */
function openProgram(store: Store, watch: HandWatch) {
  const happened = Promise.withResolvers<string>();
  const shop: Shop = { mode: "test", store, clock: noonClock, closing: stillOpen };
  const ring = {
    name: "ring",
    run: async (tx: Parameters<typeof setTimer>[0], subject: string) => {
      await tx.emit({ name: "ring", subject, data: {} });
      happened.resolve(subject);
    },
  };
  const onFault = (_: string, error: unknown) => happened.reject(error);
  const runner = new TimerRunner({ shop, timers: [ring], onFault, watch });
  return { runner, watch, happened: happened.promise };
}

/** A timer that is due. */
function setDue(store: Store, subject: string): Promise<void> {
  return store.write((tx) => setTimer(tx, { name: "ring", subject, dueAt: NOON }));
}

async function rung({ store }: { readonly store: Store }): Promise<string[]> {
  const events = await eventsAfter(store.read, { after: 0, limit: 100 });
  return events.map(({ subject }) => subject);
}

describe("timers", () => {
  test("happen at the program that has the watch", async () => {
    await using opened = await openTestStore();
    const idle = openProgram(opened.store, new HandWatch());
    const busy = openProgram(opened.store, watching());
    idle.runner.start();
    busy.runner.start();
    await setDue(opened.store, "a");

    const subject = await busy.happened;
    await Promise.all([idle.runner.stop(), busy.runner.stop()]);

    expect(subject).toBe("a");
    expect(await rung(opened)).toEqual(["a"]);
    expect((await idle.runner.status())[0]?.lastRunAt).toBeNull();
  });

  test("wait until somebody has the watch, and happen then", async () => {
    await using opened = await openTestStore();
    const one = openProgram(opened.store, new HandWatch());
    one.runner.start();
    await setDue(opened.store, "a");
    const before = await rung(opened);
    one.watch.give();

    await one.happened;
    await one.runner.stop();

    expect(before).toEqual([]);
    expect(await rung(opened)).toEqual(["a"]);
  });

  test("happen without the watch where somebody asks for it", async () => {
    await using opened = await openTestStore();
    const one = openProgram(opened.store, new HandWatch());
    await setDue(opened.store, "a");

    const fired = await one.runner.fireDue();

    expect(fired).toEqual([{ at: NOON, name: "ring", subject: "a" }]);
  });
});

test("a watch that is paused is nobody's until that is over", () => {
  let isPaused = true;
  const watch = pausedWhile(watching(), () => isPaused);
  const before = watch.isOurs();
  isPaused = false;

  expect([before, watch.isOurs()]).toEqual([false, true]);
});
