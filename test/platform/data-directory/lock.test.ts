// One serving process per data directory, with real processes that really die.

import { Database as SqliteFile } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { DataDirectoryInUse, lockDataDirectory } from "#platform/data-directory/data-directory.ts";

let root = "";
let directory = "";

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "duka-lock-"));
  directory = join(root, "data");
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

/** Another process that locks the directory, and the first thing it says. */
async function holdElsewhere() {
  const holder = Bun.spawn([process.execPath, join(import.meta.dir, "hold-lock.ts"), directory], {
    stdout: "pipe",
  });
  const { value } = await holder.stdout.getReader().read();
  const said = new TextDecoder().decode(value).trim();
  return {
    said,
    id: holder.pid,
    async [Symbol.asyncDispose]() {
      holder.kill("SIGKILL");
      await holder.exited;
    },
  };
}

test("a missing data directory is created for its owner alone", () => {
  using lock = lockDataDirectory(directory);

  expect(lock.directory).toBe(directory);
  expect(statSync(directory).mode & 0o777).toBe(0o700);
});

test("a second server is refused, and told which process serves the directory", async () => {
  await using holder = await holdElsewhere();

  expect(holder.said).toBe(`locked ${directory}`);
  expect(() => lockDataDirectory(directory)).toThrow(
    `Another Duka (process ${holder.id}) already serves ${directory}.`,
  );
});

test("a second server does not disturb the first", async () => {
  using lock = lockDataDirectory(directory);

  await using second = await holdElsewhere();
  await using third = await holdElsewhere();

  expect(second.said).toStartWith("Another Duka");
  expect(third.said).toStartWith("Another Duka");
  expect(readFileSync(join(lock.directory, "duka.pid"), "utf8")).toBe(`${process.pid}\n`);
});

test("a server that was killed leaves the directory free", async () => {
  await (await holdElsewhere())[Symbol.asyncDispose]();

  using lock = lockDataDirectory(directory);

  expect(existsSync(join(directory, "duka.pid"))).toBe(true);
  expect(lock.directory).toBe(directory);
});

test("a server that stopped leaves the directory free", async () => {
  lockDataDirectory(directory)[Symbol.dispose]();

  await using holder = await holdElsewhere();

  expect(holder.said).toBe(`locked ${directory}`);
});

test("stopping twice does not free what another server has taken since", async () => {
  const lock = lockDataDirectory(directory);
  lock[Symbol.dispose]();
  await using holder = await holdElsewhere();

  lock[Symbol.dispose]();

  expect(readFileSync(join(directory, "duka.pid"), "utf8")).toBe(`${holder.id}\n`);
  expect(() => lockDataDirectory(directory)).toThrow(DataDirectoryInUse);
});

test("deleting the lock file does not let a second server in", async () => {
  await using holder = await holdElsewhere();

  rmSync(join(directory, "duka.lock"));

  expect(() => lockDataDirectory(directory)).toThrow(
    `Another Duka (process ${holder.id}) already serves ${directory}.`,
  );
});

test("a lock file that is locked is respected, where directories cannot be locked", () => {
  lockDataDirectory(directory)[Symbol.dispose]();
  using elsewhere = new SqliteFile(join(directory, "duka.lock"));
  elsewhere.run("BEGIN EXCLUSIVE");

  expect(() => lockDataDirectory(directory)).toThrow(DataDirectoryInUse);
});

test("deleting every file does not let a second server in", async () => {
  await using _ = await holdElsewhere();

  for (const name of readdirSync(directory)) rmSync(join(directory, name));

  expect(() => lockDataDirectory(directory)).toThrow(DataDirectoryInUse);
});

test("one process cannot serve a directory twice", () => {
  using lock = lockDataDirectory(directory);

  expect(() => lockDataDirectory(lock.directory)).toThrow(DataDirectoryInUse);
});

test("two directories can be served side by side", async () => {
  using lock = lockDataDirectory(join(root, "other"));

  await using holder = await holdElsewhere();

  expect(holder.said).toBe(`locked ${directory}`);
  expect(lock.directory).toBe(join(root, "other"));
});
