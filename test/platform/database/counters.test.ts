// Numbers of a counter are handed out one by one, and none is lost to a story that came to nothing.

import { expect, test } from "bun:test";

import { nextNumber } from "#platform/database/held-rows.ts";

import { codeOf, openTestDatabase } from "../../support/database.ts";

test("a counter begins at its first number and counts up", async () => {
  await using opened = await openTestDatabase();
  const { database } = opened;

  const numbers = await database.write(async (tx) => [
    await nextNumber(tx, "orders", 1001),
    await nextNumber(tx, "orders", 1001),
  ]);

  expect(numbers).toEqual([1001, 1002]);
});

test("two counters do not disturb each other", async () => {
  await using opened = await openTestDatabase();
  const { database } = opened;

  const numbers = await database.write(async (tx) => [
    await nextNumber(tx, "orders", 1001),
    await nextNumber(tx, "crates", 1),
    await nextNumber(tx, "orders", 1001),
  ]);

  expect(numbers).toEqual([1001, 1, 1002]);
});

test("a refused story gives its number back", async () => {
  await using opened = await openTestDatabase();
  const { database } = opened;

  const told = Array.from({ length: 60 }, (_, index) =>
    database.write(async (tx) => {
      const number = await nextNumber(tx, "orders", 1);
      if (index % 3 === 0) throw new Error("refused");
      return number;
    }),
  );
  const refused = await Promise.all(told.map(codeOf));

  const kept = told.filter((_, index) => refused[index] === null);
  const numbers = (await Promise.all(kept)).toSorted((one, other) => one - other);
  expect(numbers).toEqual(Array.from({ length: 40 }, (_, index) => index + 1));
});

test("a restart goes on counting", async () => {
  await using opened = await openTestDatabase();
  await opened.database.write((tx) => nextNumber(tx, "orders", 1001));

  const again = await opened.reopen();

  expect(await again.write((tx) => nextNumber(tx, "orders", 1001))).toBe(1002);
});
