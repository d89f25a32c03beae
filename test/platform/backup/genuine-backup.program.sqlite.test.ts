// Whose backup it is, and whether its schema is the one that Duka made.

import { Database as SqliteFile } from "bun:sqlite";
import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { takeBackup } from "#platform/backup/backup.ts";
import { readManifest, renderManifest, signManifest } from "#platform/backup/manifest.ts";
import { verifyBackup } from "#platform/backup/verify.ts";
import { sqliteMigrations } from "#platform/database/sqlite/migrate.ts";
import { vaultWith } from "#platform/vault/vault.ts";

import { errorOf } from "../../support/database.ts";
import { openScratchFolder, type ScratchFolder } from "../../support/scratch.ts";
import { makeDatabases, vault, workOf } from "./backup-work.ts";

setDefaultTimeout(60_000);

const otherVault = vaultWith([new Uint8Array(32).fill(8)], []);

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

function verify(backup: string) {
  return verifyBackup(backup, scratch.file("scratch"), workOf());
}

describe("the proof of a backup", () => {
  test("refuses a backup that another key signed", async () => {
    makeDatabases(directory);
    const { path } = await takeBackup(directory, backups, workOf({ vault: otherVault }));

    const error = await errorOf(verify(path));

    expect(error?.message).toContain("another key than that of this shop signed it. Name a copy");
    expect(error?.message).toContain("--secret-key-file");
  });

  test("refuses a backup whose files and checksums were replaced together", async () => {
    makeDatabases(directory);
    const { path, manifest } = await takeBackup(directory, backups, workOf());
    const forged = await takeBackup(
      directory,
      scratch.file("forged"),
      workOf({ vault: otherVault }),
    );
    const { signature } = manifest;
    cpSync(forged.path, path, { recursive: true });
    writeFileSync(
      join(path, "manifest.json"),
      renderManifest({ ...forged.manifest, createdAt: "2026-01-01T00:00:00.000Z", signature }),
    );

    const error = await errorOf(verify(path));

    expect(error?.message).toContain("is not proven to be of your shop");
  });

  test("refuses a file that unpacks to another database than the manifest says", async () => {
    makeDatabases(directory);
    const { path, manifest } = await takeBackup(directory, backups, workOf());
    const live = { ...manifest.databases.live, sha256: manifest.databases.live.packedSha256 };
    const other = { ...manifest, databases: { ...manifest.databases, live } };
    writeFileSync(join(path, "manifest.json"), renderManifest(signManifest(other, vault)));

    const error = await errorOf(verify(path));

    expect(error?.message).toContain("does not contain the database of the manifest");
  });

  test("refuses a backup of an earlier version, which signed none", async () => {
    makeDatabases(directory);
    const { path, manifest } = await takeBackup(directory, backups, workOf());
    const unsigned = renderManifest({ ...manifest, signature: null });
    writeFileSync(join(path, "manifest.json"), unsigned);

    const error = await errorOf(verify(path));

    expect(readManifest(path).signature).toBeNull();
    expect(error?.message).toEndWith(
      "an earlier version made it, which did not sign backups. Accept it with --unverified.",
    );
  });

  test("without a key asks for one", async () => {
    makeDatabases(directory);
    const { path } = await takeBackup(directory, backups, workOf());

    const error = await errorOf(
      verifyBackup(path, scratch.file("scratch"), { ...workOf(), vault: null }),
    );

    expect(error?.message).toContain("there is no secret.key here");
  });

  test("accepts an unproven backup where that is allowed, and says so", async () => {
    makeDatabases(directory);
    const { path } = await takeBackup(directory, backups, workOf({ vault: otherVault }));
    const work = workOf({ isUnverifiedAllowed: true });

    const { isGenuine } = await verifyBackup(path, scratch.file("scratch"), work);

    expect(isGenuine).toBe(false);
  });

  test.each([
    [
      "trigger spy",
      "CREATE TRIGGER spy AFTER INSERT ON counters BEGIN DELETE FROM counters; END",
      "none",
    ],
    ["view everything", "CREATE VIEW everything AS SELECT * FROM counters", "none"],
    ["table loot", "CREATE TABLE loot (name TEXT)", "none"],
    ["index orders_spy", "CREATE INDEX orders_spy ON orders (id)", "none"],
    ["table counters", "ALTER TABLE counters ADD COLUMN loot TEXT", "that of this version"],
  ])("finds a foreign %s", async (subject, statement, expected) => {
    makeDatabases(directory);
    using database = new SqliteFile(join(directory, "live.sqlite"));
    database.run(statement);
    const { path } = await takeBackup(directory, backups, workOf());

    const { proven } = await verify(path);

    expect(proven.live.listed).toMatchObject([{ subject, what: "definition", expected }]);
    expect(proven.test.listed).toEqual([]);
  });

  // A later migration makes the table of order lines anew, and drops its triggers with it.
  test.each(["counters", "order_lines"])(
    "finds a foreign trigger on %s in a backup of an older schema",
    async (table) => {
      makeDatabases(directory, sqliteMigrations.slice(0, 2));
      using database = new SqliteFile(join(directory, "live.sqlite"));
      database.run(`CREATE TRIGGER spy AFTER INSERT ON ${table} BEGIN DELETE FROM counters; END`);
      const { path } = await takeBackup(directory, backups, workOf());

      const { proven } = await verify(path);

      expect(proven.live.listed).toMatchObject([{ subject: "trigger spy" }]);
      expect(proven.test.listed).toEqual([]);
    },
  );
});
