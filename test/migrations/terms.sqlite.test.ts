// Orders of a shop of the schema 0039 are found by their lines as before.

import { Database as SqliteFile } from "bun:sqlite";
import { expect, test } from "bun:test";

import { migrate, sqliteMigrations } from "#platform/database/sqlite/migrate.ts";

import { noonClock } from "../support/database.ts";
import { openScratchFolder } from "../support/scratch.ts";
import { CURSOR, shopWithoutTerms, TERMS } from "./terms-of-orders.ts";

const old = sqliteMigrations.filter(({ name }) => name < "0010");

test("every product and SKU of a line becomes a term of its order, and later events add to them", () => {
  using folder = openScratchFolder();
  const path = folder.file("shop.sqlite");
  migrate(path, { clock: noonClock, migrations: old });
  using file = new SqliteFile(path, { strict: true });
  for (const statement of shopWithoutTerms) file.run(statement);

  migrate(path, { clock: noonClock });

  const terms = file.query<{ term: string; orders: number; placed: number }, []>(TERMS).all();
  const placed = terms[0]?.placed ?? 0;
  expect(placed).toBeGreaterThan(2);
  expect(terms).toMatchObject([
    { term: "MUG", orders: 2, last_order: "unpaid" },
    { term: "prod_a", orders: placed },
  ]);
  expect(file.query(CURSOR).values()).toEqual([[41]]);
});

test("a new shop begins to write terms with its first event", () => {
  using folder = openScratchFolder();
  const path = folder.file("shop.sqlite");

  migrate(path, { clock: noonClock });

  using file = new SqliteFile(path, { strict: true });
  expect(file.query(CURSOR).values()).toEqual([]);
});
