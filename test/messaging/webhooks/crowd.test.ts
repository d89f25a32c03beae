// Many deliveries at once, as receivers see them: each endpoint has a limited concurrency, and an
// endpoint that does not answer does not delay the others.

import { describe, expect, setDefaultTimeout, test } from "bun:test";

import { newId } from "#kernel/id.ts";
import { newDelivery } from "#messaging/webhooks/deliveries/delivery.ts";
import { deliveryRows } from "#messaging/webhooks/deliveries/queries.ts";
import { moveLogCursor } from "#platform/event-log/log-cursors.ts";

import { rowsBehind } from "../../support/behind-the-shop.ts";
import { openRawReceiver, openReceiver } from "../../support/receivers.ts";
import { runs } from "../../support/runs.ts";
import { openScratchFolder } from "../../support/scratch.ts";
import { openTestShop, type TestShop } from "../../support/shop.ts";
import { Gate, happen } from "./delivering.ts";
import { type MadeEndpoint, openEndpoint } from "./endpoints.ts";

setDefaultTimeout(60_000);

/** Endpoints of one receiver, each with a path of its own. */
async function openMany(shop: TestShop, count: number, port: number): Promise<MadeEndpoint[]> {
  const made: MadeEndpoint[] = [];
  for (let number = 1; number <= count; number += 1) {
    const url = `http://127.0.0.1:${port}/${number}`;
    made.push(await openEndpoint(shop, { url, events: ["*"] }));
  }
  return made;
}

/** Creates this many pending deliveries to each endpoint, for the next start of the shop. */
async function pileUp(
  shop: TestShop,
  endpoints: readonly MadeEndpoint[],
  count: number,
): Promise<void> {
  await shop.duka.couriers.test.stop(0);
  await happen(shop, count);
  const events = await shop.events();
  const to = events.at(-1)?.sequence ?? 0;
  await shop.test.database.write((tx) => moveLogCursor(tx, "webhooks", { from: 0, to }));
  for (const { id: endpointId } of endpoints) {
    await shop.test.database.write(async (tx) => {
      for (const event of events) {
        const id = newId("delivery", tx.now);
        await deliveryRows.insert(tx, newDelivery(id, { event, endpointId, now: tx.now }));
      }
    });
  }
}

/** Emits one event after the other, so that each can be claimed in between. */
async function happenInTurn(shop: TestShop, count: number): Promise<void> {
  for (let number = 0; number < count; number += 1) await happen(shop);
}

/** The number of deliveries in `sending`. */
async function claimed(shop: TestShop): Promise<number> {
  const sending = "SELECT count(*) AS count FROM webhook_deliveries WHERE status = 'sending'";
  const [row] = await rowsBehind(shop.folder.path, sending);
  return Number(row?.["count"]);
}

/** Counts requests by path: how many at a time, and how far the paths are apart. */
class Turnstile {
  readonly #came = new Map<string, number>();
  readonly #here = new Map<string, number>();
  hereMax = 0;
  hereAtOneMax = 0;
  /** The greatest lead of the path with most requests over the one with fewest. */
  apartMax = 0;

