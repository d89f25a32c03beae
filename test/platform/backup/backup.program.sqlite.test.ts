// Backups of a data directory: complete, unchanged and provable, or refused. The files are real ones.

import { Database as SqliteFile } from "bun:sqlite";
import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";

import fc from "fast-check";

import { HOUR_MS } from "#kernel/time.ts";
import { listBackups, pruneBackups } from "#platform/backup/backup-folder.ts";
import { takeBackup } from "#platform/backup/backup.ts";
import { readManifest, renderManifest, signManifest } from "#platform/backup/manifest.ts";
import { claimDatabases, noteSwap, shareDatabases } from "#platform/backup/swap.ts";
import { verifyBackup } from "#platform/backup/verify.ts";
import type { BackupProgress } from "#platform/backup/work.ts";
import { sqliteMigrations } from "#platform/database/sqlite/migrate.ts";

import { errorOf, NOON } from "../../support/database.ts";
import { runs, seedOfRun } from "../../support/runs.ts";
import { openScratchFolder, type ScratchFolder } from "../../support/scratch.ts";
import { makeDatabases, vault, workOf } from "./backup-work.ts";

setDefaultTimeout(60_000);

let scratch: ScratchFolder;
let directory = "";
let backups = "";

beforeEach(() => {
  scratch = openScratchFolder();
  directory = scratch.file("data");
  backups = scratch.file("backups");
  mkdirSync(directory);
});

afterEach(() => scratch[Symbol.dispose]());

/** Backups of a shop as the backups has them: one that was made, and others like it. */
async function makeBackups(terms: { storeId: string; hours: readonly number[] }): Promise<void> {
  makeDatabases(directory);
  const elsewhere = scratch.file("elsewhere");
  const { path, manifest } = await takeBackup(directory, elsewhere, workOf({ hour: 12 }));
  for (const hour of terms.hours) {
    const createdAt = new Date(NOON + hour * HOUR_MS).toISOString();
    const like = join(backups, `duka-${createdAt.replaceAll(":", "")}`);
    cpSync(path, like, { recursive: true });
    const text = renderManifest({ ...manifest, createdAt, storeId: terms.storeId });
    writeFileSync(join(like, "manifest.json"), text);
  }
  rmSync(elsewhere, { recursive: true });
}

/** Places all over the bytes. */
function placesIn(bytes: Uint8Array): number[] {
  const terms = { numRuns: runs(400), seed: seedOfRun() };
  return fc.sample(fc.nat({ max: bytes.length - 1 }), terms);
}

/** What a reader of the manifest was told for bytes that were others. */
function refusalsOfChangedBytes(backup: string): Set<string> {
  const file = join(backup, "manifest.json");
  const written = readFileSync(file);
  const told = new Set<string>();
  for (const at of placesIn(written)) {
    changeByte(file, at);
    try {
      readManifest(backup);
      told.add(`byte ${at} was not missed`);
    } catch (error) {
      told.add(error instanceof Error ? error.name : String(error));
    }
    writeFileSync(file, written);
  }
  return told;
}

/** A folder that was last touched so many hours ago. */
function makeFolder(name: string, hoursAgo: number): void {
  mkdirSync(join(backups, name), { recursive: true });
  const seconds = (NOON - hoursAgo * HOUR_MS) / 1000;
  utimesSync(join(backups, name), seconds, seconds);
}

function names(): string[] {
  return readdirSync(backups).toSorted();
}

/** One byte of a file is another one. */
function changeByte(path: string, at: number): void {
  const bytes = readFileSync(path);
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  writeFileSync(path, bytes);
}

function verify(backup: string) {
  return verifyBackup(backup, scratch.file("scratch"), workOf());
}

