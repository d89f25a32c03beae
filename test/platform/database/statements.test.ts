// A record declares its columns once, and its statements do with its rows what every resource needs.

import { expect, test } from "bun:test";

import { getTableColumns } from "drizzle-orm";

import { defineRefusal } from "#kernel/refusal.ts";
import { WriteConflict } from "#platform/database/database.ts";
import { bool, int, json, text } from "#platform/database/kit.ts";
import { prepared } from "#platform/database/prepared.ts";
import { hidden, plain, record, type RowOf, stamps } from "#platform/database/record.ts";
import { versionedStatements } from "#platform/database/statements.ts";

import { tamper } from "../../support/behind-the-shop.ts";
import { codeOf, errorOf, NOON, openTestDatabase } from "../../support/database.ts";

const parcels = record(
  "parcels",
  {
    id: plain(text().primaryKey()),
    lockCode: hidden(plain(text().notNull())),
    weightGrams: int(),
    isHeavy: bool().notNull(),
    contents: plain(json().$type<readonly string[]>().notNull()),
    ...stamps(),
  },
  () => [],
);
type Parcel = RowOf<typeof parcels>;

const parcelNotFound = defineRefusal("parcel_not_found", "not_found", "There is no such parcel.");
const { find, findAll, findLocked, get, insert, lock, save } = versionedStatements(
  parcels,
  parcelNotFound,
);

const book: Parcel = {
  id: "book",
  weightGrams: null,
  isHeavy: false,
  contents: ["Moby Dick"],
  version: 1,
  createdAt: NOON,
  updatedAt: NOON,
};
const anvil: Parcel = { ...book, id: "anvil", weightGrams: 9_000, isHeavy: true, contents: [] };

/** A database with a book and an anvil in it. */
async function openParcels() {
  const opened = await openTestDatabase();
  await tamper(
    opened.folder,
    `CREATE TABLE parcels (id TEXT PRIMARY KEY, lock_code TEXT NOT NULL, weight_grams BIGINT,
      is_heavy BOOLEAN NOT NULL, contents TEXT NOT NULL, version BIGINT NOT NULL,
      created_at BIGINT NOT NULL, updated_at BIGINT NOT NULL)`,
  );
  await opened.database.write(async (tx) => {
    await insert(tx, { ...book, lockCode: "1234" });
    await insert(tx, { ...anvil, lockCode: "5678" });
  });
  return opened;
}

const lockCodes = prepared()((db) =>
  db.select({ lockCode: parcels.lockCode }).from(parcels).orderBy(parcels.id),
);
const bothCodes = [{ lockCode: "5678" }, { lockCode: "1234" }];

test("columns are named by their properties in snake case", () => {
  const names = Object.values(getTableColumns(parcels)).map((column) => column.name);

  expect(names.join(" ")).toBe(
    "id lock_code weight_grams is_heavy contents version created_at updated_at",
  );
});

test("a row comes back as it was inserted, and a hidden column is absent from what is found", async () => {
  await using opened = await openParcels();
  const { database } = opened;

  expect(await find(database.read, "book")).toEqual(book);
  expect(await get(database.read, "anvil")).toEqual(anvil);
  expect(await database.write((tx) => lock(tx, "anvil"))).toEqual(anvil);
  expect(await findAll(database.read, ["book"])).toEqual([book]);
  expect(await lockCodes(database.read, {})).toEqual(bothCodes);
});

test("where there is no row, finding answers nothing, and get and lock refuse", async () => {
  await using opened = await openParcels();
  const { database } = opened;

  expect(await find(database.read, "vase")).toBeUndefined();
  expect(await database.write((tx) => findLocked(tx, "vase"))).toBeUndefined();
  expect(await findAll(database.read, [])).toEqual([]);
  expect(await findAll(database.read, ["vase", "anvil", "book"])).toEqual([book, anvil]);
  expect(await codeOf(get(database.read, "vase"))).toBe("parcel_not_found");
  expect(await codeOf(database.write((tx) => lock(tx, "vase")))).toBe("parcel_not_found");
});

test("save writes the next version at the shop's time, and leaves hidden columns as they are", async () => {
  await using opened = await openParcels();
  const { database } = opened;

  const saved = await database.write((tx) => save(tx, book, { contents: ["Ulysses"] }));

  expect(saved).toEqual({ ...book, contents: ["Ulysses"], version: 2, updatedAt: NOON });
  expect(await find(database.read, "book")).toEqual(saved);
  expect(await find(database.read, "anvil")).toEqual(anvil);
  expect(await lockCodes(database.read, {})).toEqual(bothCodes);
});

test("save answers all that the row before had beside its columns, and writes the columns alone", async () => {
  await using opened = await openParcels();
  const labelled = { ...book, label: "Fragile" };

  const saved = await opened.database.write((tx) =>
    save(tx, labelled, { label: "Handle with care" }),
  );

  expect(saved).toMatchObject({ label: "Handle with care", version: 2 });
});

test("save writes only the columns that differ from the version before", async () => {
  await using opened = await openParcels();
  const { database } = opened;
  await tamper(opened.folder, "UPDATE parcels SET is_heavy = NOT is_heavy WHERE id = 'book'");

  await database.write((tx) => save(tx, book, { weightGrams: 300, contents: book.contents }));

  expect(await find(database.read, "book")).toMatchObject({ weightGrams: 300, isHeavy: true });
});

test("save changes nothing where the row is not of the version before any more", async () => {
  await using opened = await openParcels();
  const { database } = opened;
  await database.write((tx) => save(tx, book, { weightGrams: 300 }));

  const told = await database.write((tx) => errorOf(save(tx, book, { weightGrams: 400 })));

  expect(told).toBeInstanceOf(WriteConflict);
  expect(await find(database.read, "book")).toMatchObject({ weightGrams: 300, version: 2 });
});