  async pass(path: string): Promise<Response> {
    this.#count(path, 1);
    const came = (this.#came.get(path) ?? 0) + 1;
    this.#came.set(path, came);
    this.apartMax = Math.max(this.apartMax, came - Math.min(...this.#came.values()));
    // A turn of the event loop for the others to come in.
    await Bun.sleep(0);
    this.#count(path, -1);
    return new Response(null, { status: 204 });
  }

  #count(path: string, by: number): void {
    const here = (this.#here.get(path) ?? 0) + by;
    this.#here.set(path, here);
    this.hereAtOneMax = Math.max(this.hereAtOneMax, here);
    const all = [...this.#here.values()].reduce((sum, one) => sum + one, 0);
    this.hereMax = Math.max(this.hereMax, all);
  }
}

test("deliveries that are due at the start are sent in turn, a few at a time", async () => {
  const due = 20 * runs(100);
  using folder = openScratchFolder();
  const turnstile = new Turnstile();
  await using receiver = openReceiver({ answer: ({ path }) => turnstile.pass(path) });
  const before = await openTestShop({ folder });
  await pileUp(before, await openMany(before, 20, receiver.port), due / 20);
  await before[Symbol.asyncDispose]();

  await using shop = await openTestShop({ folder });
  const arrived = await receiver.next(due);
  await shop.duka.couriers.test.settle();

  expect(receiver.received).toHaveLength(due);
  expect(new Set(arrived.map(({ headers }) => headers.get("duka-delivery-id"))).size).toBe(due);
  expect(turnstile.hereAtOneMax).toBeLessThanOrEqual(4);
  expect(turnstile.hereMax).toBeLessThanOrEqual(64);
  expect(turnstile.apartMax).toBeLessThanOrEqual(200);
});

describe("while no receiver answers", () => {
  test("at most four attempts are in flight to one endpoint, and 64 in all", async () => {
    await using shop = await openTestShop();
    const gate = new Gate();
    await using receiver = openReceiver({ answer: () => gate.pass() });
    const endpoints = await openMany(shop, 20, receiver.port);
    await happen(shop, 10);

    const first = await receiver.next(64);
    const cameFirst = gate.came;
    gate.open();
    await receiver.next(20 * 10 - 64);

    const paths = Map.groupBy(first, ({ path }) => path);
    expect(paths.size).toBeLessThanOrEqual(endpoints.length);
    expect(Math.max(...[...paths.values()].map((one) => one.length))).toBeLessThanOrEqual(4);
    expect([cameFirst, gate.waitingMax]).toEqual([64, 64]);
  });

  test("the number of claims is bounded, however many endpoints there are", async () => {
    await using shop = await openTestShop({ settings: { DUKA_SHUTDOWN_SECONDS: "1" } });
    const gate = new Gate();
    await using receiver = openReceiver({ answer: () => gate.pass() });
    await openMany(shop, 50, receiver.port);

    await happenInTurn(shop, 40);
    await receiver.next(64);
    await happenInTurn(shop, 20);
    const taken = await claimed(shop);
    gate.open();
    await receiver.next(50 * 60 - 64);

    expect(taken).toBeGreaterThanOrEqual(64);
    expect(taken).toBeLessThanOrEqual(256);
  });
});

test("one endpoint that never answers occupies four attempts, and 49 others get everything", async () => {
  await using shop = await openTestShop({ settings: { DUKA_SHUTDOWN_SECONDS: "1" } });
  await using dead = await openRawReceiver();
  await using receiver = openReceiver();
  const url = `http://127.0.0.1:${dead.port}/`;
  await openEndpoint(shop, { url, events: ["*"] });
  await openMany(shop, 49, receiver.port);

  const events = await happen(shop, 40);
  const arrived = await receiver.next(49 * events.length);

  expect(new Set(arrived.map(({ headers }) => headers.get("webhook-id")))).toEqual(new Set(events));
  expect([dead.connections, dead.requests]).toEqual([4, 4]);
});

test("twenty endpoints that never answer cannot occupy all attempts", async () => {
  await using shop = await openTestShop({ settings: { DUKA_SHUTDOWN_SECONDS: "1" } });
  await using dead = await openRawReceiver();
  await using receiver = openReceiver();
  await openMany(shop, 20, dead.port);
  await openMany(shop, 5, receiver.port);

  await happenInTurn(shop, 40);
  await receiver.next(5 * 40);

  expect(dead.connections).toBeLessThanOrEqual(59);
});

test("many that fail at once are retried over the whole jitter", async () => {
  await using shop = await openTestShop();
  await using receiver = openReceiver({ answer: () => new Response(null, { status: 500 }) });
  await openMany(shop, 50, receiver.port);
  await happen(shop, 20);
  await shop.duka.couriers.test.settle();

  const waits = await firstWaits(shop);

  expect(waits).toHaveLength(1_000);
  expect(Math.min(...waits)).toBeGreaterThanOrEqual(4_000);
  expect(Math.max(...waits)).toBeLessThanOrEqual(6_000);
  expect(new Set(waits.map((wait) => Math.floor((wait - 4_000) / 200))).size).toBeGreaterThan(9);
});

/** The wait of each failed delivery before its second attempt, milliseconds. */
async function firstWaits(shop: TestShop): Promise<number[]> {
  const waits = "SELECT next_at - started_at AS wait FROM webhook_attempts WHERE number = 1";
  return (await rowsBehind(shop.folder.path, waits)).map(({ wait }) => Number(wait));
}
