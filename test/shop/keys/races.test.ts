// Keys that several programs create, use and revoke at the same moment.

import { expect, test } from "bun:test";

import type { Database } from "#platform/database/database.ts";
import { events } from "#platform/database/tables.ts";
import { createFirstKey } from "#shop/keys/create-key.ts";
import { markKeyUsed } from "#shop/keys/queries.ts";
import { revokeKey } from "#shop/keys/revoke-key.ts";
import { apiKeys } from "#shop/keys/tables.ts";

import { atOnce } from "../../support/at-once.ts";
import { openTestShop } from "../../support/shop.ts";
import { rowsOf } from "../../support/tables.ts";

async function firstKey(database: Database) {
  await database.write(createFirstKey);
  const [known] = await rowsOf(database.read, apiKeys);
  if (known === undefined) throw new Error("There is no first key.");
  return known;
}

test("programs that open a shop at once create a single first key", async () => {
  await using shop = await openTestShop();
  const { database } = shop.live;

  const created = await atOnce(6, () => database.write(createFirstKey));

  expect(created.filter((key) => key !== null)).toHaveLength(1);
  expect(await rowsOf(database.read, apiKeys)).toHaveLength(1);
});

test("a key revoked several times at once is revoked once", async () => {
  await using shop = await openTestShop();
  const { database } = shop.live;
  const known = await firstKey(database);

  const revoked = await atOnce(5, () =>
    database.write((tx) => revokeKey(tx, known.id, { heldScopes: null })),
  );

  expect(new Set(revoked.map((key) => key.revokedAt)).size).toBe(1);
  const announced = await rowsOf(database.read, events);
  expect(announced.map(({ name }) => name)).toEqual(["key.revoked"]);
});

test("the latest use of a key is kept, in whatever order programs record theirs", async () => {
  await using shop = await openTestShop();
  const { database } = shop.live;
  const known = await firstKey(database);

  await atOnce(6, (index) =>
    database.write((tx) => markKeyUsed(tx, known.id, known.createdAt + ((index * 5) % 6))),
  );

  const [used] = await rowsOf(database.read, apiKeys);
  expect(used?.lastUsedAt).toBe(known.createdAt + 5);
});
