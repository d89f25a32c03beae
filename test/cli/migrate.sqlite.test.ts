// `duka migrate` copies a database file before it changes anything in it.

import { Database as SqliteFile } from "bun:sqlite";
import { expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync } from "node:fs";

import { migrate, sqliteMigrations } from "#platform/database/sqlite/migrate.ts";

import { noonClock } from "../support/database.ts";
import { runDuka } from "../support/running-duka.ts";
import { openScratchFolder } from "../support/scratch.ts";

setDefaultTimeout(60_000);

test("an old database is copied, then migrated", async () => {
  using scratch = openScratchFolder();
  const folder = scratch.path;
  mkdirSync(scratch.file("data"));
  const path = scratch.file("data/test.sqlite");
  for (const file of [path, scratch.file("data/live.sqlite")]) {
    migrate(file, { clock: noonClock, migrations: sqliteMigrations.slice(0, 1) });
  }

  const ended = await runDuka(["migrate"], { folder });

  const copy = /test: snapshot before the migration: (\S+)/.exec(ended.stdout)?.[1] ?? "";
  expect(ended.code).toBe(0);
  expect(ended.stdout).toContain(`test: applied ${sqliteMigrations[1]?.name}`);
  expect(existsSync(copy)).toBe(true);
  expect(namesIn(copy)).toEqual([sqliteMigrations[0]?.name ?? ""]);
  expect(namesIn(path)).toEqual(sqliteMigrations.map(({ name }) => name));
});

function namesIn(path: string): string[] {
  using database = new SqliteFile(path, { readonly: true });
  const rows = database.query<{ name: string }, []>("SELECT name FROM migrations ORDER BY name");
  return rows.all().map((row) => row.name);
}
