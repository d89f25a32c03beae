// `duka upgrade --check`: what a start of this program would do, tried on a copy.

import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";

import { planUpgrade } from "#cli/install/plan-upgrade.ts";
import { realClock } from "#kernel/time.ts";
import { parseConfig } from "#platform/config/config.ts";
import { modes } from "#platform/database/shop.ts";
import { migrate, sqliteMigrations } from "#platform/database/sqlite/migrate.ts";
import { release } from "#platform/process/version.ts";

import { tamper } from "../../support/behind-the-shop.ts";
import { openScratchFolder, type ScratchFolder } from "../../support/scratch.ts";
import { openTestShop } from "../../support/shop.ts";

const planFor = (folder: ScratchFolder) => planUpgrade(parseConfig({ DUKA_DATA_DIR: folder.path }));

/** A shop with a schema of before the newest migrations. */
function openOldShop(missing: number): ScratchFolder {
  const folder = openScratchFolder();
  const migrations = sqliteMigrations.slice(0, -missing);
  for (const mode of modes)
    migrate(folder.file(`${mode}.sqlite`), { clock: realClock, migrations });
  return folder;
}

test("the migrations of an older shop are listed with their rows, and tried on a copy that is deleted", async () => {
  using folder = openOldShop(3);
  const plan = await planFor(folder);

  const names = sqliteMigrations.slice(-3).map(({ name }) => name);
  expect(plan.modes.map(({ migrations }) => migrations.map(({ name }) => name))).toEqual([
    names,
    names,
  ]);
  expect(plan.modes.map(({ trial }) => trial?.differences)).toEqual([[], []]);
  expect(plan.breaking.map(({ version }) => version)).toContain(release);
  expect(plan.rolling).toBeNull();
  const left = readdirSync(folder.path).filter((name) => !/^(?:live|test)\.sqlite/.test(name));
  expect(left).toEqual([]);
  expect((await planFor(folder)).modes[0]?.migrations).toHaveLength(3);
});

test("a migration is listed with the rows of the tables that it is about", async () => {
  const name = "0063_store_no_taxes";
  const at = sqliteMigrations.findIndex((one) => one.name === name);
  using folder = openOldShop(sqliteMigrations.length - at);

  const plan = await planFor(folder);

  expect(plan.modes[0]?.migrations[0]).toEqual({ name, rows: { store: 0 } });
});

test("beside a server of this version there is nothing to do", async () => {
  await using shop = await openTestShop();

  const plan = await planFor(shop.folder);

  expect(plan.modes.map(({ migrations, trial }) => [migrations, trial])).toEqual([
    [[], null],
    [[], null],
  ]);
  expect(plan.modes[0]?.written_by).toStartWith(release);
  expect(plan.breaking).toEqual([]);
});

test("a shop of a newer version is refused, by the version that wrote it", async () => {
  using folder = openScratchFolder();
  await (await openTestShop({ folder }))[Symbol.asyncDispose]();
  await tamper(
    folder.path,
    "INSERT INTO migrations (name, hash, applied_at) VALUES ('9999_newer', 'x', 0)",
    "UPDATE versions SET version = '9.0.0'",
  );

  const refused = await planFor(folder).catch(String);

  expect(refused).toContain("It was written by Duka 9.0.0");
});
