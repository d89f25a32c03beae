// The feed: events oldest first, read at once or by long polling.

import { expect, test } from "bun:test";

import { Refusal } from "#kernel/refusal.ts";
import { readFeed, waitForEvents, type WaitRequest } from "#messaging/events/read-feed.ts";
import type { Shop } from "#platform/database/shop.ts";

import { ada } from "../../support/cast.ts";
import { openTestShop, sharedShop, type TestShop } from "../../support/shop.ts";

const shared = sharedShop();

/** Longer than any test: one that needs it has failed. */
const LONG_MS = 30_000;
/** By then the server is waiting on a request that was sent. */
const UNDER_WAY_MS = 250;

const fromStart: WaitRequest = { after: 0, patterns: undefined, limit: 20, waitMs: LONG_MS };

async function createProduct(shop: TestShop, name: string): Promise<string> {
  return (await shop.post("/v2/products", { name, price: 10, currency: "USD", stock: 5 })).id;
}

/** The sequence of the newest event, after which a test reads. */
async function newest(): Promise<number> {
  return (await shared.events()).at(-1)?.sequence ?? 0;
}

/** The shop with a closing signal of the test's own, and the number of its commit listeners. */
function watched(shop: Shop) {
  const closing = new AbortController();
  const listeners = new Set<() => void>();
  const database = {
    ...shop.database,
    onAnnounced: (listener: () => void) => {
      const stop = shop.database.onAnnounced(listener);
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
        stop();
      };
    },
  };
  return { shop: { ...shop, database, closing: closing.signal }, closing, listeners };
}

test("pages neither lose nor repeat an event", async () => {
  const start = await newest();
  const ids = [
    await createProduct(shared, "Mug"),
    await createProduct(shared, "Bowl"),
    await createProduct(shared, "Plate"),
  ];

  const first = await shared.get(`/v2/events?limit=2&after=${start}`);
  const second = await shared.get(`/v2/events?limit=2&after=${first.number("/next_after")}`);
  const third = await shared.get(`/v2/events?limit=2&after=${second.number("/next_after")}`);

  expect([first, second].flatMap((page) => page.list("/data"))).toMatchObject(
    ids.map((id) => ({ event: "product.created", data: { id } })),
  );
  expect([first, second, third].map((page) => page.at("/has_more"))).toEqual([true, false, false]);
  expect(third.list("/data")).toEqual([]);
  expect(third.number("/next_after")).toBe(second.number("/next_after"));
});

test("a filtered feed continues after the events that did not match", async () => {
  const start = await newest();
  await ada(shared);
  await createProduct(shared, "Mug");

  const page = await shared.get(`/v2/events?event=customer.*,order.paid&after=${start}`);

  expect(page.list("/data")).toMatchObject([{ event: "customer.created" }]);
  expect(page.number("/next_after")).toBe((await shared.events()).at(-1)?.sequence ?? 0);
});

test("a filtered feed that looked at its most is empty, and goes on from there until it finds", async () => {
  const start = await newest();
  await createProduct(shared, "Tray");
  await createProduct(shared, "Jug");
  await ada(shared);
  const last = await newest();
  const pages: (readonly string[])[] = [];
  let after = start;
  let hasMore = true;

  while (hasMore) {
    const asked = { after, patterns: ["customer.*"], limit: 20 };
    const page = await readFeed(shared.test.database.read, asked, 1);
    expect(page.nextAfter).toBe(after + 1);
    pages.push(page.events.map(({ name }) => name));
    ({ nextAfter: after, hasMore } = page);
  }

  expect(after).toBe(last);
  expect(pages.slice(0, 2)).toEqual([[], []]);
  expect(pages.flat()).toContain("customer.created");
});

test("a page of a filtered feed that is full goes on after its last event", async () => {
  const start = await newest();
  await createProduct(shared, "Pot");
  await createProduct(shared, "Pan");

  const asked = { after: start, patterns: ["product.created"], limit: 1 };
  const page = await readFeed(shared.test.database.read, asked);

  expect(page).toMatchObject({ hasMore: true, nextAfter: page.events[0]?.sequence });
  expect(page.events).toHaveLength(1);
});

test("a page that is not the last continues after its last event", async () => {
  const start = await newest();
  await createProduct(shared, "Mug");
  await createProduct(shared, "Bowl");

  const page = await shared.get(`/v2/events?limit=1&after=${start}`);

  expect(page.number("/next_after")).toBe(page.number("/data/0/sequence"));
  expect(page.number("/last_sequence")).toBe(page.number("/data/0/sequence") + 1);
});

