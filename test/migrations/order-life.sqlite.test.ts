// A shop of the last schema, in the middle of every kind of order, gets what each order owes.

import { Database as SqliteFile } from "bun:sqlite";
import { expect, test } from "bun:test";

import { migrate, sqliteMigrations } from "#platform/database/sqlite/migrate.ts";

import { noonClock } from "../support/database.ts";
import { openScratchFolder } from "../support/scratch.ts";
import { GROWN, grown, MOVED, movedUnits, oldRows, OWING, owing } from "./orders-of-0009.ts";

const old = sqliteMigrations.filter(({ name }) => name < "0010");

test("orders of a shop of the last schema owe what they owed, and no stock moves", () => {
  using folder = openScratchFolder();
  const path = folder.file("shop.sqlite");
  migrate(path, { clock: noonClock, migrations: old });
  using file = new SqliteFile(path, { strict: true });
  for (const statement of oldRows) file.run(statement);

  migrate(path, { clock: noonClock });

  const read = (text: string) =>
    Object.fromEntries(
      file
        .query<never, []>(text)
        .values()
        .map(([id, ...values]) => [id, values]),
    );
  expect(read(OWING)).toEqual(owing);
  expect(read(MOVED)).toEqual(movedUnits);
  expect(Object.assign({}, ...GROWN.map(read))).toEqual(grown);
  expect(file.query("SELECT count(*) AS n FROM inventory_movements").get()).toEqual({ n: 0 });
});
