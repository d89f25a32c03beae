// Authentication by key: only in its own mode, only while the key is valid, and read for each request.

import { expect, test } from "bun:test";

import { randomBytes } from "#kernel/random.ts";
import type { Database } from "#platform/database/database.ts";
import type { Mode } from "#platform/database/shop.ts";
import type { Authenticate } from "#platform/http/contract/caller.ts";
import { hashOf, makeKey } from "#shop/keys/api-key.ts";
import { authenticator } from "#shop/keys/authenticate.ts";
import { createKey, type NewKey } from "#shop/keys/create-key.ts";
import { keyRows } from "#shop/keys/queries.ts";
import { revokeKey } from "#shop/keys/revoke-key.ts";

import { openStores, refusalOf, standingClock } from "./open-stores.ts";

const MINUTE_MS = 60_000;
const START_MS = Date.UTC(2026, 0, 1);

/** An authenticator over real databases, with a clock that the test moves and the reported faults. */
async function openDoor() {
  const shopClock = standingClock();
  const realClock = standingClock();
  const opened = await openStores(shopClock);
  const { stores } = opened;
  const faults: unknown[] = [];
  const writes: Promise<unknown>[] = [];
  const recording = (database: Database): Database => ({
    ...database,
    write: (story, options) => {
      const written = database.write(story, options);
      writes.push(written);
      return written;
    },
  });
  const recorded = { test: recording(stores.test), live: recording(stores.live) };
  const open = (): Authenticate =>
    authenticator(recorded, realClock, (error) => faults.push(error));
  const create = (change: Partial<NewKey> = {}) => {
    const terms: NewKey = {
      mode: "test",
      name: "Till",
      kind: null,
      scopes: ["full"],
      ratePerMinute: null,
      expiresAt: null,
      maker: null,
      replaces: null,
      ...change,
    };
    const source = { bytes: randomBytes(32), clock: realClock };
    return stores[terms.mode].write((tx) => createKey(tx, terms, source));
  };
  return {
    stores,
    shopClock,
    realClock,
    faults,
    writes,
    open,
    create,
    authenticate: open(),
    [Symbol.asyncDispose]: opened[Symbol.asyncDispose],
  };
}

type Door = Awaited<ReturnType<typeof openDoor>>;

/** The key's `last_used_at` after all writes in the background. */
async function lastUsed(door: Door, id: Parameters<typeof keyRows.get>[1]) {
  await Promise.all(door.writes);
  return (await keyRows.get(door.stores.test.read, id)).lastUsedAt;
}

test.each<Mode>(["test", "live"])("a %s key opens its own mode", async (mode) => {
  await using door = await openDoor();
  const { apiKey, key } = await door.create({ mode, scopes: ["storefront"], ratePerMinute: 60 });

  const holder = await door.authenticate(key);

  expect(holder).toMatchObject({
    actor: { type: "api_key", id: apiKey.id },
    mode,
    ratePerMinute: 60,
  });
  expect([...(holder?.scopes ?? [])]).toContain("carts:use");
  expect(holder?.scopes.has("orders:read")).toBeFalse();
});

test("a key is public if all its scopes are those of a storefront", async () => {
  await using door = await openDoor();
  const [visitor, mixed] = [
    await door.create({ scopes: ["carts:use", "payments:use"] }),
    await door.create({ scopes: ["storefront", "orders:read"] }),
  ];

  expect((await door.authenticate(visitor.key))?.isPublic).toBeTrue();
  expect((await door.authenticate(mixed.key))?.isPublic).toBeFalse();
});

test("an unknown key opens nothing", async () => {
  await using door = await openDoor();

  expect(await door.authenticate(makeKey("test", "secret", randomBytes(32)))).toBeNull();
  expect(await door.authenticate("test_sk_something")).toBeNull();
});

test("a test key never opens the live shop, even if its row is in the live database", async () => {
  await using door = await openDoor();
  const { apiKey } = await door.create();
  const key = makeKey("test", "secret", randomBytes(32));
  await door.stores.live.write((tx) => keyRows.insert(tx, { ...apiKey, hash: hashOf(key) }));

  expect(await door.authenticate(key)).toBeNull();
});

test("a malformed key is refused without a read of the database", async () => {
  const door = await openDoor();
  const { key } = await door.create();
  await door[Symbol.asyncDispose]();

  expect(await door.authenticate(`${key.slice(0, -1)}!`)).toBeNull();
  expect(await refusalOf(door.authenticate(key))).toBeInstanceOf(Error);
});

test("a revoked key is refused on its very next request", async () => {
  await using door = await openDoor();
  const { apiKey, key } = await door.create();
  expect(await door.authenticate(key)).not.toBeNull();

  await door.stores.test.write((tx) =>
    revokeKey(tx, apiKey.id, { heldScopes: null, clock: door.realClock }),
  );

  expect(await door.authenticate(key)).toBeNull();
});

test("a key is valid until the instant it expires, in real time", async () => {
  await using door = await openDoor();
  const { key } = await door.create({ expiresAt: START_MS + MINUTE_MS });

  door.realClock.advance(MINUTE_MS - 1);
  expect(await door.authenticate(key)).not.toBeNull();

  door.realClock.advance(1);
  expect(await door.authenticate(key)).toBeNull();
});

test("moving the shop's clock expires no key", async () => {
  await using door = await openDoor();
  const { key } = await door.create({ expiresAt: START_MS + MINUTE_MS });

  door.shopClock.advance(10 * MINUTE_MS);

  expect(await door.authenticate(key)).not.toBeNull();
});

test("the set of a key's scopes is built once and reused between requests", async () => {
  await using door = await openDoor();
  const { key } = await door.create();

  const first = await door.authenticate(key);

  expect((await door.authenticate(key))?.scopes).toBe(first?.scopes ?? new Set());
});

test("the use of a key is recorded at most once a minute", async () => {
  await using door = await openDoor();
  const { apiKey, key } = await door.create();
  expect(await lastUsed(door, apiKey.id)).toBeNull();

  await door.authenticate(key);
  expect(await lastUsed(door, apiKey.id)).toBe(START_MS);

  door.realClock.advance(MINUTE_MS - 1);
  await door.authenticate(key);
  expect(await lastUsed(door, apiKey.id)).toBe(START_MS);

  door.realClock.advance(1);
  await door.authenticate(key);
  expect(await lastUsed(door, apiKey.id)).toBe(START_MS + MINUTE_MS);
});

test("a restarted server continues from the recorded use", async () => {
  await using door = await openDoor();
  const { apiKey, key } = await door.create();
  await door.authenticate(key);
  await lastUsed(door, apiKey.id);
  door.realClock.advance(1);

  await door.open()(key);

  expect(await lastUsed(door, apiKey.id)).toBe(START_MS);
});

test("the use of a refused key is not recorded", async () => {
  await using door = await openDoor();
  const { apiKey, key } = await door.create();
  await door.stores.test.write((tx) =>
    revokeKey(tx, apiKey.id, { heldScopes: null, clock: door.realClock }),
  );

  await door.authenticate(key);

  expect(await lastUsed(door, apiKey.id)).toBeNull();
});

test("a use that cannot be recorded fails no request and is reported", async () => {
  await using door = await openDoor();
  const { key } = await door.create();
  const full = new Error("disk full");
  const stores = {
    ...door.stores,
    test: { ...door.stores.test, write: () => Promise.reject(full) },
  };
  const authenticate = authenticator(stores, door.realClock, (error) => door.faults.push(error));

  expect(await authenticate(key)).not.toBeNull();
  expect(await authenticate(key)).not.toBeNull();

  expect(door.faults).toEqual([full]);
});
