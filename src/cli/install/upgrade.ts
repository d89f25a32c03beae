// `duka upgrade --check`: what a start of this program would do to a shop that an older one serves. Invariant: the shop is
// only read; what is migrated is a copy of it, which is deleted.

import { mkdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";

import { sentence } from "#cli/operator/backups/shop-proof.ts";
import { differencesIn } from "#cli/operator/check.ts";
import { requireShop } from "#cli/operator/require-shop.ts";
import { type JsonOptions, readSettings } from "#cli/operator/settings.ts";
import { breakingSince } from "#guides/changelog.ts";
import { newRequestId } from "#kernel/id.ts";
import { monotonicMs, realClock, SECOND_MS } from "#kernel/time.ts";
import { copyDatabase, settleCopy } from "#platform/backup/copy.ts";
import { databaseFile } from "#platform/backup/files.ts";
import type { Config } from "#platform/config/config.ts";
import { missingMigrations, tablesOf } from "#platform/database/migrations.ts";
import { databaseName, readSchema } from "#platform/database/open-database.ts";
import { postgresMigrations } from "#platform/database/postgres/migrate.ts";
import { type Mode, modes } from "#platform/database/shop.ts";
import { migrate, sqliteMigrations } from "#platform/database/sqlite/migrate.ts";
import { diskRoomOf } from "#platform/process/disk-reserve.ts";
import { releaseOf, version } from "#platform/process/version.ts";

/** The trial of an upgrade on a copy. */
interface Trial {
  readonly seconds: number;
  /** The figures of the migrated copy that do not agree, in sentences. */
  readonly differences: readonly string[];
}

interface ModePlan {
  readonly mode: Mode;
  /** The version of the newest program that served it; null if none is known. */
  readonly written_by: string | null;
  readonly migrations: readonly {
    readonly name: string;
    /** The rows of the tables that it is about. */
    readonly rows: Readonly<Record<string, number>>;
  }[];
  /** Null where nothing is migrated, on PostgreSQL, and without room for it. */
  readonly trial: Trial | null;
}

interface UpgradePlan {
  readonly version: string;
  readonly breaking: readonly { readonly version: string; readonly lines: readonly string[] }[];
  readonly modes: readonly ModePlan[];
  /** True if programs of before may serve the shop until each was replaced; null on files, which one program serves. */
  readonly rolling: boolean | null;
}

/** The copy, and the snapshot that its migration makes, need as many bytes as the shop each. */
const COPIES = 2;

/**
 * Prints what an upgrade would do; true if the migrated copy is sound. Throws NoShop, and SchemaMismatch where the shop
 * is of a newer version.
 */
export async function checkUpgradeAtTerminal(options: JsonOptions): Promise<boolean> {
  const config = readSettings(options);
  await requireShop(config);
  const plan = await planUpgrade(config);
  console.log(options.json === true ? JSON.stringify(plan, null, 2) : pageOf(plan));
  return plan.modes.every(({ trial }) => trial === null || trial.differences.length === 0);
}

/** Finds out what an upgrade would do. */
export async function planUpgrade(config: Config): Promise<UpgradePlan> {
  const plans: ModePlan[] = [];
  for (const mode of modes) plans.push(await planFor(mode, config));
  const writers = plans.flatMap(({ written_by: writer }) => (writer === null ? [] : [writer]));
  const [oldest = null] = writers.toSorted((one, other) =>
    Bun.semver.order(releaseOf(one), releaseOf(other)),
  );
  const isUpgrade = oldest !== null || plans.some(({ migrations }) => migrations.length > 0);
  const missing = new Set(plans.flatMap(({ migrations }) => migrations.map(({ name }) => name)));
  const isExpanding = postgresMigrations
    .filter(({ name }) => missing.has(name))
    .every(({ text }) => text.startsWith("-- expand"));
  return {
    version,
    breaking: isUpgrade ? breakingSince(oldest) : [],
    modes: plans,
    rolling: config.server === null ? null : isExpanding,
  };
}

async function planFor(mode: Mode, config: Config): Promise<ModePlan> {
  const { dataDirectory: directory, server } = config;
  const place = { directory, server };
  const migrations = server === null ? sqliteMigrations : postgresMigrations;
  const { applied, writer } = await readSchema(mode, place, []);
  const missing = missingMigrations(applied, migrations, writer);
  const { rows } = await readSchema(mode, place, [...new Set(missing.flatMap(tablesOf))]);
  const rowsOf = (tables: readonly string[]) =>
    Object.fromEntries([...rows].filter(([table]) => tables.includes(table)));
  return {
    mode,
    written_by: writer,
    migrations: missing.map((one) => ({ name: one.name, rows: rowsOf(tablesOf(one)) })),
    trial: server === null && missing.length > 0 ? await tryOn(mode, directory) : null,
  };
}

/** Migrates a copy and compares its figures; null where the disk has no room for that. */
async function tryOn(mode: Mode, directory: string): Promise<Trial | null> {
  const path = databaseName(mode, { directory, server: null });
  const log = statSync(`${path}-wal`, { throwIfNoEntry: false });
  const bytes = statSync(path).size + (log?.size ?? 0);
  if ((diskRoomOf(directory)?.free ?? 0) < bytes * COPIES) return null;
  const folder = join(directory, `upgrade-check.${newRequestId()}`);
  const copy = join(folder, databaseFile(mode));
  mkdirSync(folder, { mode: 0o700 });
  try {
    const terms = { signal: new AbortController().signal, onBytes: () => {} };
    await copyDatabase(path, copy, terms);
    await settleCopy(copy, terms);
    const beganAtMs = monotonicMs();
    migrate(copy, { clock: realClock });
    const seconds = Math.round((monotonicMs() - beganAtMs) / (SECOND_MS / 10)) / 10;
    const differences: string[] = [];
    const place = { dataDirectory: folder, server: null, media: null };
    for await (const one of differencesIn(mode, place)) differences.push(sentence(one));
    return { seconds, differences };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function pageOf({ breaking, modes: plans, rolling }: UpgradePlan): string {
  const told = breaking.flatMap(({ version: of, lines }) =>
    lines.map((line) => `Breaking in ${of}: ${line}`),
  );
  const ways =
    rolling === null
      ? []
      : [
          rolling
            ? "Programs may be replaced one after the other."
            : "Stop all programs of before first, then start this one.",
        ];
  return [`This is Duka ${version}.`, ...told, ...plans.flatMap(linesOf), ...ways].join("\n");
}

function linesOf({ mode, written_by: writer, migrations, trial }: ModePlan): string[] {
  const before = `${mode}: served by ${writer === null ? "an older version" : `Duka ${writer}`}`;
  if (migrations.length === 0) return [`${before}, and has the schema of this program.`];
  const steps = migrations.map(({ name, rows }) => {
    const counts = Object.entries(rows).map(([table, count]) => `${table} ${count}`);
    return `${mode}: ${[name, ...counts].join(", ")}`;
  });
  return [`${before}; ${counted(migrations.length)}:`, ...steps, `${mode}: ${wordsOf(trial)}`];
}

function counted(migrations: number): string {
  return migrations === 1 ? "one migration" : `${migrations} migrations`;
}

function wordsOf(trial: Trial | null): string {
  if (trial === null) return "no copy was migrated.";
  const { seconds, differences } = trial;
  const found = differences.length === 0 ? "and all figures agree." : differences.join("; ");
  return `a copy was migrated in ${seconds} s, ${found}`;
}
