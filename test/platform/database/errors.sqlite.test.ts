// What the embedded engine throws where its disk is full or broken, and where a value is of another kind.

import { expect, test } from "bun:test";

import { storageFull } from "#platform/database/errors.ts";
import { isDamage, translateError } from "#platform/database/sqlite/errors.ts";

import { crate, crateIds, errorOf, insertCrate, openTestDatabase } from "../../support/database.ts";

test("a fraction does not fit a column of whole numbers", async () => {
  await using opened = await openTestDatabase();
  const { database } = opened;

  const error = await errorOf(
    database.write((tx) => insertCrate(tx, crate("a", { quantity: 1.5 }))),
  );

  expect(error?.message).toContain("cannot store REAL value in INTEGER column");
  expect(await crateIds(database.read)).toEqual([]);
});

/** What the driver throws with this code; its class is known by its name and cannot be made. */
function driverError(code: string): unknown {
  return Object.assign(new Error(code), { name: "SQLiteError", code });
}

test.each(["SQLITE_FULL", "SQLITE_IOERR_SHMSIZE"])("%s is a full disk, and no damage", (code) => {
  expect(translateError(driverError(code))).toMatchObject({
    definition: storageFull,
    details: { headers: { "Retry-After": "5" } },
  });
});

test.each(["SQLITE_IOERR_WRITE", "SQLITE_IOERR_FSYNC", "SQLITE_CORRUPT"])(
  "%s is damage",
  (code) => {
    const error = driverError(code);

    expect(translateError(error)).toBe(error);
    expect(isDamage(error)).toBe(true);
  },
);

test("a story may catch a broken constraint and go on", async () => {
  await using opened = await openTestDatabase();
  const { database } = opened;
  await database.write((tx) => insertCrate(tx, crate("a")));

  await database.write(async (tx) => {
    await insertCrate(tx, crate("before"));
    await errorOf(insertCrate(tx, crate("a")));
    await insertCrate(tx, crate("c"));
  });

  expect(await crateIds(database.read)).toEqual(["a", "before", "c"]);
});
