// The queue of one endpoint: its capacity as the endpoint fails and recovers. And the writer of
// outcomes, when writes fail.

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
const PAUSE_MS = 60_000;

function delivery(isReplay = false): Delivery {
  const event = { id: newId("event", MORNING_MS), name: "order.paid", sequence: 1 };
  const endpointId = newId("webhook", MORNING_MS);
  const id = newId("delivery", MORNING_MS);
  return newDelivery(id, { event, endpointId, now: MORNING_MS, isReplay });
}

function deliveries(count: number): Delivery[] {
  return Array.from({ length: count }, () => delivery());
}

function outcomeOf(responseStatus: number): DeliveryOutcome {
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

/** Everything that may be in flight now. */
function takeAll(queue: EndpointQueue, paceMs = 0): Delivery[] {
  const next = queue.take(paceMs);
  return next === null ? [] : [next, ...takeAll(queue, paceMs)];
}

/** A queue with this many claimed deliveries, to an endpoint with this many failures in a row. */
function queueWith(count: number, failuresInRow = 0): EndpointQueue {
  const queue = new EndpointQueue(failuresInRow);
  for (const one of deliveries(count)) queue.add(one, 0);
  return queue;
}

/** Sends one delivery per status, each answered with it. */
function answerEach(queue: EndpointQueue, ...statuses: readonly number[]): void {
  for (const status of statuses) {
    queue.take(0);
    queue.finish(outcomeOf(status), 0);
  }
}

describe("a queue", () => {
  test("sends four deliveries at a time", () => {
    expect(takeAll(queueWith(9))).toHaveLength(4);
  });

  test("sends one at a time after five failures in a row and releases what it claimed ahead", () => {
    const queue = queueWith(9);
    answerEach(queue, 500, 500, 500, 500);
    queue.take(0);

    const released = queue.finish(outcomeOf(500), 0);

    expect(released).toHaveLength(4);
    expect(queue.capacity(0, CLAIMS)).toEqual({ fresh: 1, replayed: 1 });
  });

  test("sends one at a time from the start if the endpoint failed before", () => {
    expect(takeAll(queueWith(3, 5))).toHaveLength(1);
  });

  test("regains its capacity step by step", () => {
    const queue = new EndpointQueue(5);
    const capacities = [queue.capacity(0, CLAIMS).replayed];

    queue.add(delivery(), 0);
    answerEach(queue, 200);
    capacities.push(queue.capacity(0, CLAIMS).replayed);
    queue.add(delivery(), 0);
    answerEach(queue, 200);
    capacities.push(queue.capacity(0, CLAIMS).replayed);

    expect(capacities).toEqual([1, 2, 4]);
  });

  test("keeps its capacity before the fifth failure and after a success in between", () => {
    const queue = queueWith(16);

    answerEach(queue, 500, 500, 500, 500, 200, 500, 500, 500, 500);

    expect(takeAll(queue)).toHaveLength(4);
  });

  test.each([429, 502, 504, 410])("is paused for a minute after %p", (status) => {
    const queue = queueWith(8);
    queue.take(0);

    const released = queue.finish(outcomeOf(status), 0);

    expect(released).toHaveLength(7);
    expect(queue.capacity(PAUSE_MS - 1, CLAIMS)).toEqual({ fresh: 0, replayed: 0 });
    expect(queue.capacity(PAUSE_MS, CLAIMS)).toEqual({ fresh: 1, replayed: 1 });
    expect(queue.pauseLeftMs(PAUSE_MS - 1)).toBe(1);
  });

  test("accepts nothing while it is paused, not even earlier claims", () => {
    const queue = queueWith(1);
    queue.take(0);
    queue.finish(outcomeOf(429), 0);

    expect(queue.add(delivery(), 1)).toBeFalse();
    expect(queue.claimed).toBe(0);
  });

  test("accepts no more than its reduced capacity", () => {
    const queue = queueWith(5);
    answerEach(queue, 500, 500, 500, 500, 500);

    const added = deliveries(3).map((one) => queue.add(one, 0));

    expect(added).toEqual([true, false, false]);
  });

  test("is not paused after the clock moves back before the pause", () => {
    const queue = queueWith(1);
    queue.take(1_000_000);
    queue.finish(outcomeOf(429), 1_000_000);

    expect([queue.pauseLeftMs(1_000_001), queue.pauseLeftMs(999_999)]).toEqual([PAUSE_MS - 1, 0]);
  });

  test("sends new deliveries before replayed ones claimed earlier", () => {
    const queue = new EndpointQueue(0);
    const [old, fresh] = [delivery(true), delivery()];
    queue.add(old, 0);
    queue.add(fresh, 0);

    expect(takeAll(queue).map(({ id }) => id)).toEqual([fresh.id, old.id]);
  });

  test("claims new deliveries ahead, but replayed ones only within capacity", () => {
    const queue = new EndpointQueue(0);
    const empty = queue.capacity(0, CLAIMS);
    queue.add(delivery(), 0);
    queue.take(0);

    expect(empty).toEqual({ fresh: 16, replayed: 4 });
    expect(queue.capacity(0, CLAIMS)).toEqual({ fresh: 16, replayed: 3 });
  });

  test("claims no more than its share of all claims", () => {
    const queue = new EndpointQueue(0);

    expect(queue.capacity(0, 5)).toEqual({ fresh: 5, replayed: 4 });
  });
});

describe("the writer of outcomes", () => {
  test("saves them in batches", async () => {
    const batches: number[] = [];
    const writer = new OutcomeWriter({
      record: async (ended) => void batches.push(ended.length),
      onRecorded: () => {},
      onFault: () => {},
    });

    writer.add(...deliveries(100).map((one) => ({ delivery: one, ended: "dropped" as const })));
    await writer.close();

    expect(batches).toEqual([64, 36]);
    expect(writer.length).toBe(0);
  });

  test("saves the others if one can never be saved", async () => {
    const all = deliveries(3);
    const written: string[] = [];
    const faults: unknown[] = [];
    const { promise: recorded, resolve } = Promise.withResolvers<void>();
    const writer = new OutcomeWriter({
      record: async (ended) => {
        if (ended.some(({ delivery: { id } }) => id === all[0]?.id)) throw new Error("Not this.");
        written.push(...ended.map(({ delivery: { id } }) => id));
        if (written.length === 2) resolve();
      },
      onRecorded: () => {},
      onFault: (error) => faults.push(error),
      retryMs: 1,
    });

    writer.add(...all.map((one) => ({ delivery: one, ended: "dropped" as const })));
    await recorded;
    await writer.close();

    expect(new Set(written)).toEqual(new Set(all.slice(1).map(({ id }) => id)));
    expect(faults.length).toBeGreaterThan(0);
  });

  test("leaves them to the next start if no write succeeds", async () => {
    let faults = 0;
    const writer = new OutcomeWriter({
      record: () => Promise.reject(new Error("No disk.")),
      onRecorded: () => {},
      onFault: () => (faults += 1),
    });
    writer.add(...deliveries(5).map((one) => ({ delivery: one, ended: "dropped" as const })));

    await writer.close();

    expect(writer.length).toBe(0);
    expect(faults).toBe(6);
  });
});
