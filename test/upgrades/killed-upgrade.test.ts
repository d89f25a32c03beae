// A program that is killed in a migration loses nothing: the next start goes on. In short, in those since the last
// release; with UPGRADES=all in every one, of a new shop and of what each release left.

import { expect, test } from "bun:test";
import { join } from "node:path";

import { indexProductsJob } from "#catalog/routes/jobs.ts";
import { engine } from "#platform/database/engine.ts";
import { readSchema } from "#platform/database/open-database.ts";
import { postgresMigrations } from "#platform/database/postgres/migrate.ts";
import { sqliteMigrations } from "#platform/database/sqlite/migrate.ts";

import { openTestShop } from "../support/shop.ts";
import { isWholeRun, releases } from "./former-program.ts";
import { configOf, differencesIn, openKeptShop, openPlace, type Place } from "./kept-shop.ts";
import { OldShop } from "./old-shop.ts";
import { lost, readAgain } from "./read-shop.ts";

const migrations = engine === "postgres" ? postgresMigrations : sqliteMigrations;
const script = join(import.meta.dir, "kill-in-migration.ts");
/** A migration takes a second or less. */
const TEST_MS_MAX = 240_000;

/** Kills a program in each of these migrations in turn; each goes on where the one before was killed. */
async function killInEach(place: Place, names: readonly string[]): Promise<unknown[]> {
  const signals: unknown[] = [];
  for (const name of names) {
    const child = Bun.spawn([process.execPath, script, place.folder.path, name], {
      env: { PATH: process.env["PATH"] ?? "", ...place.settings },
      stdio: ["ignore", "inherit", "inherit"],
    });
    await child.exited;
    signals.push(child.signalCode);
  }
  return signals;
}

test.each(isWholeRun ? releases : releases.slice(-1))(
  "what $version left is whole after a program was killed in each migration",
  async ({ version }) => {
    await using old = await openKeptShop(version);
    const { applied } = await readSchema("test", configOf(old), []);
    const missing = migrations.slice(applied.length).map(({ name }) => name);

    expect(await killInEach(old, missing)).toEqual(missing.map(() => "SIGKILL"));

    const { folder, settings, kept } = old;
    await using opened = new AsyncDisposableStack();
    const shop = await openTestShop({ folder, settings, key: kept.keys.test, now: kept.readAt });
    opened.defer(() => shop.duka.stop());
    await indexProductsJob([shop.test]).run();
    const asked = new OldShop({ url: shop.url, key: shop.key, document: {} });
    const before = kept.answers.test;
    expect(lost(before, await readAgain(asked, before))).toEqual([]);
    expect(await differencesIn(old)).toEqual([]);
  },
  TEST_MS_MAX,
);

if (isWholeRun) {
  test(
    "a new shop is whole after a program was killed in each migration",
    async () => {
      await using place = await openPlace();
      const names = migrations.map(({ name }) => name);

      expect(await killInEach(place, names)).toEqual(names.map(() => "SIGKILL"));

      await using shop = await openTestShop({ folder: place.folder, settings: place.settings });
      expect(await differencesIn(place)).toEqual([]);
      expect((await shop.get("/v2/orders")).status).toBe(200);
    },
    TEST_MS_MAX,
  );
}
