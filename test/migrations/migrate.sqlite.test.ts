// A file is brought to this program's schema as a whole or left as it was.

import { Database as SqliteFile } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, utimesSync } from "node:fs";
import { basename, join } from "node:path";

import { type MigrationStep, SchemaMismatch } from "#platform/database/migrations.ts";
import { migrate, sqliteMigrations } from "#platform/database/sqlite/migrate.ts";

import { noonClock } from "../support/database.ts";
import { openScratchFolder, type ScratchFolder } from "../support/scratch.ts";

const first = {
  name: "0000_shelf",
  text: "CREATE TABLE shelf (id TEXT PRIMARY KEY) STRICT;\n--> statement-breakpoint\nINSERT INTO shelf VALUES ('a');",
};
const second = {
  name: "0001_crates",
  text: "CREATE TABLE crates (id TEXT PRIMARY KEY, shelf TEXT NOT NULL REFERENCES shelf (id) ON DELETE CASCADE) STRICT;\n--> statement-breakpoint\nINSERT INTO crates VALUES ('mugs', 'a');",
};
/** Rebuilds a table that another refers to, the way drizzle-kit writes it. */
const rebuild = {
  name: "0002_rebuild",
  text: [
    "PRAGMA foreign_keys=OFF;",
    "CREATE TABLE `__new_shelf` (id TEXT PRIMARY KEY, note TEXT) STRICT;",
    "INSERT INTO `__new_shelf` (id) SELECT id FROM shelf;",
    "DROP TABLE shelf;",
    "ALTER TABLE `__new_shelf` RENAME TO shelf;",
    "PRAGMA foreign_keys=ON;",
  ].join("\n--> statement-breakpoint\n"),
};
const failing = {
  name: "0002_failing",
  text: "CREATE TABLE half (id TEXT) STRICT;\n--> statement-breakpoint\nINSERT INTO nowhere VALUES (1);",
};
const orphaning = { name: "0002_orphaning", text: "DELETE FROM shelf;" };

const run = (path: string, migrations = [first, second]) =>
  migrate(path, { clock: noonClock, migrations });

function query(path: string, text: string): unknown[] {
  using database = new SqliteFile(path, { readwrite: true, strict: true });
  return database.query(text).all();
}

const schemaOf = (path: string) =>
  query(path, "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name");

/** The files beside the database. */
const filesOf = (folder: ScratchFolder) => readdirSync(folder.path).toSorted();

test("a new file gets all migrations, in order, and no copy of nothing is made", () => {
  using folder = openScratchFolder();
  const path = folder.file("shop.sqlite");

  expect(run(path)).toEqual({
    applied: ["0000_shelf", "0001_crates"],
    snapshot: null,
    writer: null,
  });

  expect(query(path, "SELECT name, applied_at FROM migrations ORDER BY name")).toEqual([
    { name: "0000_shelf", applied_at: noonClock.now() },
    { name: "0001_crates", applied_at: noonClock.now() },
  ]);
  expect(filesOf(folder)).toEqual(["shop.sqlite"]);
});

test("a file that is up to date stays as it is", () => {
  using folder = openScratchFolder();
  const path = folder.file("shop.sqlite");
  run(path);

  expect(run(path)).toEqual({ applied: [], snapshot: null, writer: null });
  expect(filesOf(folder)).toEqual(["shop.sqlite"]);
});

test("this program's migrations, one release at a time, make the schema of a fresh file", () => {
  using folder = openScratchFolder();
  const fresh = folder.file("fresh.sqlite");
  const upgraded = folder.file("upgraded.sqlite");
  migrate(fresh, { clock: noonClock });

  sqliteMigrations.forEach((_, index) => {
    const clock = { now: () => noonClock.now() + index };
    migrate(upgraded, { clock, migrations: sqliteMigrations.slice(0, index + 1) });
  });

  expect(sqliteMigrations.length).toBeGreaterThan(1);
  expect(schemaOf(upgraded)).toEqual(schemaOf(fresh));
  expect(migrate(upgraded, { clock: noonClock }).applied).toEqual([]);
});

test("a file of a newer program names the newest that served it", () => {
  using folder = openScratchFolder();
  const path = folder.file("shop.sqlite");
  const versions = {
    name: "0001_versions",
    text: "CREATE TABLE versions (version TEXT PRIMARY KEY, schema INTEGER, oldest_beside INTEGER, first_served_at INTEGER) STRICT;\n--> statement-breakpoint\nINSERT INTO versions VALUES ('0.3.0', 2, 2, 1), ('0.2.0+', 1, 1, 2);",
  };
  run(path, [first, versions, { ...second, name: "0002_crates" }]);

  expect(() => run(path, [first, versions])).toThrow(
    "It was written by Duka 0.3.0: run that version, or restore a backup.",
  );
});

