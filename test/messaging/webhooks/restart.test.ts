// Deliveries when Duka stops in the middle and starts again, and when something of it fails.

import { describe, expect, setDefaultTimeout, test } from "bun:test";

import { type CallOut, openCallOut } from "#platform/net/call-out.ts";

import { openRawReceiver, openReceiver } from "../../support/receivers.ts";
import { openScratchFolder, type ScratchFolder } from "../../support/scratch.ts";
import { openTestShop, type TestShop } from "../../support/shop.ts";
import { deliveriesTo, deliveryTo, Gate, happen, idsOf, later, statusesAt } from "./delivering.ts";
import { openEndpoint } from "./endpoints.ts";

// Some of it is much work for a busy machine.
setDefaultTimeout(30_000);

/** One that waits a second for what is under way when it stops. */
function openHasty(folder: ScratchFolder): Promise<TestShop> {
  return openTestShop({ folder, settings: { DUKA_SHUTDOWN_SECONDS: "1" } });
}

/** Breaks so many times, then calls over the network. */
function breaking(times: number): CallOut {
  const callOut = openCallOut();
  let calls = 0;
  return (call) => {
    calls += 1;
    if (calls <= times) throw new Error("Something is wrong.");
    return callOut(call);
  };
}

describe("an attempt that is under way when Duka stops", () => {
  test("is cut when it takes too long, told as unknown, and made again", async () => {
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

  test("is waited for, and not made again when it succeeded", async () => {
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

describe("what was taken to be sent and was not when Duka stops", () => {
  test("is put back, and no attempt was lost by it", async () => {
    using folder = openScratchFolder();
    const gate = new Gate();
    await using receiver = openReceiver({ answer: () => gate.pass() });
    const before = await openTestShop({ folder });
    const endpoint = await openEndpoint(before, { url: receiver.url, events: ["*"] });
    const events = await happen(before, 30);
    await receiver.next(4);
    const stopped = before[Symbol.asyncDispose]();
    gate.open();
    await stopped;
    const meanwhile = receiver.received.length;

    await using after = await openTestShop({ folder });
    await later(after);

    expect(meanwhile).toBe(4);
    expect(idsOf(receiver.received).toSorted()).toEqual(events.toSorted());
    const told = (await deliveriesTo(after, endpoint)).map(({ delivery, attempts }) => [
      delivery.status,
      delivery.attempts,
      attempts.length,
    ]);
    expect(told).toEqual(events.map(() => ["succeeded", 1, 1]));
  });
});

test("what happens while nobody delivers is delivered at the next start", async () => {
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

describe("a fault of ours while something is sent", () => {
  test("is told as unknown, and it is sent again as the plan has it", async () => {
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

  test("does not go on for ever", async () => {
    const settings = { DUKA_LOG_LEVEL: "silent" };
    await using shop = await openTestShop({ callOut: breaking(1_000), settings });
    const endpoint = await openEndpoint(shop, { events: ["*"] });
    await happen(shop);

    await later(shop, 96 * 3_600);

    const { delivery, attempts } = await deliveryTo(shop, endpoint);
    expect([delivery.status, attempts.length]).toEqual(["exhausted", 10]);
  });
});
