// What is done for the file between two groups of writes.

import { expect, test } from "bun:test";

import { crate, insertCrate, openTestDatabase } from "../../support/database.ts";

const MEGABYTE = 2 ** 20;

test("the log is copied into the file every four megabytes, however much is written", async () => {
  await using opened = await openTestDatabase();
  const { database } = opened;
  const text = "x".repeat(MEGABYTE / 8);

  let longest = 0;
  for (let index = 0; index < 200; index += 1) {
    await database.write((tx) => insertCrate(tx, crate(`${index} ${text}`)));
    longest = Math.max(longest, (await database.sizes()).log);
  }

  expect(longest).toBeGreaterThan(4 * MEGABYTE);
  expect(longest).toBeLessThan(6 * MEGABYTE);
});
