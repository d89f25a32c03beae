// The programs that served a shop are remembered.

import { describe, expect, test } from "bun:test";

import { ownSchema, rememberProgram, tablesOf } from "#platform/database/migrations.ts";
import { readSchema } from "#platform/database/open-database.ts";
import { prepared } from "#platform/database/prepared.ts";
import { sqliteMigrations } from "#platform/database/sqlite/migrate.ts";
import { versions } from "#platform/database/tables.ts";
import { release } from "#platform/process/version.ts";

import { tamper } from "../../support/behind-the-shop.ts";
import { databasePlace } from "../../support/postgres-databases.ts";
import { openScratchFolder } from "../../support/scratch.ts";
import { openTestShop, type TestShop } from "../../support/shop.ts";

const programs = prepared()((db) => db.select().from(versions));
const rowsOf = (shop: TestShop) => programs(shop.test.database.read, {});

test("a start is remembered with the migrations that its program knows", async () => {
  await using shop = await openTestShop();

  const [row, ...more] = await rowsOf(shop);

  expect(more).toEqual([]);
  expect(row?.version.replace(/\+$/, "")).toBe(release);
  expect(row).toMatchObject(ownSchema);
});

test("the numbers of a version only rise, and the first time that it served stays", async () => {
  await using shop = await openTestShop();
  const [before] = await rowsOf(shop);
  const { schema = 0, oldestBeside = 0 } = before ?? {};
  const { database } = shop.test;

  await database.write((tx) => rememberProgram(tx, { schema: 1, oldestBeside: 1 }));
  const kept = await rowsOf(shop);
  await database.write((tx) =>
    rememberProgram(tx, { schema: schema + 2, oldestBeside: oldestBeside + 1 }),
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

test("a schema is read beside its server, with the rows of the tables that there are", async () => {
  await using shop = await openTestShop();
  const place = await databasePlace(shop.folder.path);

  const stored = await readSchema("live", place, ["versions", "nowhere"]);

  expect(stored.applied.at(-1)?.name).toBe(sqliteMigrations.at(-1)?.name ?? "");
  expect(stored.newest?.version).toStartWith(release);
  expect([...stored.rows]).toEqual([["versions", 1]]);
});

test("a migration names the tables that it is about", () => {
  const text = "ALTER TABLE `store` ADD `a` integer;\nCREATE INDEX `i` ON `orders` (`id`);";
  const quoted = 'CREATE TABLE "lines" ("id" text);\nUPDATE "orders" SET "a" = 1;';

  expect(tablesOf({ name: "0001_a", text })).toEqual(["store", "orders"]);
  expect(tablesOf({ name: "0001_a", text: quoted })).toEqual(["lines", "orders"]);
});

describe("the Breaking lines of a version are told by", () => {
  /** The lines of a start on a shop that this version served before; null makes a new shop of it. */
  async function toldAfter(before: string | null): Promise<string[]> {
    using folder = openScratchFolder();
    if (before !== null) {
      await (await openTestShop({ folder }))[Symbol.asyncDispose]();
      await tamper(folder.path, `UPDATE versions SET version = '${before}'`);
    }
    const lines: string[] = [];
    await using shop = await openTestShop({
      folder,
      settings: { DUKA_LOG_LEVEL: "warn" },
      writeLog: (line) => lines.push(line),
    });
    expect(await rowsOf(shop)).not.toEqual([]);
    return lines.filter((line) => line.includes(`Breaking in ${release}: `));
  }

  test("its first start on the shop of an older one, once for both modes", async () => {
    const told = await toldAfter("0.1.9");

    expect(told.filter((line) => line.includes("send `GB` instead of `UK`"))).toHaveLength(1);
    expect(told.every((line) => line.includes('"level":"warn"'))).toBe(true);
  });

  test("no start on a new shop, or on one that it or a newer one served", async () => {
    expect(await toldAfter(null)).toEqual([]);
    expect(await toldAfter(`${release}+`)).toEqual([]);
    expect(await toldAfter("99.0.0")).toEqual([]);
  });
});
