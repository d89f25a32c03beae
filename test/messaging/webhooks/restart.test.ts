// Deliveries when the program stops during them and restarts, and when its own code fails.

import { describe, expect, setDefaultTimeout, test } from "bun:test";

import { DAY_MS, HOUR_MS } from "#kernel/time.ts";
import { type CallOut, openCallOut } from "#platform/net/call-out.ts";
import { saveClockOffset } from "#platform/scheduler/shop-clock.ts";

import { openRawReceiver, openReceiver } from "../../support/receivers.ts";
import { openScratchFolder, type ScratchFolder } from "../../support/scratch.ts";
import { openTestShop, type TestShop } from "../../support/shop.ts";
import { deliveriesTo, deliveryTo, Gate, happen, idsOf, later, statusesAt } from "./delivering.ts";
import { openEndpoint } from "./endpoints.ts";

// Some tests are slow on a busy machine.
setDefaultTimeout(30_000);

/** A shop that waits one second for attempts in flight when it stops. */
function openHasty(folder: ScratchFolder): Promise<TestShop> {
  return openTestShop({ folder, settings: { DUKA_SHUTDOWN_SECONDS: "1" } });
}

/** Throws this many times, then calls over the network. */
function breaking(times: number): CallOut {
  const callOut = openCallOut();
  let calls = 0;
  return (call) => {
    calls += 1;
    if (calls <= times) throw new Error("Something is wrong.");
    return callOut(call);
  };
}

describe("an attempt in flight when the program stops", () => {
  test("is aborted if it takes too long, recorded as unknown and repeated", async () => {
    using folder = openScratchFolder();
    const arrived = Promise.withResolvers<void>();
    await using silent = await openRawReceiver({ request: () => arrived.resolve() });
    await using receiver = openReceiver();
    const before = await openHasty(folder);
    const url = `http://127.0.0.1:${silent.port}/`;
    const endpoint = await openEndpoint(before, { url, events: ["*"] });
    const events = await happen(before);
    await arrived.promise;
    await before.put(endpoint.path, { url: receiver.url });
    await before[Symbol.asyncDispose]();

    await using after = await openTestShop({ folder });
    await receiver.next();
    await later(after);

    expect(idsOf(receiver.received)).toEqual(events);
    expect(await deliveryTo(after, endpoint)).toMatchObject({
      delivery: { status: "succeeded", attempts: 2 },
      attempts: [
        { number: 1, outcome: "unknown", failure: null, durationMs: null },
        { number: 2, outcome: "succeeded" },
      ],
    });
  });

  test("is awaited, and not repeated if it succeeds", async () => {
    using folder = openScratchFolder();
    const gate = new Gate();
    await using receiver = openReceiver({ answer: () => gate.pass() });
    const before = await openTestShop({ folder });
    const endpoint = await openEndpoint(before, { url: receiver.url, events: ["*"] });
    await happen(before);
    await receiver.next();
    const stopped = before[Symbol.asyncDispose]();
    gate.open();
    await stopped;

    await using after = await openTestShop({ folder });
    await later(after);

    expect(receiver.received).toHaveLength(1);
    expect(await deliveryTo(after, endpoint)).toMatchObject({
      delivery: { status: "succeeded", attempts: 1 },
      attempts: [{ outcome: "succeeded" }],
    });
  });
});

describe("a claim that was not sent when the program stops", () => {
  test("is released and costs no attempt", async () => {
    using folder = openScratchFolder();
    const gate = new Gate();
    await using receiver = openReceiver({ answer: () => gate.pass() });
    const before = await openTestShop({ folder });
    const endpoint = await openEndpoint(before, { url: receiver.url, events: ["*"] });
    const events = await happen(before, 30);
    await receiver.next(4);
    const stopped = before.duka.couriers.test.stop(5_000);
    gate.open();
    await stopped;
    const meanwhile = receiver.received.length;
    await before[Symbol.asyncDispose]();

    await using after = await openTestShop({ folder });
    await later(after);

    expect(meanwhile).toBe(4);
    expect(idsOf(receiver.received).toSorted()).toEqual(events.toSorted());
    const results = (await deliveriesTo(after, endpoint)).map(({ delivery, attempts }) => [
      delivery.status,
      delivery.attempts,
      attempts.length,
    ]);
    expect(results).toEqual(events.map(() => ["succeeded", 1, 1]));
  });
});

test("events from while the program is stopped are delivered at the next start", async () => {
  using folder = openScratchFolder();
  await using receiver = openReceiver();
  const before = await openTestShop({ folder });
  await openEndpoint(before, { url: receiver.url, events: ["*"] });
  await before.duka.couriers.test.stop(0);
  const events = await happen(before, 3);
  await before[Symbol.asyncDispose]();

  await using after = await openTestShop({ folder });
  await later(after);

  expect(idsOf(receiver.received).toSorted()).toEqual(events.toSorted());
});

describe("an internal error during an attempt", () => {
  test("is recorded as unknown, and the delivery is retried on its schedule", async () => {
    const settings = { DUKA_LOG_LEVEL: "silent" };
    await using shop = await openTestShop({ callOut: breaking(2), settings });
    await using receiver = openReceiver();
    const endpoint = await openEndpoint(shop, { url: receiver.url, events: ["*"] });
    await happen(shop);

    await later(shop, 10);
    const first = await statusesAt(shop, endpoint);
    await later(shop, 600);

    expect(first).toEqual(["pending"]);
    const { delivery, attempts } = await deliveryTo(shop, endpoint);
    expect([delivery.status, delivery.attempts]).toEqual(["succeeded", 3]);
    expect(attempts.map(({ outcome }) => outcome)).toEqual(["unknown", "unknown", "succeeded"]);
    expect((await shop.get(endpoint.path)).at("/failures_in_row")).toBe(0);
  });

  test("exhausts the delivery if it repeats", async () => {
    const settings = { DUKA_LOG_LEVEL: "silent" };
    await using shop = await openTestShop({ callOut: breaking(1_000), settings });
    const endpoint = await openEndpoint(shop, { events: ["*"] });
    await happen(shop);

    await later(shop, 96 * 3_600);

    const { delivery, attempts } = await deliveryTo(shop, endpoint);
    expect([delivery.status, attempts.length]).toEqual(["exhausted", 10]);
  });
});

// Regression: the time in which nothing was sent counted as days of failures, and one more disabled the endpoint.
test("an endpoint whose receiver starts later than the program is not disabled after days off", async () => {
  using folder = openScratchFolder();
  const before = await openTestShop({ folder });
  await using receiver = openReceiver({ answer: () => new Response(null, { status: 503 }) });
  const endpoint = await openEndpoint(before, { url: receiver.url, events: ["*"] });
  await happen(before);
  await later(before);
  await before.test.database.write((tx) => saveClockOffset(tx, 6 * DAY_MS));
  await before[Symbol.asyncDispose]();

  await using after = await openTestShop({ folder, key: before.key });
  await later(after);
  const started = await after.get(endpoint.path);
  after.clock.advance(2 * HOUR_MS);
  await later(after);
  const failing = await after.get(endpoint.path);

  expect([started.at("/status"), failing.at("/disabled_reason")]).toEqual(["enabled", "failing"]);
});
