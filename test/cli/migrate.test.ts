// `duka migrate` brings the databases up to date while no server has them.

import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync } from "node:fs";

import { migrate, sqliteMigrations } from "#platform/store/migrate.ts";

import { openRunningDuka, runDuka } from "../support/running-duka.ts";
import { openScratchFolder, type ScratchFolder } from "../support/scratch.ts";
import { noonClock } from "../support/store.ts";

setDefaultTimeout(60_000);

let scratch: ScratchFolder;
let folder = "";

beforeEach(() => {
  scratch = openScratchFolder();
  folder = scratch.path;
});

afterEach(() => scratch[Symbol.dispose]());

test("an old database is copied, then brought to this schema", async () => {
  mkdirSync(scratch.file("data"));
  const path = scratch.file("data/test.sqlite");
  migrate(path, { clock: noonClock, migrations: sqliteMigrations.slice(0, 1) });

  const ended = await runDuka(["migrate"], { folder });

  const copy = /test: the copy from before is (\S+)/.exec(ended.stdout)?.[1] ?? "";
  expect(ended.code).toBe(0);
  expect(ended.stdout).toContain(`test: applied ${sqliteMigrations[1]?.name}`);
  expect(existsSync(copy)).toBe(true);
  expect(namesIn(copy)).toEqual([sqliteMigrations[0]?.name ?? ""]);
  expect(namesIn(path)).toEqual(sqliteMigrations.map(({ name }) => name));
});

test("a database that is up to date is left as it is", async () => {
  await runDuka(["migrate"], { folder });

  const again = await runDuka(["migrate"], { folder });

  expect(again).toEqual({
    code: 0,
    stdout: "test: has this schema already\nlive: has this schema already\n",
    stderr: "",
  });
});

test("the databases of a server that runs are not touched", async () => {
  await using duka = await openRunningDuka({ folder });

  const ended = await runDuka(["migrate"], { folder });

  expect(ended.code).toBe(1);
  expect(ended.stderr).toContain(`Another Duka (process ${duka.id}) already serves`);
});

function namesIn(path: string): string[] {
  using database = new Database(path, { readonly: true });
  const rows = database.query<{ name: string }, []>("SELECT name FROM migrations ORDER BY name");
  return rows.all().map((row) => row.name);
}
