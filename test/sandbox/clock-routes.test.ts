// The clock and the timers of the test shop over HTTP.

import { describe, expect, test } from "bun:test";

import type { TimerStory } from "#platform/scheduler/timer-work.ts";
import { setTimer } from "#platform/scheduler/timers.ts";
import { sandboxRoutes } from "#sandbox/routes.ts";

import { call, nameOf } from "../contract/operations.ts";
import { openScratchFolder } from "../support/scratch.ts";
import { MORNING_MS, openTestShop, sharedShop, type TestShop } from "../support/shop.ts";

const shop = sharedShop();

const HOUR_MS = 3_600_000;

function iso(afterMs: number): string {
  return new Date(MORNING_MS + afterMs).toISOString();
}

const wake: TimerStory = {
  name: "wake",
  run: (tx, subject) => tx.emit({ name: "store.woken", subject, data: { at: tx.now } }),
};

/** Sets the timer so many milliseconds after the morning begins. */
async function setWake(to: TestShop, subject: string, afterMs: number): Promise<void> {
  const dueAt = MORNING_MS + afterMs;
  await to.test.database.write((tx) => setTimer(tx, { name: "wake", subject, dueAt }));
}

describe("the clock", () => {
  test("shows real time at first", async () => {
    const answer = await shop.get("/v2/test/clock");

    expect([answer.status, answer.body]).toEqual([200, { now: iso(0), offset_seconds: 0 }]);
  });

  test("is moved to a later instant and continues from there", async () => {
    await using own = await openTestShop();

    const moved = await own.put("/v2/test/clock", { now: "2026-01-05T10:00:00+01:00" });
    own.clock.advance(1500);

    expect([moved.status, moved.body]).toEqual([200, { now: iso(HOUR_MS), offset_seconds: 3600 }]);
    expect((await own.get("/v2/test/clock")).at("/now")).toBe(iso(HOUR_MS + 1500));
  });

  test("dates what the shop writes", async () => {
    await using own = await openTestShop();
    await own.post("/v2/test/clock/advance", { seconds: 86_400 });

    const made = await own.post("/v2/customers", { email: "ada@example.com" });

    expect(made.at("/created_at")).toBe(iso(86_400_000));
  });

  test("cannot be moved back", async () => {
    await using own = await openTestShop();
    await own.post("/v2/test/clock/advance", { seconds: 60 });

    const refused = await own.put("/v2/test/clock", { now: iso(59_999) });

    expect([refused.status, refused.code]).toEqual([422, "clock_backwards"]);
    expect((await own.get("/v2/test/clock")).at("/now")).toBe(iso(60_000));
  });

  test.each([
    ["PUT", "/v2/test/clock", {}, "#/now required"],
    ["PUT", "/v2/test/clock", { now: "tomorrow" }, "#/now invalid_format"],
    ["PUT", "/v2/test/clock", { now: "9500-01-01T00:00:00Z" }, "#/now too_large"],
    ["POST", "/v2/test/clock/advance", {}, "#/seconds required"],
    ["POST", "/v2/test/clock/advance", { seconds: 0 }, "#/seconds too_small"],
    ["POST", "/v2/test/clock/advance", { seconds: 1.5 }, "#/seconds wrong_type"],
    ["POST", "/v2/test/clock/advance", { seconds: 63_072_001 }, "#/seconds too_large"],
  ])("%s %s refuses %p", async (...[method, path, body, fault]) => {
    const refused = await shop.send(method, path, { text: JSON.stringify(body) });

    expect([refused.status, refused.code, refused.faults]).toEqual([
      422,
      "validation_failed",
      [fault],
    ]);
    expect((await shop.get("/v2/test/clock")).at("/now")).toBe(iso(0));
  });

  test("cannot be moved past the year 9000", async () => {
    await using own = await openTestShop();
    await own.put("/v2/test/clock", { now: "8999-12-31T00:00:00Z" });

    const refused = await own.post("/v2/test/clock/advance", { seconds: 172_800 });

    expect(refused.faults).toEqual(["#/seconds too_large"]);
  });

  test("survives a restart", async () => {
    using folder = openScratchFolder();
    {
      await using own = await openTestShop({ folder });
      await own.post("/v2/test/clock/advance", { seconds: 3600 });
    }
    await using own = await openTestShop({ folder });

    expect((await own.get("/v2/test/clock")).body).toEqual({
      now: iso(HOUR_MS),
      offset_seconds: 3600,
    });
  });

  test("returns to real time", async () => {
    await using own = await openTestShop();
    await own.post("/v2/test/clock/advance", { seconds: 3600 });

    const returned = await own.delete("/v2/test/clock");

    expect([returned.status, returned.body]).toEqual([200, { now: iso(0), offset_seconds: 0 }]);
  });

  test("of the live shop stays on real time", async () => {
    await using own = await openTestShop();
    const live = await own.createKey({ mode: "live" });
    await own.post("/v2/test/clock/advance", { seconds: 3600 });

    const made = await own.post("/v2/customers", { email: "ada@example.com" }, { key: live });

    expect(made.at("/created_at")).toBe(iso(0));
  });

  test("does not change when keys expire", async () => {
    await using own = await openTestShop();
    const key = await own.createKey({ expiresAt: Date.now() + HOUR_MS });

    await own.post("/v2/test/clock/advance", { seconds: 86_400 });

    expect((await own.get("/v2/store", { key })).status).toBe(200);
  });
});

