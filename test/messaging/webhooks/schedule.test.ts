// The retry schedule, on the shop's clock.

import { describe, expect, setDefaultTimeout, test } from "bun:test";

import { waitsMs } from "#messaging/webhooks/deliveries/delivery.ts";

import { openRawReceiver, openReceiver } from "../../support/receivers.ts";
import { openTestShop, type TestShop } from "../../support/shop.ts";
import {
  deliveryTo,
  firstAttempt,
  Gate,
  happen,
  idsOf,
  impatient,
  later,
  sent,
  statusesAt,
} from "./delivering.ts";
import { type MadeEndpoint, openEndpoint, sharedSender } from "./endpoints.ts";

const shared = sharedSender();

// Some tests are slow on a busy machine.
setDefaultTimeout(30_000);

const HOUR = 3_600;
const DAY = 24 * HOUR;

/** Answers every request with the same status. */
function answering(status: number, headers: Record<string, string> = {}) {
  return openReceiver({ answer: () => new Response("No.", { status, headers }) });
}

/** Answers with one status after the other, then keeps the last one. */
function answeringInTurn(...statuses: readonly number[]) {
  return openReceiver({
    answer: (_, nth) =>
      new Response(null, { status: statuses[Math.min(nth, statuses.length) - 1] ?? 500 }),
  });
}

/** Emits an event every day. */
async function livesOn(shop: TestShop, days: number): Promise<void> {
  for (let day = 0; day < days; day += 1) {
    await happen(shop);
    await later(shop, DAY);
  }
}

/** The wait before each attempt but the first, as a share of the scheduled wait. */
async function shares(shop: TestShop, endpoint: MadeEndpoint): Promise<number[]> {
  const { attempts } = await deliveryTo(shop, endpoint);
  const starts = attempts.map(({ startedAt }) => startedAt);
  return starts
    .slice(1)
    .map((at, index) => (at - (starts[index] ?? 0)) / (waitsMs[index + 1] ?? 0));
}

/** The wait before the second attempt according to the first, seconds. */
async function firstWait(shop: TestShop, endpoint: MadeEndpoint): Promise<number> {
  const { startedAt, nextAt } = await firstAttempt(shop, endpoint);
  return ((nextAt ?? 0) - startedAt) / 1_000;
}

