// The changes of API keys of a shop of the last schema are entries of the audit log.

import { Database as SqliteFile } from "bun:sqlite";
import { expect, test } from "bun:test";

import { migrate, sqliteMigrations } from "#platform/database/sqlite/migrate.ts";

import { noonClock } from "../support/database.ts";
import { openScratchFolder } from "../support/scratch.ts";
import { ENTRIES, entries, instants, instantsOf, shopOf0019 } from "./shop-of-0019.ts";

const old = sqliteMigrations.filter(({ name }) => name < "0020");

test("what happened to keys by the last schema is in the audit log", () => {
  using folder = openScratchFolder();
  const path = folder.file("shop.sqlite");
  migrate(path, { clock: noonClock, migrations: old });
  using file = new SqliteFile(path, { strict: true });
  for (const statement of shopOf0019) file.run(statement);

  migrate(path, { clock: noonClock });

  const rows = file.query<never, []>(ENTRIES).values();
  expect(rows.map(([, ...values]) => values)).toEqual(entries);
  expect(instantsOf(rows.map(([id]) => id))).toEqual(instants);
});