describe("advancing", () => {
  test("returns the timers that fired, and when", async () => {
    await using own = await openTestShop({ timers: [wake] });
    await setWake(own, "second", 7000);
    await setWake(own, "first", 5000);
    await setWake(own, "later", HOUR_MS);

    const answer = await own.post("/v2/test/clock/advance", { seconds: 10 });

    expect([answer.status, answer.body]).toEqual([
      200,
      {
        now: iso(10_000),
        fired: [
          { at: iso(5000), name: "wake", subject: "first" },
          { at: iso(7000), name: "wake", subject: "second" },
        ],
        settled: true,
      },
    ]);
    expect(await own.announced()).toEqual([
      { event: "store.woken", data: { at: MORNING_MS + 5000 } },
      { event: "store.woken", data: { at: MORNING_MS + 7000 } },
    ]);
  });

  test("again with the same idempotency key moves nothing", async () => {
    await using own = await openTestShop();
    const once = { headers: { "Idempotency-Key": "once" } };
    const first = await own.post("/v2/test/clock/advance", { seconds: 10 }, once);

    const again = await own.post("/v2/test/clock/advance", { seconds: 10 }, once);

    expect(again.text).toBe(first.text);
    expect((await own.get("/v2/test/clock")).at("/now")).toBe(iso(10_000));
  });
});

test("a timer that is due after a move fires at once", async () => {
  const happened = Promise.withResolvers<void>();
  const resolving: TimerStory = { name: "wake", run: async () => happened.resolve() };
  await using own = await openTestShop({ timers: [resolving] });
  await setWake(own, "a", HOUR_MS);

  await own.put("/v2/test/clock", { now: iso(HOUR_MS) });
  await happened.promise;

  expect(await own.fireDue()).toEqual([]);
});

test("timers are listed page by page, soonest first", async () => {
  const failing: TimerStory = {
    name: "wake",
    run: async () => {
      throw new Error("asleep");
    },
  };
  await using own = await openTestShop({ timers: [failing] });
  await setWake(own, "c", 3000);
  await setWake(own, "a", 2000);
  await setWake(own, "b", 2000);
  await setWake(own, "failed", 0);
  await own.fireDue();

  const first = await own.get("/v2/test/timers?limit=2");
  const second = await own.get(`/v2/test/timers?limit=2&cursor=${first.string("/next_cursor")}`);

  const fresh = { name: "wake", attempts: 0, last_error: null };
  expect([...first.list("/data"), ...second.list("/data")]).toEqual([
    { ...fresh, subject: "a", due_at: iso(2000) },
    { ...fresh, subject: "b", due_at: iso(2000) },
    { ...fresh, subject: "c", due_at: iso(3000) },
    {
      name: "wake",
      subject: "failed",
      due_at: iso(60_000),
      attempts: 1,
      last_error: "Error: asleep",
    },
  ]);
  const last = await own.get(`/v2/test/timers?limit=2&cursor=${second.string("/next_cursor")}`);
  expect(last.list("/data")).toMatchObject([{ name: "alerts.summary" }]);
  expect(last.at("/has_more")).toBe(false);
});

const operations = sandboxRoutes.map((route) => [nameOf(route), route] as const);
const bodies: Readonly<Record<string, object>> = {
  "PUT /v2/test/clock": { now: iso(HOUR_MS) },
  "POST /v2/test/clock/advance": { seconds: 1 },
};

describe("a live key finds no", () => {
  test.each(operations)("%s", async (name, { method, path }) => {
    const key = await shop.createKey({ mode: "live" });
    const text = method === "GET" ? {} : { text: JSON.stringify(bodies[name] ?? {}) };

    const refused = await shop.send(method, path, { key, ...text });

    expect([refused.status, refused.code]).toEqual([404, "not_found"]);
  });
});

test.each(operations)("%s requires the scope of the sandbox", async (_, route) => {
  const key = await shop.createKey({ scopes: ["read_only", "orders:write"] });

  expect((await call(shop, route, { key })).code).toBe("scope_missing");
});
