// Replays of past events by time, sequence or name, or of those that never arrived. New events are
// sent first.

import { describe, expect, setDefaultTimeout, test } from "bun:test";

import { ada, mug } from "../../support/cast.ts";
import { openReceiver } from "../../support/receivers.ts";
import { openScratchFolder } from "../../support/scratch.ts";
import { openTestShop, type TestShop } from "../../support/shop.ts";
import {
  deliveriesTo,
  Gate,
  happen,
  idsOf,
  later,
  onTheirWay,
  sent,
  statusesAt,
} from "./delivering.ts";
import { type MadeEndpoint, openEndpoint, sharedSender } from "./endpoints.ts";

// Some tests are slow on a busy machine.
setDefaultTimeout(30_000);

const HOUR = 3_600;

const shared = sharedSender();

/** An endpoint that was created after the given events. */
async function lateEndpoint(shop: TestShop, url: string): Promise<MadeEndpoint> {
  return openEndpoint(shop, { url, events: ["*"] });
}

/** The sequence of the newest event, after which a test replays. */
async function newest(): Promise<number> {
  return (await shared.events()).at(-1)?.sequence ?? 0;
}

function failing(count: number) {
  return (_: unknown, nth: number) => new Response(null, { status: nth <= count ? 500 : 204 });
}

describe("a replay sends", () => {
  test("everything by default, each event as a new delivery", async () => {
    await using shop = await openTestShop();
    await using receiver = openReceiver();
    const events = await happen(shop, 5);
    const endpoint = await lateEndpoint(shop, receiver.url);

    const started = await shop.post(`${endpoint.path}/replay`, {});
    await later(shop);

    expect(started.body).toMatchObject({ id: endpoint.id, replay: { after: 0, until: 5 } });
    expect(idsOf(receiver.received).toSorted()).toEqual(events);
    const replayed = await deliveriesTo(shop, endpoint);
    expect(replayed.map(({ delivery }) => delivery.isReplay)).toEqual(events.map(() => true));
    expect((await shop.get(endpoint.path)).at("/replay")).toBeNull();
  });

  test("the events between two sequences", async () => {
    const start = await newest();
    await using receiver = openReceiver();
    const events = await happen(shared, 6);
    const { path } = await lateEndpoint(shared, receiver.url);

    await shared.post(`${path}/replay`, { after: start + 2, until: start + 4 });
    await sent(shared);

    expect(idsOf(receiver.received).toSorted()).toEqual(events.slice(2, 4));
  });

  test("the events between two times", async () => {
    await using shop = await openTestShop();
    await using receiver = openReceiver();
    await happen(shop);
    await later(shop, HOUR);
    const events = await happen(shop, 2);
    await later(shop, HOUR);
    await happen(shop);
    const { path } = await lateEndpoint(shop, receiver.url);

    const span = { from: "2026-01-05T08:30:00Z", to: "2026-01-05T09:30:00Z" };
    await shop.post(`${path}/replay`, span);
    await later(shop);

    expect(idsOf(receiver.received).toSorted()).toEqual(events);
  });

  test("the events with a name", async () => {
    const start = await newest();
    await using receiver = openReceiver();
    await ada(shared);
    await mug(shared);
    const { path } = await lateEndpoint(shared, receiver.url);

    await shared.post(`${path}/replay`, { after: start, events: ["product.*"] });
    await sent(shared);

    expect(receiver.received.map(({ body }) => JSON.parse(body).event)).toEqual([
      "product.created",
    ]);
  });

  test("the endpoint's own events by default", async () => {
    const start = await newest();
    await using receiver = openReceiver();
    await ada(shared);
    await mug(shared);
    const { path } = await openEndpoint(shared, { url: receiver.url, events: ["customer.*"] });

    await shared.post(`${path}/replay`, { after: start });
    await sent(shared);

    expect(receiver.received.map(({ body }) => JSON.parse(body).event)).toEqual([
      "customer.created",
    ]);
  });

  test("only events that never arrived, with failed_only", async () => {
    await using shop = await openTestShop();
    await using receiver = openReceiver({ answer: failing(10) });
    const { path } = await openEndpoint(shop, { url: receiver.url, events: ["*"] });
    const [lost = ""] = await happen(shop);
    await later(shop, 96 * HOUR);
    await happen(shop, 3);
    await later(shop);
    const before = receiver.received.length;

    await shop.post(`${path}/replay`, { failed_only: true });
    await later(shop);

    expect(idsOf(receiver.received.slice(before))).toEqual([lost]);
  });

  test("no event that arrived by an earlier replay, with failed_only", async () => {
    await using shop = await openTestShop();
    await using receiver = openReceiver({ answer: failing(10) });
    const { path } = await openEndpoint(shop, { url: receiver.url, events: ["*"] });
    await happen(shop);
    await later(shop, 96 * HOUR);
    await shop.post(`${path}/replay`, { failed_only: true });
    await later(shop);

    await shop.post(`${path}/replay`, { failed_only: true });
    await later(shop);

    expect(receiver.received).toHaveLength(11);
  });

  test("nothing for an empty span", async () => {
    const start = await newest();
    await using receiver = openReceiver();
    await happen(shared, 3);
    const { path } = await lateEndpoint(shared, receiver.url);

    await shared.post(`${path}/replay`, { after: start + 5, until: start + 2 });
    await sent(shared);

    expect(receiver.received).toEqual([]);
    expect((await shared.get(path)).at("/replay")).toBeNull();
  });

  test("failed deliveries again, on their schedule", async () => {
    await using shop = await openTestShop();
    await using receiver = openReceiver({ answer: failing(2) });
    await happen(shop);
    const endpoint = await lateEndpoint(shop, receiver.url);

    await shop.post(`${endpoint.path}/replay`, {});
    await later(shop, HOUR);

    expect(receiver.received).toHaveLength(3);
    expect(await statusesAt(shop, endpoint)).toEqual(["succeeded"]);
  });
});

