// `duka restore` replaces the databases by those of a backup, or changes nothing.

import { Database as SqliteFile } from "bun:sqlite";
import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { cpSync, existsSync, mkdirSync, readdirSync, truncateSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";

import { readManifest, renderManifest } from "#platform/backup/manifest.ts";
import { noteSwap } from "#platform/backup/swap.ts";
import { migrate, sqliteMigrations } from "#platform/database/sqlite/migrate.ts";

import { noonClock } from "../support/database.ts";
import { openRunningDuka, runDuka } from "../support/running-duka.ts";
import { openScratchFolder, type ScratchFolder } from "../support/scratch.ts";

setDefaultTimeout(120_000);

let scratch: ScratchFolder;
let folder = "";

beforeEach(() => {
  scratch = openScratchFolder();
  folder = scratch.path;
});

afterEach(() => scratch[Symbol.dispose]());

function duka(...args: string[]) {
  return runDuka(args, { folder });
}

/** Makes a shop with one counter of this value in each database; no server runs there. */
function makeShop(value: number, migrations = sqliteMigrations): void {
  mkdirSync(scratch.file("data"), { recursive: true });
  for (const mode of ["live", "test"]) {
    const path = scratch.file(`data/${mode}.sqlite`);
    migrate(path, { clock: noonClock, migrations });
    using database = new SqliteFile(path);
    database.run("INSERT OR REPLACE INTO counters (name, value) VALUES ('order', ?)", [value]);
  }
}

/** The counters of both databases of a directory, live first. */
function countersIn(directory: string): (number | null)[] {
  return ["live", "test"].map((mode) => {
    using database = new SqliteFile(join(directory, `${mode}.sqlite`), { readonly: true });
    const row = database.query<{ value: number }, []>("SELECT value FROM counters").get();
    return row?.value ?? null;
  });
}

/** A backup with counters at 1; the counters of the data directory are at 2 afterwards. */
async function backUpThenChange(): Promise<string> {
  makeShop(1);
  const { stdout } = await duka("backup", "--to", scratch.file("backups"));
  makeShop(2);
  return stdout.trim();
}

function inShop(pattern: RegExp): string[] {
  return readdirSync(scratch.file("data")).filter((name) => pattern.test(name));
}

/** The files of a restore that is committed to its journal and has moved nothing yet. */
function decideRestore(backup: string): void {
  mkdirSync(scratch.file("data/restore-2026-03-01T120000.000Z"));
  for (const mode of ["live", "test"]) {
    const staged = scratch.file(`data/restore-2026-03-01T120000.000Z/${mode}.sqlite`);
    cpSync(scratch.file(`data/${mode}.sqlite`), staged);
    using database = new SqliteFile(staged);
    database.run("UPDATE counters SET value = 3");
  }
  noteSwap(scratch.file("data"), {
    staged: "restore-2026-03-01T120000.000Z",
    aside: "before-restore-2026-03-01T120000.000Z",
    backup,
  });
}

describe("a restore", () => {
  test("replaces the databases and keeps the earlier ones", async () => {
    const backup = await backUpThenChange();

    const ended = await duka("restore", backup);

    const aside = /^The earlier databases are in (\S+)\.$/m.exec(ended.stdout)?.[1] ?? "";
    expect(ended.code).toBe(0);
    expect(ended.stdout).toContain(`Restored the shop of ${readManifest(backup).createdAt}.`);
    expect(countersIn(scratch.file("data"))).toEqual([1, 1]);
    expect(countersIn(aside)).toEqual([2, 2]);
    expect(inShop(/^restore/)).toEqual([]);
  });

  test("can be undone: the databases that were kept are a sound shop", async () => {
    const backup = await backUpThenChange();
    const ended = await duka("restore", backup);
    const aside = /^The earlier databases are in (\S+)\.$/m.exec(ended.stdout)?.[1] ?? "";

    const checked = await duka("--data-dir", aside, "check");

    expect(checked.code).toBe(0);
  });

  test("into a missing directory makes a working shop", async () => {
    await using first = await openRunningDuka({ folder });
    const backup = (await duka("backup")).stdout.trim();

    const ended = await duka("--data-dir", "elsewhere", "restore", backup);

    const settings = { DUKA_DATA_DIR: scratch.file("elsewhere") };
    await using second = await openRunningDuka({ folder, settings });
    const answer = await second.request("POST", "/v2/products", {
      key: first.key,
      body: { name: "Mug", price: 12.5 },
    });
    expect(ended.stdout).toEndWith("There were no earlier databases.\n");
    expect(answer.status).toBe(201);
  });

  test("of an older schema is migrated by the next start", async () => {
    makeShop(1, sqliteMigrations.slice(0, 3));
    const backup = (await duka("backup", "--to", scratch.file("backups"))).stdout.trim();

    const ended = await duka("restore", backup);

    await using running = await openRunningDuka({ folder });
    expect(ended.code).toBe(0);
    expect(running.greeting).toContain("is running");
    expect(countersIn(scratch.file("data"))).toContain(1);
  });

  test("leaves secret.key unchanged", async () => {
    const backup = await backUpThenChange();
    writeFileSync(scratch.file("data/secret.key"), "k");

    await duka("restore", backup);

    expect(inShop(/secret/)).toEqual(["secret.key"]);
  });
});

describe("a restore is refused and nothing is changed", () => {
  test("while a server runs", async () => {
    await using running = await openRunningDuka({ folder });
    const backup = (await duka("backup")).stdout.trim();

    const ended = await duka("restore", backup);

    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain(`Another Duka (process ${running.id}) already serves`);
    expect(inShop(/restore/)).toEqual([]);
  });

  test("if a file of the backup was truncated", async () => {
    const backup = await backUpThenChange();
    truncateSync(join(backup, "test.sqlite.zst"), 500);

    const ended = await duka("restore", backup);

    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain("The backup is damaged: test.sqlite.zst is 500 bytes long");
    expect(countersIn(scratch.file("data"))).toEqual([2, 2]);
    expect(inShop(/restore/)).toEqual([]);
  });

  test("if the backup was made by a newer Duka", async () => {
    const backup = await backUpThenChange();
    const manifest = readManifest(backup);
    const { test: inTest } = manifest.databases;
    const migrations = [...inTest.migrations, { name: "9999_later", hash: "0" }];
    const databases = { ...manifest.databases, test: { ...inTest, migrations } };
    writeFileSync(join(backup, "manifest.json"), renderManifest({ ...manifest, databases }));

    const ended = await duka("restore", backup);

    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain("9999_later, which this program does not know");
    expect(countersIn(scratch.file("data"))).toEqual([2, 2]);
  });

  test("if figures in the backup do not agree, unless --despite-differences is given", async () => {
    const backup = await backUpThenChange();
    const manifest = readManifest(backup);
    const { live } = manifest.databases;
    const databases = {
      ...manifest.databases,
      live: { ...live, rows: { ...live.rows, orders: 9 } },
    };
    writeFileSync(join(backup, "manifest.json"), renderManifest({ ...manifest, databases }));

    const refused = await duka("restore", backup);
    const untouched = countersIn(scratch.file("data"));
    const accepted = await duka("restore", backup, "--despite-differences");

    expect(refused.code).toBe(1);
    expect(refused.stdout).toContain("live: orders: rows should be 9 and is 0\n");
    expect(refused.stdout).toContain("Nothing was restored");
    expect(untouched).toEqual([2, 2]);
    expect(accepted.code).toBe(0);
    expect(countersIn(scratch.file("data"))).toEqual([1, 1]);
  });

  test("if the path is no backup", async () => {
    makeShop(2);

    const ended = await duka("restore", "somewhere");

    expect(ended).toEqual({
      code: 1,
      stdout: "",
      stderr: `${scratch.file("somewhere")} is not a backup of Duka: it has no manifest.json.\n`,
    });
  });
});

describe("a restore that was interrupted", () => {
  test("is finished by the same command, and not repeated", async () => {
    makeShop(2);
    decideRestore(scratch.file("monday"));

    const ended = await duka("restore", "monday");

    expect(ended.code).toBe(0);
    expect(ended.stdout).toStartWith(
      `Finished an interrupted restore of ${scratch.file("monday")}.\n`,
    );
    expect(countersIn(scratch.file("data"))).toEqual([3, 3]);
    expect(inShop(/restore/)).toEqual(["before-restore-2026-03-01T120000.000Z"]);
  });

  test("is finished before another one starts", async () => {
    const backup = await backUpThenChange();
    decideRestore(scratch.file("monday"));

    const ended = await duka("restore", backup);

    const asides = inShop(/^before-restore/).toSorted();
    expect(ended.code).toBe(0);
    expect(countersIn(scratch.file("data"))).toEqual([1, 1]);
    expect(asides.map((name) => countersIn(scratch.file(`data/${name}`)))).toEqual([
      [2, 2],
      [3, 3],
    ]);
  });

  test("before its journal was written is removed by the next one", async () => {
    const backup = await backUpThenChange();
    mkdirSync(scratch.file("data/restore-2026-03-01T120000.000Z"));
    mkdirSync(scratch.file("data/restore-notes"));

    await duka("restore", backup);

    expect(inShop(/^restore/)).toEqual(["restore-notes"]);
    expect(existsSync(scratch.file(`backups/${basename(backup)}`))).toBe(true);
  });
});