describe("a backup", () => {
  test("holds both databases and says what they are", async () => {
    makeDatabases(directory);

    const { path, manifest } = await takeBackup(directory, backups, workOf());

    expect(path).toBe(join(backups, "duka-2026-03-01T120000.000Z"));
    expect(readdirSync(path).toSorted()).toEqual([
      "live.sqlite.zst",
      "manifest.json",
      "test.sqlite.zst",
    ]);
    expect(readManifest(path)).toEqual(manifest);
    expect(manifest).toMatchObject({
      storeId: "str_ada",
      createdAt: "2026-03-01T12:00:00.000Z",
      differences: 0,
    });
    expect(manifest.databases.live.rows).toMatchObject({
      orders: 0,
      migrations: sqliteMigrations.length,
    });
  });

  test("is for its owner's eyes only", async () => {
    makeDatabases(directory);

    const { path } = await takeBackup(directory, backups, workOf());

    const modes = [backups, path, join(path, "manifest.json"), join(path, "live.sqlite.zst")].map(
      (one) => statSync(one).mode & 0o777,
    );
    expect(modes).toEqual([0o700, 0o700, 0o600, 0o600]);
  });

  test("tells how far it is, step by step", async () => {
    makeDatabases(directory);
    const seen = new Set<string>();
    const onProgress = ({ step, mode }: BackupProgress) => void seen.add(`${step} ${mode}`);

    await takeBackup(directory, backups, workOf({ onProgress }));

    expect([...seen]).toEqual([
      "copying live",
      "copying test",
      "settling live",
      "proving live",
      "settling test",
      "proving test",
      "packing live",
      "packing test",
    ]);
  });

  test("of an older schema keeps that schema, and restores all the same", async () => {
    makeDatabases(directory, sqliteMigrations.slice(0, 1));

    const { path, manifest } = await takeBackup(directory, backups, workOf());

    expect(manifest.databases.test.migrations).toHaveLength(1);
    expect((await verify(path)).proven.test.differences).toBe(0);
    expect(names()).toEqual([basename(path)]);
  });

  test("of a broken database is refused, and nothing of it is left", async () => {
    makeDatabases(directory);
    writeFileSync(
      join(directory, "test.sqlite"),
      readFileSync(join(directory, "test.sqlite")).fill(0xaa, 8192),
    );

    const error = await errorOf(takeBackup(directory, backups, workOf()));

    expect(error?.name).toBe("BackupFault");
    expect(names()).toEqual([]);
  });

  test("where no shop is, is refused before anything is made", async () => {
    const error = await errorOf(takeBackup(directory, backups, workOf()));

    expect(error?.message).toContain("There is no database at");
    expect(existsSync(backups)).toBe(false);
  });

  test("that cannot be written is refused in a sentence", async () => {
    makeDatabases(directory);
    writeFileSync(backups, "a file, not a folder");

    const error = await errorOf(takeBackup(directory, join(backups, "deep"), workOf()));

    expect(error?.message).toBe(
      `Cannot write to ${join(backups, "deep")}: a part of its path is not a folder.`,
    );
  });

  test("that is stopped leaves nothing", async () => {
    makeDatabases(directory);
    const stop = new AbortController();
    const onProgress = ({ step }: BackupProgress) =>
      void (step === "packing" && stop.abort(new Error("Enough.")));

    const error = await errorOf(
      takeBackup(directory, backups, workOf({ onProgress, signal: stop.signal })),
    );

    expect(error?.message).toBe("Enough.");
    expect(names()).toEqual([]);
  });

  test("is not made while a restore replaces the databases", async () => {
    makeDatabases(directory);
    using claim = claimDatabases(directory);

    const error = await errorOf(takeBackup(claim.directory, backups, workOf()));

    expect(error?.message).toStartWith("A restore is replacing these databases");
  });

  test("is not made of what an interrupted restore has left", async () => {
    makeDatabases(directory);
    noteSwap(directory, { staged: "restore-1", aside: "before-restore-1", backup: "/monday" });

    const error = await errorOf(takeBackup(directory, backups, workOf()));

    expect(error?.message).toStartWith("A restore was interrupted here");
    expect(names()).toEqual([]);
  });

  test("may be made beside another one, but no restore beside either", () => {
    using one = shareDatabases(directory);
    using other = shareDatabases(one.directory);

    expect(() => claimDatabases(other.directory)).toThrow("A backup is copying these databases");
  });
});

