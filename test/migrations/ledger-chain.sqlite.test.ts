// The movements of a shop of the last schema become a chain for each variant.

import { Database as SqliteFile } from "bun:sqlite";
import { expect, test } from "bun:test";

import { migrate, sqliteMigrations } from "#platform/database/sqlite/migrate.ts";

import { noonClock } from "../support/database.ts";
import { openScratchFolder } from "../support/scratch.ts";
import { CHAINS, chains, shopOf0036 } from "./shop-of-0036.ts";

const old = sqliteMigrations.filter(({ name }) => name < "0037");

test("the movements of the last schema follow their level, the newest first", () => {
  using folder = openScratchFolder();
  const path = folder.file("shop.sqlite");
  migrate(path, { clock: noonClock, migrations: old });
  using file = new SqliteFile(path, { strict: true });
  for (const statement of shopOf0036) file.run(statement);

  migrate(path, { clock: noonClock });

  const rows: unknown = file.query<never, []>(CHAINS).values();
  expect(rows).toEqual(chains);
});