describe("a replay", () => {
  test("is refused while another one to the same endpoint is running", async () => {
    const start = await newest();
    const gate = new Gate();
    await using receiver = openReceiver({ answer: () => gate.pass() });
    await happen(shared, 500);
    const { path } = await lateEndpoint(shared, receiver.url);
    await shared.post(`${path}/replay`, { after: start });
    await receiver.next();

    const second = await shared.post(`${path}/replay`, { after: start });
    gate.open();

    expect([second.status, second.code]).toEqual([409, "replay_running"]);
  });

  test("can run to two endpoints at the same time", async () => {
    const start = await newest();
    await using receiver = openReceiver();
    await happen(shared, 150);
    const [one, other] = [
      await lateEndpoint(shared, receiver.url),
      await lateEndpoint(shared, receiver.url),
    ];

    await shared.post(`${one.path}/replay`, { after: start });
    await shared.post(`${other.path}/replay`, { after: start });
    await sent(shared);

    expect(receiver.received).toHaveLength(300);
  });

  test("is refused while the endpoint is disabled", async () => {
    const { path } = await openEndpoint(shared);
    await shared.put(path, { status: "disabled" });

    const refused = await shared.post(`${path}/replay`, {});

    expect([refused.status, refused.code]).toEqual([409, "webhook_disabled"]);
  });

  test("ends when the endpoint is disabled and does not continue when it is enabled", async () => {
    const start = await newest();
    const gate = new Gate();
    await using receiver = openReceiver({ answer: () => gate.pass() });
    await happen(shared, 500);
    const { path } = await lateEndpoint(shared, receiver.url);
    await shared.post(`${path}/replay`, { after: start });
    await receiver.next();

    await shared.put(path, { status: "disabled" });
    const enabled = await shared.put(path, { status: "enabled" });
    gate.open();
    await sent(shared);

    expect(enabled.at("/replay")).toBeNull();
    expect(receiver.received.length).toBeLessThan(50);
  });

  test("is sent after new events", async () => {
    const start = await newest();
    const gate = new Gate();
    await using receiver = openReceiver({
      answer: (_, nth) => (nth <= 4 ? gate.pass() : new Response(null, { status: 204 })),
    });
    const old = await happen(shared, 300);
    const { path } = await lateEndpoint(shared, receiver.url);
    await shared.post(`${path}/replay`, { after: start });
    await receiver.next(4);
    const fresh = await happen(shared, 10);
    await onTheirWay(shared);

    gate.open();
    await sent(shared);

    const order = idsOf(receiver.received).map((id) => (fresh.includes(id) ? "fresh" : "old"));
    // Four are sent at a time, and any of them may arrive first: three old ones beside the last fresh one.
    const next = order.slice(4, 4 + fresh.length + 3).filter((one) => one === "fresh");
    expect(next).toHaveLength(fresh.length);
    expect(order).toHaveLength(old.length + fresh.length);
  });

  test("does not include events after its start", async () => {
    await using shop = await openTestShop();
    await using receiver = openReceiver();
    const { path } = await lateEndpoint(shop, receiver.url);
    const [event = ""] = await happen(shop);
    await later(shop);

    await shop.post(`${path}/replay`, { until: 1_000 });
    const [fresh = ""] = await happen(shop);
    await later(shop);

    expect(idsOf(receiver.received).toSorted()).toEqual([event, event, fresh]);
  });

  test("of a thousand events continues after a restart and loses none", async () => {
    using folder = openScratchFolder();
    const gate = new Gate();
    await using receiver = openReceiver({
      answer: (_, nth) => (nth > 300 ? gate.pass() : new Response(null, { status: 204 })),
    });
    const before = await openTestShop({ folder });
    const events = await happen(before, 1_000);
    const endpoint = await lateEndpoint(before, receiver.url);
    await before.post(`${endpoint.path}/replay`, {});
    await receiver.next(301);
    const stopped = before[Symbol.asyncDispose]();
    gate.open();
    await stopped;

    await using after = await openTestShop({ folder });
    await later(after);

    expect(new Set(idsOf(receiver.received))).toEqual(new Set(events));
    expect(receiver.received).toHaveLength(1_000);
    expect(new Set(await statusesAt(after, endpoint))).toEqual(new Set(["succeeded"]));
  });
});