describe("the proof of a backup", () => {
  test("finds that it restores, and leaves nothing behind", async () => {
    makeDatabases(directory);
    const { path, manifest } = await takeBackup(directory, backups, workOf());

    const verified = await verify(path);

    expect(verified.manifest).toEqual(manifest);
    expect([verified.proven.live.differences, verified.proven.test.differences]).toEqual([0, 0]);
    expect(existsSync(scratch.file("scratch"))).toBe(false);
  });

  test.each(["live.sqlite.zst", "test.sqlite.zst"])(
    "refuses a changed byte in %s",
    async (file) => {
      makeDatabases(directory);
      const { path } = await takeBackup(directory, backups, workOf());
      changeByte(join(path, file), statSync(join(path, file)).size >> 1);

      const error = await errorOf(verify(path));

      expect(error?.message).toBe(`The backup is damaged: ${file} does not match its checksum.`);
    },
  );

  test("refuses a file that was cut off", async () => {
    makeDatabases(directory);
    const { path, manifest } = await takeBackup(directory, backups, workOf());
    truncateSync(join(path, "live.sqlite.zst"), 100);

    const error = await errorOf(verify(path));

    const { packedBytes } = manifest.databases.live;
    expect(error?.message).toBe(
      `The backup is damaged: live.sqlite.zst is 100 bytes long instead of ${packedBytes}.`,
    );
  });

  test("refuses a manifest in which any byte is another one", async () => {
    makeDatabases(directory);
    const { path } = await takeBackup(directory, backups, workOf());

    const told = refusalsOfChangedBytes(path);

    expect([...told]).toEqual(["BackupFault"]);
  });

  test.each([
    ["a later format", { format: 3, shops: [] }, "was made by a newer Duka: use that version."],
    ["another shape", { format: 1, store_id: null }, "is damaged."],
    ["a count below zero", { format: -1 }, "is damaged."],
    ["no format", [], "is damaged."],
  ])("refuses a manifest of %s", (_, written, reason) => {
    writeFileSync(join(directory, "manifest.json"), JSON.stringify(written));

    expect(() => readManifest(directory)).toThrow(reason);
  });

  test("refuses a folder that is no backup", async () => {
    const error = await errorOf(verify(directory));

    expect(error?.message).toBe(`${directory} is not a backup of Duka: it has no manifest.json.`);
  });

  test("refuses what a newer Duka made", async () => {
    makeDatabases(directory);
    const { path, manifest } = await takeBackup(directory, backups, workOf());
    const { live } = manifest.databases;
    const migrations = [...live.migrations, { name: "9999_later", hash: "0" }];
    const databases = { ...manifest.databases, live: { ...live, migrations } };
    writeFileSync(join(path, "manifest.json"), renderManifest({ ...manifest, databases }));

    const error = await errorOf(verify(path));

    expect(error?.name).toBe("SchemaMismatch");
    expect(error?.message).toContain("9999_later, which this program does not know");
  });

  test("tells the rows that are not those of the manifest, and another shop", async () => {
    makeDatabases(directory);
    const { path, manifest } = await takeBackup(directory, backups, workOf());
    const { live } = manifest.databases;
    const databases = {
      ...manifest.databases,
      live: { ...live, rows: { ...live.rows, orders: 9 } },
    };
    const changed = renderManifest(
      signManifest({ ...manifest, storeId: "str_other", databases }, vault),
    );
    writeFileSync(join(path, "manifest.json"), changed);

    const { proven } = await verify(path);

    expect(proven.live.listed).toEqual([
      { subject: "orders", what: "rows", expected: 9, found: 0 },
      { subject: "store", what: "id", expected: "str_other", found: "str_ada" },
    ]);
  });
});

