// The programs that served a shop are remembered.

import { expect, test } from "bun:test";

import { rememberProgram, schemaNumbers } from "#platform/database/migrations.ts";
import { prepared } from "#platform/database/prepared.ts";
import { sqliteMigrations } from "#platform/database/sqlite/migrate.ts";
import { versions } from "#platform/database/tables.ts";
import { release } from "#platform/process/version.ts";

import { openTestShop, type TestShop } from "../../support/shop.ts";

const programs = prepared()((db) => db.select().from(versions));
const rowsOf = (shop: TestShop) => programs(shop.test.database.read, {});

test("a start is remembered with the migrations that its program knows", async () => {
  await using shop = await openTestShop();

  const [row, ...more] = await rowsOf(shop);

  const { schema, oldest_beside: oldestBeside } = schemaNumbers(sqliteMigrations);
  expect(more).toEqual([]);
  expect(row?.version.replace(/\+$/, "")).toBe(release);
  expect(row).toMatchObject({ schema, oldestBeside });
});

test("the numbers of a version only rise, and the first time that it served stays", async () => {
  await using shop = await openTestShop();
  const [before] = await rowsOf(shop);
  const { schema = 0, oldestBeside = 0 } = before ?? {};
  const { database } = shop.test;

  await database.write((tx) => rememberProgram(tx, { schema: 1, oldest_beside: 1 }));
  const kept = await rowsOf(shop);
  await database.write((tx) =>
    rememberProgram(tx, { schema: schema + 2, oldest_beside: oldestBeside + 1 }),
  );

  expect(kept).toEqual(before === undefined ? [] : [before]);
  expect(await rowsOf(shop)).toEqual([
    expect.objectContaining({
      ...before,
      schema: schema + 2,
      oldestBeside: oldestBeside + 1,
    }),
  ]);
});