describe("an event that no receiver accepts", () => {
  test("has ten attempts within 96 hours, each on schedule", async () => {
    await using receiver = answering(500);
    const endpoint = await openEndpoint(shared, { url: receiver.url, events: ["*"] });
    await happen(shared);

    const advanced = await later(shared, 96 * HOUR);

    expect(receiver.received).toHaveLength(10);
    const fired = advanced.list("/fired").map((one) => Object(one).name);
    expect(fired.filter((name) => name !== "alerts.summary")).toHaveLength(10);
    const waits = await shares(shared, endpoint);
    expect(waits.every((wait) => wait >= 0.799 && wait <= 1.201)).toBeTrue();
    expect(new Set(waits).size).toBeGreaterThan(5);
  });

  test("is exhausted after the tenth attempt", async () => {
    await using receiver = answering(500);
    const endpoint = await openEndpoint(shared, { url: receiver.url, events: ["*"] });
    await happen(shared);
    await later(shared, 96 * HOUR);

    await later(shared, 96 * HOUR);

    expect(receiver.received).toHaveLength(10);
    const { delivery, attempts } = await deliveryTo(shared, endpoint);
    expect([delivery.status, delivery.attempts, delivery.nextAt]).toEqual(["exhausted", 10, null]);
    expect(attempts.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });

  test("does not delay the next event", async () => {
    await using receiver = answeringInTurn(500, 204);
    const endpoint = await openEndpoint(shared, { url: receiver.url, events: ["*"] });
    await happen(shared);
    await receiver.next();

    await happen(shared);
    await receiver.next();
    await sent(shared);

    expect(await statusesAt(shared, endpoint)).toEqual(["pending", "succeeded"]);
  });
});

test.each([301, 400, 401, 404, 409, 422, 500, 503])("%p is retried", async (status) => {
  await using receiver = answeringInTurn(status, 204);
  const endpoint = await openEndpoint(shared, { url: receiver.url, events: ["*"] });
  await happen(shared);

  await later(shared, 10);

  const { delivery, attempts } = await deliveryTo(shared, endpoint);
  expect(delivery.status).toBe("succeeded");
  expect(attempts.map(({ responseStatus }) => responseStatus)).toEqual([status, 204]);
});

test("a success after failures ends the retries and resets the failures", async () => {
  await using receiver = answeringInTurn(500, 503, 404, 200);
  const endpoint = await openEndpoint(shared, { url: receiver.url, events: ["*"] });
  await happen(shared);

  await later(shared, 96 * HOUR);

  expect(receiver.received).toHaveLength(4);
  expect(await statusesAt(shared, endpoint)).toEqual(["succeeded"]);
  expect((await shared.get(endpoint.path)).body).toMatchObject({
    failures_in_row: 0,
    failing_since: null,
    last_success_at: expect.any(String),
  });
});

describe("Retry-After", () => {
  test.each([
    ["1", 4, 6],
    ["3600", HOUR, HOUR],
    ["1000000000000", DAY, DAY],
    ["-5", 4, 6],
    ["Mon, 05 Jan 2015 08:00:00 GMT", 4, 6],
    ["Mon, 05 Jan 2199 08:00:00 GMT", DAY, DAY],
    ["soon", 4, 6],
  ])("of %s is honored within limits", async (header, shortest, longest) => {
    await using receiver = answering(503, { "Retry-After": header });
    const endpoint = await openEndpoint(shared, { url: receiver.url, events: ["*"] });

    await happen(shared);
    await sent(shared);

    const wait = await firstWait(shared, endpoint);
    expect(wait).toBeGreaterThanOrEqual(shortest);
    expect(wait).toBeLessThanOrEqual(longest);
  });

  test("as a date counts from real time, not from the shop's clock", async () => {
    await using shop = await openTestShop();
    await later(shop, 500 * DAY);
    const inTwoHours = new Date(Date.now() + 2 * HOUR * 1_000).toUTCString();
    await using receiver = answering(503, { "Retry-After": inTwoHours });
    const endpoint = await openEndpoint(shop, { url: receiver.url, events: ["*"] });

    await happen(shop);
    await later(shop);

    const wait = await firstWait(shop, endpoint);
    expect(wait).toBeGreaterThan(1.9 * HOUR);
    expect(wait).toBeLessThanOrEqual(2 * HOUR);
  });
});

describe("an endpoint that is gone (410)", () => {
  test("is disabled at once and announced once", async () => {
    await using receiver = answering(410);
    const endpoint = await openEndpoint(shared, { url: receiver.url, events: ["customer.*"] });
    await shared.announced();

    await happen(shared, 20);
    await sent(shared);

    expect((await shared.get(endpoint.path)).body).toMatchObject({
      status: "disabled",
      disabled_reason: "gone",
    });
    const announced = (await shared.announced()).filter(
      ({ event }) => event === "webhook.disabled",
    );
    expect(announced).toMatchObject([{ data: { webhook_id: endpoint.id, reason: "gone" } }]);
  });

  test("gets no pending deliveries", async () => {
    await using receiver = answering(410);
    const endpoint = await openEndpoint(shared, { url: receiver.url, events: ["customer.*"] });

    await happen(shared, 20);
    await later(shared, 96 * HOUR);

    expect(receiver.received.length).toBeLessThanOrEqual(4);
    expect(new Set(await statusesAt(shared, endpoint))).toEqual(new Set(["cancelled"]));
  });
});

describe("an overloaded endpoint", () => {
  test.each([429, 502, 504])("that answers %p is paused for a minute", async (status) => {
    await using receiver = answeringInTurn(status, 204);
    await openEndpoint(shared, { url: receiver.url, events: ["*"] });
    await happen(shared);
    await later(shared);
    const more = await happen(shared, 3);

    await later(shared, 50);
    const meanwhile = receiver.received.length;
    await later(shared, 15);

    expect(meanwhile).toBe(1);
    expect(idsOf(receiver.received).slice(1)).toEqual(expect.arrayContaining(more));
  });

  test("that times out is paused for a minute", async () => {
    await using shop = await openTestShop({ callOut: impatient });
    await using receiver = await openRawReceiver();
    const url = `http://127.0.0.1:${receiver.port}/`;
    const endpoint = await openEndpoint(shop, { url, events: ["*"] });
    await happen(shop);
    await later(shop);
    await happen(shop, 3);

    await later(shop, 50);
    const meanwhile = receiver.connections;
    await later(shop, 15);

    expect(meanwhile).toBe(1);
    expect(receiver.connections).toBe(2);
    expect((await shop.get(endpoint.path)).at("/failures_in_row")).toBe(2);
  });

  test("gets one attempt after the pause, then more at a time", async () => {
    const gates = [new Gate(), new Gate()];
    await using receiver = openReceiver({
      answer: (_, nth) =>
        nth === 1
          ? new Response(null, { status: 429 })
          : (gates[nth === 2 ? 0 : 1]?.pass() ?? new Response()),
    });
    await openEndpoint(shared, { url: receiver.url, events: ["*"] });
    await happen(shared);
    await receiver.next();
    await happen(shared, 10);

    const advance = later(shared, 70);
    await receiver.next();
    const first = [receiver.received.length, gates[0]?.waitingMax];
    gates[0]?.open();
    await receiver.next(2);
    gates[1]?.open();
    await advance;

    expect(first).toEqual([2, 1]);
    expect(gates[1]?.waitingMax).toBeLessThanOrEqual(4);
    expect(receiver.received).toHaveLength(12);
  });

  test("is not paused for days after the clock moved back", async () => {
    await using shop = await openTestShop();
    await later(shop, 30 * DAY);
    await using receiver = answeringInTurn(429, 204);
    await openEndpoint(shop, { url: receiver.url, events: ["*"] });
    await happen(shop);
    // Resolves once the refusal is recorded, so the pause begins before the clock moves back.
    await later(shop);
    await receiver.next();

    await shop.delete("/v2/test/clock");
    const [event = ""] = await happen(shop);

    expect(idsOf(await receiver.next())).toEqual([event]);
  });
});

describe("an endpoint whose attempts all fail", () => {
  test("for five days is disabled and announced once", async () => {
    await using shop = await openTestShop();
    await using receiver = answering(500);
    const endpoint = await openEndpoint(shop, { url: receiver.url, events: ["customer.*"] });

    await livesOn(shop, 6);

    expect((await shop.get(endpoint.path)).body).toMatchObject({
      status: "disabled",
      disabled_reason: "failing",
      failing_since: expect.stringMatching(/^2026-01-05T/),
      disabled_at: expect.stringMatching(/^2026-01-10T/),
    });
    const announced = (await shop.announced()).filter(({ event }) => event === "webhook.disabled");
    expect(announced).toMatchObject([{ data: { webhook_id: endpoint.id, reason: "failing" } }]);
  });

  test("for less is not disabled", async () => {
    await using receiver = answering(500);
    const { path } = await openEndpoint(shared, { url: receiver.url, events: ["customer.*"] });

    await livesOn(shared, 4);

    expect((await shared.get(path)).at("/status")).toBe("enabled");
  });

  test("is reset by any success", async () => {
    await using shop = await openTestShop();
    let isOpen = false;
    await using receiver = openReceiver({
      answer: () => new Response(null, { status: isOpen ? 204 : 500 }),
    });
    const { path } = await openEndpoint(shop, { url: receiver.url, events: ["customer.*"] });
    await livesOn(shop, 4);
    isOpen = true;
    await livesOn(shop, 1);
    isOpen = false;

    await livesOn(shop, 4);

    expect((await shop.get(path)).body).toMatchObject({
      status: "enabled",
      failing_since: expect.stringMatching(/^2026-01-10T/),
    });
  });
});

test("a clock that jumps over several due times makes one attempt", async () => {
  await using shop = await openTestShop();
  await using receiver = answering(500);
  await openEndpoint(shop, { url: receiver.url, events: ["*"] });
  await happen(shop);
  await later(shop);

  await shop.put("/v2/test/clock", { now: "2026-01-20T08:00:00Z" });
  await receiver.next(2);

  expect(receiver.received).toHaveLength(2);
});
