// How much is under way to one endpoint at a time, as it fails and comes back, and what becomes of
// what could not be written down.

import { describe, expect, test } from "bun:test";

import { newId } from "#kernel/id.ts";
import {
  type Delivery,
  type DeliveryOutcome,
  newDelivery,
} from "#messaging/webhooks/deliveries/delivery.ts";
import { EndpointQueue } from "#messaging/webhooks/worker/endpoint-queues.ts";
import { OutcomeWriter } from "#messaging/webhooks/worker/outcome-writer.ts";

import { MORNING_MS } from "../../support/shop.ts";

const CLAIMS = 256;
const QUIET_MS = 60_000;

function delivery(isReplay = false): Delivery {
  const event = { id: newId("event", MORNING_MS), name: "order.paid", sequence: 1 };
  const endpointId = newId("webhook", MORNING_MS);
  const id = newId("delivery", MORNING_MS);
  return newDelivery(id, { event, endpointId, now: MORNING_MS, isReplay });
}

function deliveries(count: number): Delivery[] {
  return Array.from({ length: count }, () => delivery());
}

function answer(responseStatus: number): DeliveryOutcome {
  return {
    responseStatus,
    failure: responseStatus < 300 ? null : "status",
    address: null,
    excerpt: "",
    durationMs: 1,
    retryAfterMs: null,
    skewMs: null,
  };
}

/** Everything that may be under way now. */
function takeAll(lane: EndpointQueue, paceMs = 0): Delivery[] {
  const next = lane.take(paceMs);
  return next === null ? [] : [next, ...takeAll(lane, paceMs)];
}

/** A lane for which so much was claimed, one that failed so often before. */
function laneWith(count: number, failuresInRow = 0): EndpointQueue {
  const lane = new EndpointQueue(failuresInRow);
  for (const one of deliveries(count)) lane.add(one, 0);
  return lane;
}

/** Takes one and ends it with each of these answers in turn. */
function tryEach(lane: EndpointQueue, ...statuses: readonly number[]): void {
  for (const status of statuses) {
    lane.take(0);
    lane.finish(answer(status), 0);
  }
}

