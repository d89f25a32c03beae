// A database that did not save a write is not ready, until it saves one again.

import { expect, test } from "bun:test";

import type { Database } from "#platform/database/database.ts";
import { storageFull } from "#platform/database/errors.ts";
import { watchWrites } from "#platform/scheduler/watch-writes.ts";

import { openModeDatabase } from "../../support/database.ts";
import { openScratchFolder } from "../../support/scratch.ts";

/** A database whose disk is full while it is said to be. */
async function openOnDisk(folder: string, disk: { isFull: boolean }): Promise<Database> {
  const database = await openModeDatabase(folder, "test");
  return {
    ...database,
    write: (story, options) =>
      disk.isFull ? Promise.reject(storageFull()) : database.write(story, options),
  };
}

test("a write that was not saved makes it unready, and the next one ready", async () => {
  using folder = openScratchFolder();
  const disk = { isFull: true };
  const database = watchWrites(await openOnDisk(folder.path, disk), 60_000);
  const write = () => database.write(async () => "saved");

  const first = await write().catch(() => "refused");
  const isReadyAfterFailure = database.isWritable();
  disk.isFull = false;
  const second = await write();

  expect([first, isReadyAfterFailure, second, database.isWritable()]).toEqual([
    "refused",
    false,
    "saved",
    true,
  ]);
  await database.close();
});

test("a write of its own makes it ready again", async () => {
  using folder = openScratchFolder();
  const disk = { isFull: true };
  const tried = Promise.withResolvers<void>();
  const onDisk = await openOnDisk(folder.path, disk);
  const database = watchWrites(
    {
      ...onDisk,
      write: async (story, options) => {
        const result = await onDisk.write(story, options);
        tried.resolve();
        return result;
      },
    },
    5,
  );
  await database.write(async () => null).catch(() => null);

  disk.isFull = false;
  await tried.promise;
  await Promise.resolve();

  expect(database.isWritable()).toBe(true);
  await database.close();
});

test("a story that refuses has not failed to write", async () => {
  using folder = openScratchFolder();
  const database = watchWrites(await openOnDisk(folder.path, { isFull: false }));

  await database.write(() => Promise.reject(new Error("no"))).catch(() => null);

  expect(database.isWritable()).toBe(true);
  await database.close();
});