test("before anything changes, a file with data is copied whole", () => {
  using folder = openScratchFolder();
  const path = folder.file("live.sqlite");
  run(path, [first]);

  const { applied, snapshot } = run(path, [first, second]);

  expect(applied).toEqual(["0001_crates"]);
  expect(snapshot).toStartWith(join(folder.path, "snapshots", "live-2026-03-01T12-00-00-000Z-"));
  expect(query(snapshot ?? "", "SELECT id FROM shelf")).toEqual([{ id: "a" }]);
  expect(query(snapshot ?? "", "PRAGMA integrity_check")).toEqual([{ integrity_check: "ok" }]);
  expect(query(snapshot ?? "", "SELECT name FROM migrations")).toEqual([{ name: "0000_shelf" }]);
  expect(query(path, "SELECT id FROM crates")).toEqual([{ id: "mugs" }]);
});

test("each step of a file with data is told before it begins, and none of a new file", () => {
  using folder = openScratchFolder();
  const path = folder.file("shop.sqlite");
  const told: string[] = [];
  const onStep = ({ step, number, of }: MigrationStep) => {
    told.push(`${step} ${number} of ${of}, ${query(path, "SELECT name FROM migrations").length}`);
  };
  migrate(path, { clock: noonClock, migrations: [first], onStep });
  expect(told).toEqual([]);

  migrate(path, { clock: noonClock, migrations: [first, second, rebuild], onStep });

  expect(told).toEqual(["snapshot 0 of 2, 1", "0001_crates 1 of 2, 1", "0002_rebuild 2 of 2, 2"]);
});

test("a second upgrade at the same instant keeps both copies", () => {
  using folder = openScratchFolder();
  const path = folder.file("live.sqlite");
  run(path, [first]);
  run(path, [first, second]);

  const { snapshot } = run(path, [first, second, rebuild]);

  expect(readdirSync(join(folder.path, "snapshots"))).toHaveLength(2);
  expect(query(snapshot ?? "", "SELECT id FROM crates")).toEqual([{ id: "mugs" }]);
});

test("the copies of the last two updates are kept, of each database", () => {
  using folder = openScratchFolder();
  const path = folder.file("live.sqlite");
  const more = ["0002_a", "0003_b", "0004_c"].map((name) => ({
    name,
    text: `CREATE TABLE "${name}" (id TEXT PRIMARY KEY) STRICT;`,
  }));
  const all = [first, second, ...more];
  run(path, [first]);
  run(folder.file("test.sqlite"), [first]);
  run(folder.file("test.sqlite"), [first, second]);

  const snapshots = more.map((_, index) => {
    const clock = { now: () => noonClock.now() + index };
    const { snapshot } = migrate(path, { clock, migrations: all.slice(0, index + 2) });
    const twoHoursAgo = new Date(Date.now() - 7_200_000);
    utimesSync(snapshot ?? "", twoHoursAgo, twoHoursAgo);
    return snapshot ?? "";
  });

  const kept = readdirSync(join(folder.path, "snapshots")).toSorted();
  expect(kept.filter((name) => name.startsWith("live-"))).toEqual(
    snapshots.slice(-2).map((snapshot) => basename(snapshot)),
  );
  expect(kept).toHaveLength(3);
});

test("an update that changes nothing because it fails leaves no copy, however often it is tried", () => {
  using folder = openScratchFolder();
  const path = folder.file("shop.sqlite");
  run(path, [first, second]);

  for (let tries = 0; tries < 3; tries += 1) {
    expect(() => run(path, [first, second, failing])).toThrow("no such table: nowhere");
  }

  expect(readdirSync(join(folder.path, "snapshots"))).toEqual([]);
});

test("what is in the log and not yet in the file is copied too", () => {
  using folder = openScratchFolder();
  const path = folder.file("live.sqlite");
  run(path, [first]);
  using open = new SqliteFile(path);
  open.run("INSERT INTO shelf VALUES ('late')");
  expect(existsSync(`${path}-wal`)).toBe(true);

  const { snapshot } = run(path, [first, second]);

  expect(query(snapshot ?? "", "SELECT id FROM shelf ORDER BY id")).toEqual([
    { id: "a" },
    { id: "late" },
  ]);
});