describe("a lane", () => {
  test("has four places", () => {
    expect(takeAll(laneWith(9))).toHaveLength(4);
  });

  test("has one place after five failures in a row, and gives back what was claimed ahead", () => {
    const lane = laneWith(9);
    tryEach(lane, 500, 500, 500, 500);
    lane.take(0);

    const given = lane.finish(answer(500), 0);

    expect(given).toHaveLength(4);
    expect(lane.room(0, CLAIMS)).toEqual({ fresh: 1, replayed: 1 });
  });

  test("has one place from the start where the endpoint failed before", () => {
    expect(takeAll(laneWith(3, 5))).toHaveLength(1);
  });

  test("becomes wide again step by step", () => {
    const lane = new EndpointQueue(5);
    const widths = [lane.room(0, CLAIMS).replayed];

    lane.add(delivery(), 0);
    tryEach(lane, 200);
    widths.push(lane.room(0, CLAIMS).replayed);
    lane.add(delivery(), 0);
    tryEach(lane, 200);
    widths.push(lane.room(0, CLAIMS).replayed);

    expect(widths).toEqual([1, 2, 4]);
  });

  test("is not narrow before the fifth failure, nor after a success in between", () => {
    const lane = laneWith(16);

    tryEach(lane, 500, 500, 500, 500, 200, 500, 500, 500, 500);

    expect(takeAll(lane)).toHaveLength(4);
  });

  test.each([429, 502, 504, 410])("is quiet for a minute after %p", (status) => {
    const lane = laneWith(8);
    lane.take(0);

    const given = lane.finish(answer(status), 0);

    expect(given).toHaveLength(7);
    expect(lane.room(QUIET_MS - 1, CLAIMS)).toEqual({ fresh: 0, replayed: 0 });
    expect(lane.room(QUIET_MS, CLAIMS)).toEqual({ fresh: 1, replayed: 1 });
    expect(lane.quietMs(QUIET_MS - 1)).toBe(1);
  });

  test("takes nothing while it is quiet, also what was asked for before", () => {
    const lane = laneWith(1);
    lane.take(0);
    lane.finish(answer(429), 0);

    expect(lane.add(delivery(), 1)).toBeFalse();
    expect(lane.claimed).toBe(0);
  });

  test("takes no more than it has places once it became narrow", () => {
    const lane = laneWith(5);
    tryEach(lane, 500, 500, 500, 500, 500);

    const added = deliveries(3).map((one) => lane.add(one, 0));

    expect(added).toEqual([true, false, false]);
  });

  test("is quiet no longer when the clock goes back before it became so", () => {
    const lane = laneWith(1);
    lane.take(1_000_000);
    lane.finish(answer(429), 1_000_000);

    expect([lane.quietMs(1_000_001), lane.quietMs(999_999)]).toEqual([QUIET_MS - 1, 0]);
  });

  test("sends what is fresh first, whatever was claimed first", () => {
    const lane = new EndpointQueue(0);
    const [old, fresh] = [delivery(true), delivery()];
    lane.add(old, 0);
    lane.add(fresh, 0);

    expect(takeAll(lane).map(({ id }) => id)).toEqual([fresh.id, old.id]);
  });

  test("claims ahead of what is fresh, and of what is replayed only what can be sent", () => {
    const lane = new EndpointQueue(0);
    const empty = lane.room(0, CLAIMS);
    lane.add(delivery(), 0);
    lane.take(0);

    expect(empty).toEqual({ fresh: 16, replayed: 4 });
    expect(lane.room(0, CLAIMS)).toEqual({ fresh: 16, replayed: 3 });
  });

  test("claims no more than its share", () => {
    const lane = new EndpointQueue(0);

    expect(lane.room(0, 5)).toEqual({ fresh: 5, replayed: 4 });
  });
});

describe("what ended", () => {
  test("is written down together", async () => {
    const batches: number[] = [];
    const journal = new OutcomeWriter({
      record: async (ended) => void batches.push(ended.length),
      onRecorded: () => {},
      onFault: () => {},
    });

    journal.add(...deliveries(100).map((one) => ({ delivery: one, ended: "dropped" as const })));
    await journal.close();

    expect(batches).toEqual([64, 36]);
    expect(journal.length).toBe(0);
  });

  test("does not wait for ever behind one that cannot be written", async () => {
    const all = deliveries(3);
    const written: string[] = [];
    const faults: unknown[] = [];
    const { promise: recorded, resolve } = Promise.withResolvers<void>();
    const journal = new OutcomeWriter({
      record: async (ended) => {
        if (ended.some(({ delivery: { id } }) => id === all[0]?.id)) throw new Error("Not this.");
        written.push(...ended.map(({ delivery: { id } }) => id));
        if (written.length === 2) resolve();
      },
      onRecorded: () => {},
      onFault: (error) => faults.push(error),
      retryMs: 1,
    });

    journal.add(...all.map((one) => ({ delivery: one, ended: "dropped" as const })));
    await recorded;
    await journal.close();

    expect(new Set(written)).toEqual(new Set(all.slice(1).map(({ id }) => id)));
    expect(faults.length).toBeGreaterThan(0);
  });

  test("is left to the next start where the store takes nothing any more", async () => {
    let refused = 0;
    const journal = new OutcomeWriter({
      record: () => Promise.reject(new Error("No disk.")),
      onRecorded: () => {},
      onFault: () => (refused += 1),
    });
    journal.add(...deliveries(5).map((one) => ({ delivery: one, ended: "dropped" as const })));

    await journal.close();

    expect(journal.length).toBe(0);
    expect(refused).toBe(6);
  });
});
