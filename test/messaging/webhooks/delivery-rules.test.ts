// The rules of a delivery: its retries, the meaning of responses, and its life.

import { describe, expect, test } from "bun:test";

import fc from "fast-check";

import { newId } from "#kernel/id.ts";
import { allowedActions, arrow } from "#kernel/machine.ts";
import { advanceDelivery } from "#messaging/webhooks/deliveries/advance-delivery.ts";
import { deliveryLife, deliveryStatuses } from "#messaging/webhooks/deliveries/delivery-life.ts";
import {
  type Delivery,
  type DeliveryOutcome,
  excerptToSave,
  isGone,
  isOverloaded,
  isSuccess,
  newDelivery,
  readRetryAfter,
  waitAfter,
  waitsMs,
} from "#messaging/webhooks/deliveries/delivery.ts";
import { deliveryRows } from "#messaging/webhooks/deliveries/queries.ts";

import { openTestDatabase, type TestDatabase } from "../../support/database.ts";
import { MORNING_MS } from "../../support/shop.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const attempts = fc.integer({ min: 1, max: 9 });
const share = fc.double({ min: 0, max: 1, noNaN: true });

const outcome: DeliveryOutcome = {
  responseStatus: 204,
  failure: null,
  address: "192.0.2.1",
  excerpt: "",
  durationMs: 3,
  retryAfterMs: null,
  skewMs: null,
};

describe("the waits", () => {
  test("add up to 75 h 35 m 05 s", () => {
    const sum = waitsMs.reduce((all, wait) => all + wait, 0);

    expect(waitsMs).toHaveLength(10);
    expect(sum).toBe(75 * HOUR_MS + 35 * 60_000 + 5_000);
  });

  test("vary by at most a fifth in both directions", () => {
    fc.assert(
      fc.property(attempts, share, (made, spread) => {
        const wait = waitAfter(made, { share: spread, retryAfterMs: null });
        const planned = waitsMs[made] ?? 0;
        expect(wait).toBeGreaterThanOrEqual(planned * 0.8 - 1);
        expect(wait).toBeLessThanOrEqual(planned * 1.2 + 1);
      }),
    );
  });

  test("fit into 96 hours even if each is as long as possible", () => {
    const longest = waitsMs
      .slice(1)
      .map((_, made) => waitAfter(made + 1, { share: 1, retryAfterMs: null }));

    expect(longest.reduce<number>((all, wait) => all + (wait ?? 0), 0)).toBeLessThan(96 * HOUR_MS);
  });

  test("spread deliveries that failed together over the whole jitter", () => {
    const waits = Array.from(
      { length: 1_000 },
      () => waitAfter(1, { share: Math.random(), retryAfterMs: null }) ?? 0,
    );

    const tenths = new Set(waits.map((wait) => Math.floor((wait - 4_000) / 200)));
    expect(tenths.size).toBeGreaterThanOrEqual(10);
  });

  test("end after the tenth attempt", () => {
    const ends = [10, 11].map((made) => waitAfter(made, { share: 0.5, retryAfterMs: HOUR_MS }));

    expect(ends).toEqual([null, null]);
  });

  test("become longer with a Retry-After, never shorter, and at most a day", () => {
    fc.assert(
      fc.property(
        attempts,
        share,
        fc.integer({ min: 0, max: 10 ** 15 }),
        (made, spread, requested) => {
          const planned = waitAfter(made, { share: spread, retryAfterMs: null }) ?? 0;
          const wait = waitAfter(made, { share: spread, retryAfterMs: requested }) ?? 0;
          expect(wait).toBe(Math.max(planned, Math.min(requested, DAY_MS)));
        },
      ),
    );
  });
});

describe("Retry-After", () => {
  const now = Date.UTC(2026, 0, 5, 8);
  test.each([
    ["seconds", "120", 120_000],
    ["with space around", " 120 ", 120_000],
    ["nothing to wait for", "0", 0],
    ["a date", "Mon, 05 Jan 2026 08:02:00 GMT", 120_000],
    ["a date of the old kind", "Monday, 05-Jan-26 08:02:00 GMT", 120_000],
    ["a trillion seconds", "1000000000000", DAY_MS],
    ["more digits than a number has", "9".repeat(400), DAY_MS],
    ["a date that is over", "Mon, 05 Jan 2026 07:00:00 GMT", null],
    ["the past", "-5", null],
    ["a part of a second", "1.5", null],
    ["another number", "0x10", null],
    ["nothing", "", null],
    ["words", "soon", null],
    ["words with a capital letter", "Soon, perhaps", null],
    ["a date without a day", "2026-01-05T08:02:00Z", null],
  ])("may be %s", (_, text, wait) => {
    expect(readRetryAfter(text, now)).toBe(wait);
  });

  test("is read without an error whatever its text", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const wait = readRetryAfter(text, now);
        expect(wait === null || (Number.isFinite(wait) && wait >= 0)).toBeTrue();
      }),
    );
  });
});

