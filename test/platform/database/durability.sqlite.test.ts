// What was acknowledged is on the disk: the settings that see to it, and processes that are killed
// in the middle of their work.

import { expect, test } from "bun:test";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

import { SqliteConnection } from "#platform/database/sqlite/connection.ts";

import {
  crate,
  crateCount,
  crateIds,
  insertCrate,
  openCrateDatabase,
  openTestDatabase,
} from "../../support/database.ts";
import { openScratchFolder } from "../../support/scratch.ts";
import { commitsInLog, openBeside } from "../../support/sqlite-file.ts";

function pragma(connection: SqliteConnection, name: string): unknown {
  const [row] = connection.driver.query<Record<string, unknown>, []>(`PRAGMA ${name}`).all();
  return Object.values(row ?? {})[0];
}

test.each([
  ["busy_timeout", 5000],
  ["journal_mode", "wal"],
  ["synchronous", 2],
  ["fullfsync", 1],
  ["foreign_keys", 1],
  ["journal_size_limit", 67_108_864],
  ["trusted_schema", 0],
  ["cell_size_check", 1],
  ["mmap_size", 0],
  ["temp_store", 2],
])("the connection that writes has %s set to %p", (name, value) => {
  using folder = openScratchFolder();
  const connection = SqliteConnection.openWriter(folder.file("test.sqlite"));

  expect(pragma(connection, name) ?? 0).toBe(value);
  connection.close();
});

test.each([
  ["busy_timeout", 5000],
  ["journal_mode", "wal"],
  ["trusted_schema", 0],
  ["cell_size_check", 1],
])("the connection that reads has %s set to %p", (name, value) => {
  using folder = openScratchFolder();
  const writer = SqliteConnection.openWriter(folder.file("test.sqlite"));
  const reader = SqliteConnection.openReader(folder.file("test.sqlite"));

  expect(pragma(reader, name)).toBe(value);
  reader.close();
  writer.close();
});

test("the connection that reads cannot write", () => {
  using folder = openScratchFolder();
  const writer = SqliteConnection.openWriter(folder.file("test.sqlite"));
  const reader = SqliteConnection.openReader(folder.file("test.sqlite"));

  expect(() => reader.driver.run("CREATE TABLE intruder (id TEXT)")).toThrow("readonly");
  reader.close();
  writer.close();
});

test("a closed store is one file", async () => {
  using folder = openScratchFolder();
  const store = await openCrateDatabase(folder.path);
  await store.write((tx) => insertCrate(tx, crate("a")));
  await store.write((tx) => insertCrate(tx, crate("b")));
  await crateCount(store.read);
  await crateIds(store.read);

  await store.close();

  expect(readdirSync(folder.path)).toEqual(["test.sqlite"]);
});

test("closing twice is closing", async () => {
  using folder = openScratchFolder();
  const store = await openCrateDatabase(folder.path);

  await store.close();
  await store.close();

  expect(readdirSync(folder.path)).toEqual(["test.sqlite"]);
});

test("the log of writes does not grow without end", async () => {
  await using opened = await openTestDatabase();
  const { database, path } = opened;
  const contents = "x".repeat(100_000);

  for (let round = 0; round < 60; round += 1) {
    await Promise.all(
      Array.from({ length: 32 }, (_, index) =>
        database.write((tx) => insertCrate(tx, crate(`${round} ${index}`, { contents }))),
      ),
    );
  }

  // 192 MB were written; 62 MB and the last group may wait in the log.
  expect(statSync(`${path}-wal`).size).toBeLessThan(70_000_000);
  expect(commitsInLog(path)).toBeGreaterThan(0);
});

interface Survivors {
  readonly acknowledged: readonly string[];
  readonly found: ReadonlySet<string>;
  readonly integrity: unknown;
  readonly gaps: number;
}

/** Lets a process write until it acknowledged so many rows, kills it and opens what it left. */
async function killAfter(directory: string, acknowledgements: number): Promise<Survivors> {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "keep-writing.ts"), directory], {
    stdout: "pipe",
    stderr: "inherit",
  });
  let said = "";
  const decoder = new TextDecoder();
  for await (const chunk of child.stdout) {
    said += decoder.decode(chunk, { stream: true });
    if (said.split("\n").length > acknowledgements) child.kill("SIGKILL");
  }
  await child.exited;

  const store = await openCrateDatabase(directory);
  const found = new Set(await crateIds(store.read));
  await store.close();
  using database = openBeside(join(directory, "test.sqlite"));
  const log = database
    .query<{ rows: number; last: number }, []>(
      "SELECT count(*) AS rows, coalesce(max(sequence), 0) AS last FROM events",
    )
    .get();
  return {
    // What came after the last line break was not said to its end.
    acknowledged: said.split("\n").slice(0, -1),
    found,
    integrity: database.query("PRAGMA integrity_check").get(),
    gaps: (log?.last ?? 0) - (log?.rows ?? 0),
  };
}

test("a process killed five times lost nothing that it acknowledged", async () => {
  using folder = openScratchFolder();
  const everAcknowledged: string[] = [];

  for (const acknowledgements of [1, 30, 75, 200, 400]) {
    const survivors = await killAfter(folder.path, acknowledgements);
    everAcknowledged.push(...survivors.acknowledged);

    expect(survivors.acknowledged.length).toBeGreaterThanOrEqual(acknowledgements);
    expect(everAcknowledged.filter((id) => !survivors.found.has(id))).toEqual([]);
    expect(survivors.integrity).toEqual({ integrity_check: "ok" });
    expect(survivors.gaps).toBe(0);
  }
}, 30_000);