describe("retention", () => {
  test("leaves the newest backups of a shop", async () => {
    await makeBackups({ storeId: "str_ada", hours: [0, 1, 2, 3] });
    const newest = join(backups, "duka-2026-03-01T150000.000Z");

    const gone = pruneBackups(backups, { keep: 2, spare: newest, storeId: "str_ada" });

    expect(gone.map((path) => basename(path))).toEqual([
      "duka-2026-03-01T130000.000Z",
      "duka-2026-03-01T120000.000Z",
    ]);
    expect(names()).toEqual(["duka-2026-03-01T140000.000Z", "duka-2026-03-01T150000.000Z"]);
  });

  test("never takes the backup just made, whatever the clock said", async () => {
    await makeBackups({ storeId: "str_ada", hours: [0, 1] });
    const justMade = join(backups, "duka-2026-03-01T120000.000Z");

    pruneBackups(backups, { keep: 1, spare: justMade, storeId: "str_ada" });

    expect(names()).toEqual(["duka-2026-03-01T120000.000Z"]);
  });

  test("never takes what is not a whole backup of this shop and nothing else", async () => {
    await makeBackups({ storeId: "str_other", hours: [0] });
    await makeBackups({ storeId: "str_ada", hours: [1, 2, 3, 4] });
    const at = (hour: number) => join(backups, `duka-2026-03-01T1${hour}0000.000Z`);
    changeByte(join(at(3), "manifest.json"), 40);
    writeFileSync(join(at(4), "notes.txt"), "before the move to Accra");
    cpSync(at(5), join(backups, "kept by hand"), { recursive: true });
    mkdirSync(join(backups, "duka-2026-01-01T000000.000Z"));
    const before = names();

    const gone = pruneBackups(backups, { keep: 1, spare: at(6), storeId: "str_ada" });

    expect(gone).toEqual([at(5)]);
    expect(names()).toEqual(before.filter((name) => join(backups, name) !== at(5)));
  });

  test("deletes nothing where the backups' store is unknown", async () => {
    await makeBackups({ storeId: "str_ada", hours: [0, 1] });

    const gone = pruneBackups(backups, { keep: 1, spare: "", storeId: null });

    expect(gone).toEqual([]);
  });

  test("deletes the leftovers of a program that died, and not a backup in progress", async () => {
    makeFolder("duka-2026-02-28T000000.000Z.partial", 7);
    makeFolder("duka-2026-03-01T115900.000Z.partial", 1);
    makeFolder("photos.partial", 7);
    makeDatabases(directory);

    await takeBackup(directory, backups, workOf());

    expect(names()).toEqual([
      "duka-2026-03-01T115900.000Z.partial",
      "duka-2026-03-01T120000.000Z",
      "photos.partial",
    ]);
  });
});

test("a backups lists its backups newest first, and those that cannot be used", async () => {
  await makeBackups({ storeId: "str_ada", hours: [0, 1] });
  mkdirSync(join(backups, "duka-2026-03-01T123000.000Z"));
  mkdirSync(join(backups, "photos"));

  const listed = listBackups(backups);

  expect(listed.map(({ path }) => basename(path))).toEqual([
    "duka-2026-03-01T130000.000Z",
    "duka-2026-03-01T123000.000Z",
    "duka-2026-03-01T120000.000Z",
  ]);
  expect(listed.map(({ manifest }) => manifest instanceof Error)).toEqual([false, true, false]);
});

test("a copy holds what was committed, and not what is being written", async () => {
  makeDatabases(directory);
  using database = new SqliteFile(join(directory, "live.sqlite"));
  database.run("INSERT INTO counters (name, value) VALUES ('committed', 1)");
  database.run("BEGIN IMMEDIATE");
  database.run("INSERT INTO counters (name, value) VALUES ('open', 1)");

  const { manifest } = await takeBackup(directory, backups, workOf());

  database.run("ROLLBACK");
  expect(manifest.databases.live.rows["counters"]).toBe(1);
});
