// Shops of older schemas keep what they have when they are migrated.

import { Database as SqliteFile } from "bun:sqlite";
import { expect, test } from "bun:test";

import { migrate, sqliteMigrations } from "#platform/database/sqlite/migrate.ts";

import { noonClock } from "../support/database.ts";
import { openScratchFolder } from "../support/scratch.ts";
import { oldShops } from "./old-shops.ts";

test.each(oldShops)("$name", async ({ before, statements, check }) => {
  using folder = openScratchFolder();
  const path = folder.file("shop.sqlite");
  const migrations = sqliteMigrations.filter(({ name }) => name < before);
  migrate(path, { clock: noonClock, migrations });
  using file = new SqliteFile(path, { strict: true });
  for (const statement of statements) file.run(statement);

  migrate(path, { clock: noonClock });

  await check(async (query) => file.query<never, []>(query).values());
});

test("a new shop begins to write terms with its first event", () => {
  using folder = openScratchFolder();
  const path = folder.file("shop.sqlite");

  migrate(path, { clock: noonClock });

  using file = new SqliteFile(path, { strict: true });
  const cursor = "SELECT sequence FROM log_cursors WHERE consumer = 'order_line_terms'";
  expect(file.query(cursor).values()).toEqual([]);
});
