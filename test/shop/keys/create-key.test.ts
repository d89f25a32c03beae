// Creating and revoking keys: what is stored, what is not, and the audit rows.

import { expect, test } from "bun:test";

import { newId } from "#kernel/id.ts";
import { randomBytes } from "#kernel/random.ts";
import { events } from "#platform/database/tables.ts";
import { createKey, type NewKey } from "#shop/keys/create-key.ts";
import { listKeys } from "#shop/keys/lookups.ts";
import { keyRows } from "#shop/keys/queries.ts";
import { revokeKey } from "#shop/keys/revoke-key.ts";
import { expandScopes } from "#shop/keys/scopes.ts";
import { apiKeys } from "#shop/keys/tables.ts";

import { rowsOf } from "../../support/tables.ts";
import { openStores, refusalOf, standingClock } from "./open-stores.ts";

const DAY_MS = 86_400_000;
const ordinary: NewKey = {
  mode: "test",
  name: "Till",
  kind: null,
  scopes: ["full"],
  ratePerMinute: null,
  expiresAt: null,
  maker: null,
  replaces: null,
};
const unbounded = { ratePerMinute: null, requestsPerMinute: 0, expiresAt: null };
const operator = { type: "operator", id: null } as const;
const faulty = { definition: { code: "validation_failed" } };
const merchant = { type: "api_key", id: "key_of_the_merchant" } as const;

/** A shop with a function that creates a key in it. */
async function openShop() {
  const opened = await openStores();
  const { clock, stores } = opened;
  const create = (change: Partial<NewKey> = {}) =>
    stores.test.write(
      (tx) => createKey(tx, { ...ordinary, ...change }, { bytes: randomBytes(32), clock }),
      { actor: operator },
    );
  return { store: stores.test, clock, create, [Symbol.asyncDispose]: opened[Symbol.asyncDispose] };
}

test("only the hash and the end of a new key are stored", async () => {
  await using shop = await openShop();

  const { apiKey, key } = await shop.create();

  const [row] = await rowsOf(shop.store.read, apiKeys);
  expect(row).toMatchObject({ ...apiKey, display: `test_sk_…${key.slice(-4)}` });
  expect(JSON.stringify(row)).not.toContain(key.slice("test_sk_".length, -4));
});

test("two keys may have the same name", async () => {
  await using shop = await openShop();

  const [one, other] = [await shop.create(), await shop.create()];

  expect(one.key).not.toBe(other.key);
  expect(one.apiKey.id).not.toBe(other.apiKey.id);
});

test("a key's presets are stored by name, without duplicates", async () => {
  await using shop = await openShop();

  const { apiKey } = await shop.create({ scopes: ["storefront", "orders:read", "storefront"] });

  expect(apiKey.scopes).toEqual(["storefront", "orders:read"]);
});

test("a new key is refused with all its faults at once", async () => {
  await using shop = await openShop();

  const refused = shop.create({ name: "", ratePerMinute: 0, expiresAt: shop.clock.now() });

  expect(await refusalOf(refused)).toMatchObject({
    definition: { code: "validation_failed" },
    details: {
      faults: [
        { pointer: "/name", code: "invalid_length" },
        { pointer: "/rate_per_minute", code: "out_of_range" },
        { pointer: "/expires_at", code: "not_in_the_future" },
      ],
    },
  });
  expect(await rowsOf(shop.store.read, apiKeys)).toEqual([]);
});

test("a key's own rate is at least 1 and at most 1,000,000 requests per minute", async () => {
  await using shop = await openShop();

  expect((await shop.create({ ratePerMinute: 1 })).apiKey.ratePerMinute).toBe(1);
  expect((await shop.create({ ratePerMinute: 1_000_000 })).apiKey.ratePerMinute).toBe(1_000_000);
  expect(await refusalOf(shop.create({ ratePerMinute: 1_000_001 }))).toMatchObject(faulty);
});

test("an expiry that is not a number is refused", async () => {
  await using shop = await openShop();

  expect(await refusalOf(shop.create({ expiresAt: Number.NaN }))).toMatchObject(faulty);
});