describe("a file of another program is refused and left as it was", () => {
  test.each([
    ["a newer one", [first], "written by a newer Duka"],
    ["one with other migrations", [{ ...first, name: "0000_other" }, second], "newer Duka"],
    [
      "one whose migration was changed",
      [first, { ...second, text: `${second.text} ` }],
      "The migration 0001_crates in the database differs",
    ],
  ])("%s", (_, migrations, message) => {
    using folder = openScratchFolder();
    const path = folder.file("shop.sqlite");
    run(path, [first, second]);
    const before = schemaOf(path);

    expect(() => run(path, migrations)).toThrow(SchemaMismatch);
    expect(() => run(path, migrations)).toThrow(message);
    expect(schemaOf(path)).toEqual(before);
    expect(filesOf(folder)).toEqual(["shop.sqlite"]);
  });
});

test("a file that is no database is refused and left as it was", async () => {
  using folder = openScratchFolder();
  const path = folder.file("shop.sqlite");
  await Bun.write(path, "This is a letter, and not a database, and long enough to look at it. ");

  expect(() => run(path)).toThrow("not a database");
  expect(await Bun.file(path).text()).toStartWith("This is a letter");
});

test("a migration that fails leaves the schema and the rows from before", () => {
  using folder = openScratchFolder();
  const path = folder.file("shop.sqlite");
  run(path, [first, second]);
  const before = schemaOf(path);

  expect(() => run(path, [first, second, failing])).toThrow("no such table: nowhere");

  expect(schemaOf(path)).toEqual(before);
  expect(query(path, "SELECT id FROM crates")).toEqual([{ id: "mugs" }]);
  expect(run(path, [first, second, rebuild]).applied).toEqual(["0002_rebuild"]);
});

test("what came before the migration that failed is kept", () => {
  using folder = openScratchFolder();
  const path = folder.file("shop.sqlite");
  run(path, [first]);

  expect(() => run(path, [first, second, failing])).toThrow("no such table: nowhere");

  expect(query(path, "SELECT name FROM migrations ORDER BY name")).toEqual([
    { name: "0000_shelf" },
    { name: "0001_crates" },
  ]);
});

test("a new file is migrated as one, or not at all", () => {
  using folder = openScratchFolder();
  const path = folder.file("shop.sqlite");

  expect(() => run(path, [first, second, failing])).toThrow("no such table: nowhere");

  expect(query(path, "SELECT name FROM sqlite_schema")).toEqual([]);
});

test("a migration that would leave a reference without its row is refused", () => {
  using folder = openScratchFolder();
  const path = folder.file("shop.sqlite");
  run(path, [first, second]);

  expect(() => run(path, [first, second, orphaning])).toThrow("would leave 1 dangling references");
  expect(query(path, "SELECT id FROM shelf")).toEqual([{ id: "a" }]);
});

test("a table that is rebuilt keeps the rows that refer to it", () => {
  using folder = openScratchFolder();
  const path = folder.file("shop.sqlite");
  run(path, [first, second]);

  run(path, [first, second, rebuild]);

  expect(query(path, "SELECT id, shelf FROM crates")).toEqual([{ id: "mugs", shelf: "a" }]);
  expect(query(path, "SELECT id, note FROM shelf")).toEqual([{ id: "a", note: null }]);
});

test("of four processes that migrate a new file at once, one does and all go on", async () => {
  using folder = openScratchFolder();
  const path = folder.file("shop.sqlite");

  const said = await migrateInFourProcesses(path);

  expect(said).toEqual(sqliteMigrations.map((one) => one.name));
});

test("of four processes that upgrade a file at once, one does and all go on", async () => {
  using folder = openScratchFolder();
  const path = folder.file("shop.sqlite");
  migrate(path, { clock: noonClock, migrations: sqliteMigrations.slice(0, 1) });

  const said = await migrateInFourProcesses(path);

  expect(said).toEqual(sqliteMigrations.slice(1).map((one) => one.name));
});

/** What each of them applied; a process that fails says why. */
async function migrateInFourProcesses(path: string): Promise<string[]> {
  const said = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const child = Bun.spawn([process.execPath, join(import.meta.dir, "migrate-now.ts"), path], {
        stdout: "pipe",
        stderr: "inherit",
      });
      return new Response(child.stdout).text();
    }),
  );
  return said.flatMap((text) => text.split("\n").filter((line) => line !== "")).toSorted();
}