describe("a response", () => {
  test.each([200, 201, 204, 299])("of %p is success", (responseStatus) => {
    expect(isSuccess({ responseStatus, failure: null })).toBeTrue();
  });

  test.each([100, 199, 300, 301, 302, 307, 308, 400, 404, 410, 429, 500, 503])(
    "of %p is none",
    (responseStatus) => {
      expect(isSuccess({ responseStatus, failure: null })).toBeFalse();
    },
  );

  test("that is incomplete is no success, whatever its status", () => {
    expect(isSuccess({ responseStatus: 200, failure: "reset" })).toBeFalse();
  });

  test.each([429, 502, 504])("of %p means overload", (responseStatus) => {
    expect(isOverloaded({ ...outcome, responseStatus, failure: "status" })).toBeTrue();
  });

  test.each([400, 410, 500, 503])("of %p does not mean overload", (responseStatus) => {
    expect(isOverloaded({ ...outcome, responseStatus, failure: "status" })).toBeFalse();
  });

  test("that times out means overload", () => {
    expect(isOverloaded({ ...outcome, responseStatus: null, failure: "timeout" })).toBeTrue();
  });

  test("of 410 means gone, unless it is incomplete", () => {
    const gone = (["status", "reset", "timeout"] as const).map((failure) =>
      isGone({ ...outcome, responseStatus: 410, failure }),
    );

    expect(gone).toEqual([true, false, false]);
  });

  test("is saved only while the event's data is what was sent", () => {
    const attempt = {
      startedAt: 0,
      sentData: '{"email":"ada@x.example"}',
      outcome: { ...outcome, excerpt: "Thank you, ada@x.example." },
    };

    expect(excerptToSave(attempt, attempt.sentData)).toBe(attempt.outcome.excerpt);
    expect(excerptToSave(attempt, '{"email":null}')).toBe("");
    expect(excerptToSave(attempt, undefined)).toBe("");
  });
});

/** A new delivery for each run. */
async function insertNew(store: TestDatabase): Promise<Delivery> {
  const event = { id: newId("event", MORNING_MS), name: "order.paid", sequence: 1 };
  const endpointId = newId("webhook", MORNING_MS);
  const made = newDelivery(newId("delivery", MORNING_MS), { event, endpointId, now: MORNING_MS });
  await store.database.write((tx) => deliveryRows.insert(tx, made));
  return made;
}

const actions = ["claim", "cancel", "confirm", "succeed", "retry", "exhaust", "release"] as const;

/** Takes the steps in order and compares each with the table. */
async function walk(
  store: TestDatabase,
  steps: readonly (typeof actions)[number][],
): Promise<void> {
  let known = await insertNew(store);
  for (const action of steps) {
    const next = arrow(deliveryLife, known.status, action)?.next ?? null;
    const before = known;
    const moved = await store.database.write((tx) =>
      advanceDelivery(tx, before, { action, claim: "req_1" }),
    );
    expect(moved?.status ?? null).toBe(next);
    known = moved ?? known;
    expect(await deliveryRows.find(store.database.read, known.id)).toEqual(known);
  }
}

/** A delivery that waits for a retry, with copies of its earlier states. */
async function retried(store: TestDatabase): Promise<{ id: string; copies: Delivery[] }> {
  const made = await insertNew(store);
  const taken = await store.database.write((tx) =>
    advanceDelivery(tx, made, { action: "claim", attempts: 1, claim: "req_1" }),
  );
  if (taken === null) throw new Error("It was not taken.");
  await store.database.write((tx) => advanceDelivery(tx, taken, { action: "retry" }));
  return { id: made.id, copies: [made, taken] };
}

describe("the life of a delivery", () => {
  test("has exactly these actions", () => {
    const allowed = deliveryStatuses.flatMap((status) => allowedActions(deliveryLife, status));

    expect(new Set(allowed)).toEqual(new Set(actions));
  });

  test("follows its table for any order of actions", async () => {
    await using store = await openTestDatabase();

    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...actions), { maxLength: 12 }), (steps) =>
        walk(store, steps),
      ),
      { numRuns: 40 },
    );
  });

  test.each(actions)("is not moved by a stale copy that wants to %s", async (action) => {
    await using store = await openTestDatabase();
    const { id, copies } = await retried(store);
    const before = await deliveryRows.find(store.database.read, id);

    const moved = await Promise.all(
      copies.map((copy) =>
        store.database.write((tx) => advanceDelivery(tx, copy, { action, claim: "req_2" })),
      ),
    );

    expect(moved).toEqual([null, null]);
    expect(await deliveryRows.find(store.database.read, id)).toEqual(before);
  });
});