test("expiry is validated against real time, not the shop's clock", async () => {
  const [shopClock, realClock] = [standingClock(), standingClock()];
  await using opened = await openStores(shopClock);
  shopClock.advance(30 * DAY_MS);
  const tomorrow = realClock.now() + DAY_MS;

  const { apiKey } = await opened.stores.test.write((tx) =>
    createKey(
      tx,
      { ...ordinary, expiresAt: tomorrow },
      { bytes: randomBytes(32), clock: realClock },
    ),
  );

  expect(apiKey).toMatchObject({ expiresAt: tomorrow, createdAt: realClock.now() });
});

test("a key cannot be created with more scopes than its creator has", async () => {
  await using shop = await openShop();
  const maker = { ...unbounded, scopes: expandScopes(["read_only", "keys:write"]) };

  const refused = await refusalOf(shop.create({ maker, scopes: ["orders:read", "orders:write"] }));
  const preset = await refusalOf(shop.create({ maker, scopes: ["storefront"] }));

  expect(refused).toMatchObject({
    definition: { code: "scope_not_held", kind: "forbidden" },
    details: { members: { scopes: ["orders:write"] } },
  });
  expect(preset).toMatchObject({ definition: { code: "scope_not_held" } });

  expect(await shop.create({ maker, scopes: ["read_only"] })).toBeDefined();
});

test("events name who created and who revoked a key", async () => {
  await using shop = await openShop();
  const { apiKey } = await shop.create();
  shop.clock.advance(DAY_MS);

  await shop.store.write(
    (tx) => revokeKey(tx, apiKey.id, { heldScopes: null, clock: shop.clock }),
    { actor: merchant },
  );

  expect(await rowsOf(shop.store.read, events)).toMatchObject([
    { name: "key.created", subject: apiKey.id, actor: operator },
    { name: "key.revoked", subject: apiKey.id, actor: merchant },
  ]);
});

test("revoking a revoked key changes nothing", async () => {
  await using shop = await openShop();
  const { apiKey } = await shop.create();
  const first = await shop.store.write((tx) =>
    revokeKey(tx, apiKey.id, { heldScopes: null, clock: shop.clock }),
  );
  shop.clock.advance(DAY_MS);

  const again = await shop.store.write((tx) =>
    revokeKey(tx, apiKey.id, { heldScopes: null, clock: shop.clock }),
  );

  expect(again).toEqual(first);
  expect(await rowsOf(shop.store.read, events)).toHaveLength(2);
});

test("revoking an unknown key is refused", async () => {
  await using shop = await openShop();

  const refused = shop.store.write((tx) =>
    revokeKey(tx, newId("key", tx.now), { heldScopes: null }),
  );

  expect(await refusalOf(refused)).toMatchObject({ definition: { code: "key_not_found" } });
});

test("keys are listed newest first, including revoked ones, without their hashes", async () => {
  await using shop = await openShop();
  const oldest = await shop.create({ name: "Oldest" });
  shop.clock.advance(1);
  await shop.create({ name: "Middle" });
  shop.clock.advance(1);
  const newest = await shop.create({ name: "Newest" });
  await shop.store.write((tx) =>
    revokeKey(tx, newest.apiKey.id, { heldScopes: null, clock: shop.clock }),
  );

  const first = await listKeys(shop.store.read, { limit: 2, after: null });
  const after = first.rows.at(-1)?.id ?? null;
  const second = await listKeys(shop.store.read, { limit: 2, after });

  expect(first.rows.map((apiKey) => apiKey.name)).toEqual(["Newest", "Middle"]);
  expect(first.rows[0]?.revokedAt).toBe(shop.clock.now());
  expect(first.hasMore).toBeTrue();
  expect(second).toEqual({ rows: [oldest.apiKey], hasMore: false });
  expect(Object.keys(await keyRows.get(shop.store.read, oldest.apiKey.id))).not.toContain("hash");
});
