// What is done for the file between two groups of writes.

import { expect, test } from "bun:test";
import { renameSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { pathToFileURL } from "node:url";

import { type CheckpointEnd, Checkpointer } from "#platform/database/sqlite/checkpointer.ts";

import { crate, insertCrate, openTestDatabase } from "../../support/database.ts";
import { openScratchFolder } from "../../support/scratch.ts";
import { openTestWriter } from "../../support/sqlite-file.ts";

const MEGABYTE = 2 ** 20;
/** An eighth of a megabyte. */
const text = "x".repeat(MEGABYTE / 8);

test("the log is used from its beginning again, however much is written", async () => {
  await using opened = await openTestDatabase();
  const { database } = opened;

  let longest = 0;
  for (let index = 0; index < 1000; index += 1) {
    await database.write((tx) => insertCrate(tx, crate(`${index} ${text}`)));
    longest = Math.max(longest, (await database.sizes()).log);
  }

  expect(longest).toBeGreaterThan(28 * MEGABYTE);
  expect(longest).toBeLessThan(64 * MEGABYTE);
});

test("a log that its thread cannot copy is copied between two groups", async () => {
  using opened = await openTestWriter();
  // The thread does not find the file, which this connection keeps open.
  const folder = dirname(opened.path);
  const elsewhere = `${folder}-elsewhere`;
  renameSync(folder, elsewhere);

  for (let index = 0; index < 100; index += 1) {
    await opened.writer.write((tx) => insertCrate(tx, crate(`${index} ${text}`)));
  }
  const copied = statSync(join(elsewhere, basename(opened.path))).size;
  renameSync(elsewhere, folder);

  expect(copied).toBeGreaterThan(10 * MEGABYTE);
  expect(opened.committed()).toHaveLength(100);
});

test("a thread that ends fails its checkpoint, and the next one has another", async () => {
  await using opened = await openTestDatabase();
  const ends = await endsBeside("process.exit(0)");
  expect(ends).toEqual(["failed", "failed"]);
  expect(await new Checkpointer(opened.path).start()).toBe("done");
});

/** How two checkpoints end, one after the other, whose threads run this code. */
async function endsBeside(code: string): Promise<CheckpointEnd[]> {
  using scratch = openScratchFolder();
  writeFileSync(scratch.file("thread.ts"), code);
  const checkpointer = new Checkpointer("none.sqlite", pathToFileURL(scratch.file("thread.ts")));
  const ends = [await checkpointer.start(), await checkpointer.start()];
  await checkpointer.close();
  return ends;
}
