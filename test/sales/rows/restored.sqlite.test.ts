// The rows of a test shop are replaced by those of a snapshot while terms are written.

import { expect, setDefaultTimeout, test } from "bun:test";
import { copyFileSync, renameSync, rmSync } from "node:fs";

import { LineIndexWriter } from "#sales/rows/line-index.ts";

import { mug } from "../../support/cast.ts";
import { openTestShop, type TestShop } from "../../support/shop.ts";
import { of, place } from "../orders/counter.ts";
import { numbersOf, writeTerms } from "./writing.ts";

setDefaultTimeout(60_000);

/** Copies the closed file; returns what brings the copy back. */
async function snapshotOf({ test: { database } }: TestShop): Promise<() => Promise<void>> {
  const whileClosed = database.whileClosed?.bind(database);
  if (whileClosed === undefined) throw new Error("Only a SQLite file is closed.");
  await whileClosed((path) => copyFileSync(path, `${path}.kept`));
  return () =>
    whileClosed((path) => {
      for (const log of [`${path}-wal`, `${path}-shm`]) rmSync(log, { force: true });
      renameSync(`${path}.kept`, path);
    });
}

test.each([0, 1, 3])(
  "a snapshot that comes back under a batch hides no later order, with %d before the batch ends",
  async (others) => {
    await using shop = await openTestShop();
    const cup = await mug(shop, { stock: 100 });
    await place(shop, [of(cup)]);
    await writeTerms(shop.test.database);
    const bringBack = await snapshotOf(shop);
    for (let n = 0; n < 3; n += 1) await place(shop, [of(cup)]);
    const writer = new LineIndexWriter(shop.test.database);
    await writer.step();

    await bringBack();
    for (let n = 0; n < others; n += 1) await place(shop, [of(cup)]);
    while (await writer.step());
    await place(shop, [of(cup)]);
    await writeTerms(shop.test.database);

    expect(await numbersOf(shop, "sku=MUG")).toEqual(await numbersOf(shop, ""));
  },
);