test("a client skips all existing events with the last sequence", async () => {
  await createProduct(shared, "Mug");

  const begun = await shared.get("/v2/events?limit=1");
  await ada(shared);
  const page = await shared.get(`/v2/events?after=${begun.number("/last_sequence")}`);

  expect(page.list("/data")).toMatchObject([{ event: "customer.created" }]);
});

test("a sequence ahead of the log stays, beside the log's last sequence", async () => {
  await using shop = await openTestShop();
  await createProduct(shop, "Mug");

  const page = await shop.get("/v2/events?after=1000");

  expect(page.body).toEqual({ data: [], has_more: false, next_after: 1000, last_sequence: 1 });
});

test("an unknown name is refused with the nearest one", async () => {
  const answer = await shared.get("/v2/events?event=order.piad&wait=30");

  expect([answer.status, answer.code]).toEqual([400, "event_not_known"]);
  expect(answer.string("/errors/0/detail")).toContain("order.paid");
});

test("an event is retrieved by its id, and an unknown one is not found", async () => {
  await createProduct(shared, "Mug");
  const event = (await shared.get("/v2/events")).at("/data/0");

  const found = await shared.get(`/v2/events/${(await shared.events())[0]?.id}`);
  const missing = await shared.get("/v2/events/evt_01h455vb4pex5vsknk084sn02q");

  expect(found.body).toEqual(event);
  expect([missing.status, missing.code]).toEqual([404, "event_not_found"]);
});

test("a waiting request is answered when an event occurs", async () => {
  const waiting = shared.get(`/v2/events?wait=30&after=${await newest()}`);
  await createProduct(shared, "Mug");

  expect((await waiting).list("/data")).toMatchObject([{ event: "product.created" }]);
});

test("a waiting request is answered at once if there are events", async () => {
  const start = await newest();
  await createProduct(shared, "Mug");

  const answer = await shared.get(`/v2/events?wait=30&after=${start}`);

  expect(answer.list("/data")).toHaveLength(1);
});

test("an event that is committed between the first read and the wait is returned", async () => {
  const waiting = waitForEvents(shared.test, { ...fromStart, after: await newest() });
  await shared.test.database.write((tx) => tx.emit({ name: "order.paid", subject: "x", data: {} }));

  expect((await waiting).events).toMatchObject([{ name: "order.paid" }]);
});

test("a request for customer events waits through all other events", async () => {
  const waiting = shared.get(`/v2/events?event=customer.*&wait=30&after=${await newest()}`);
  await createProduct(shared, "Mug");
  await createProduct(shared, "Bowl");
  const id = await ada(shared);

  expect((await waiting).list("/data")).toMatchObject([
    { event: "customer.created", data: { id } },
  ]);
});

test("a wait without an event ends with an empty page", async () => {
  await createProduct(shared, "Mug");

  const last = await newest();

  const answer = await shared.get(`/v2/events?after=${last}&wait=1`);

  expect(answer.body).toEqual({
    data: [],
    has_more: false,
    next_after: last,
    last_sequence: last,
  });
});

test("a closing shop answers waiting requests", async () => {
  await using shop = await openTestShop();
  const { shop: closable, closing, listeners } = watched(shop.test);

  const waiting = waitForEvents(closable, fromStart);
  closing.abort();

  expect((await waiting).events).toEqual([]);
  expect(listeners.size).toBe(0);
});

test("a closing shop answers new requests at once", async () => {
  await using shop = await openTestShop();
  const { shop: closed, closing } = watched(shop.test);
  closing.abort();

  const feed = await waitForEvents(closed, fromStart);

  expect(feed.events).toEqual([]);
});

test("a stopping server answers waiting requests", async () => {
  await using shop = await openTestShop();
  const waiting = shop.get("/v2/events?wait=25");
  // Nothing tells that the server has begun to wait.
  await Bun.sleep(UNDER_WAY_MS);

  await shop.duka.stop();

  const answer = await waiting;
  expect([answer.status, answer.at("/data")]).toEqual([200, []]);
});

test.each([
  ["an answer", fromStart],
  ["a wait in vain", { ...fromStart, after: 1, waitMs: 10 }],
])("after %s no listener is left", async (_, request) => {
  await using shop = await openTestShop();
  const { shop: watchedShop, listeners } = watched(shop.test);
  await createProduct(shop, "Mug");

  const waiting = waitForEvents(watchedShop, request);
  const before = listeners.size;
  await waiting;

  expect([before, listeners.size]).toEqual([1, 0]);
});

test("after a refusal no listener is left", async () => {
  const { shop: watchedShop, listeners } = watched(shared.test);

  const refused = waitForEvents(watchedShop, { ...fromStart, patterns: ["order.piad"] });

  expect(await refused.catch((error: unknown) => error)).toBeInstanceOf(Refusal);
  expect(listeners.size).toBe(0);
});
