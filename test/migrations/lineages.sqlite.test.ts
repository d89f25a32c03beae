// The payments of a shop of the last schema belong to the API keys that asked for them.

import { Database as SqliteFile } from "bun:sqlite";
import { expect, test } from "bun:test";

import { migrate, sqliteMigrations } from "#platform/database/sqlite/migrate.ts";

import { noonClock } from "../support/database.ts";
import { openScratchFolder } from "../support/scratch.ts";
import { LINEAGES, lineages, shopOf0018 } from "./shop-of-0018.ts";

const old = sqliteMigrations.filter(({ name }) => name < "0019");

test("a payment of the last schema belongs to the key that asked for it", () => {
  using folder = openScratchFolder();
  const path = folder.file("shop.sqlite");
  migrate(path, { clock: noonClock, migrations: old });
  using file = new SqliteFile(path, { strict: true });
  for (const statement of shopOf0018) file.run(statement);

  migrate(path, { clock: noonClock });

  const rows = file.query<never, []>(LINEAGES).values();
  expect(Object.fromEntries(rows.map(([id, ...values]) => [id, values]))).toEqual(lineages);
});
