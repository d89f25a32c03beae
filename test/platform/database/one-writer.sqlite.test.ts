// Where one writer is alone, stories run one after the other, and need no locks on what they read.

import { expect, test } from "bun:test";

import {
  crate,
  crateIds,
  findCrate,
  insertCrate,
  openTestDatabase,
  takeOne,
} from "../../support/database.ts";

/** Ends in another turn of the event loop, as a slow story does. */
const aTurnLater = () => new Promise<void>((resolve) => setImmediate(resolve));

test("a reader does not see the neighbors of an open group", async () => {
  await using opened = await openTestDatabase();
  const { database } = opened;

  const first = database.write((tx) => insertCrate(tx, crate("a")));
  const second = database.write(async (tx) => ({
    within: await crateIds(tx),
    outside: await crateIds(database.read),
  }));
  await first;

  expect(await second).toEqual({ within: ["a"], outside: [] });
});

test("stories run alone and in the order they came", async () => {
  await using opened = await openTestDatabase();
  const told: string[] = [];

  await Promise.all(
    ["a", "b", "c"].map((name) =>
      opened.database.write(async () => {
        told.push(`${name} begins`);
        await aTurnLater();
        told.push(`${name} ends`);
      }),
    ),
  );

  expect(told).toEqual(["a begins", "a ends", "b begins", "b ends", "c begins", "c ends"]);
});

test("a thousand that read and write back lose no update", async () => {
  await using opened = await openTestDatabase();
  const { database } = opened;
  await database.write((tx) => insertCrate(tx, crate("mugs", { quantity: 1000 })));

  await Promise.all(Array.from({ length: 1000 }, () => takeOne(database, "mugs")));

  expect((await findCrate(database.read, "mugs"))?.quantity).toBe(0);
});
