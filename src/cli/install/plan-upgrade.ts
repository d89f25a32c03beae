// Plans an upgrade: what a start of this program would do to a shop that an older one serves. Invariant: the shop is only
// read; what is migrated is a copy of it, which is deleted.

import { mkdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";

import { sentence } from "#cli/operator/backups/shop-proof.ts";
import { differencesIn } from "#cli/operator/check.ts";
import { breakingSince } from "#guides/changelog.ts";
import { newRequestId } from "#kernel/id.ts";
import { monotonicMs, realClock, SECOND_MS } from "#kernel/time.ts";
import { copyDatabase, settleCopy } from "#platform/backup/copy.ts";
import { databaseFile } from "#platform/backup/files.ts";
import type { Config } from "#platform/config/config.ts";
import { type EmbeddedMigration, isExpanding } from "#platform/database/embedded.ts";
import { missingMigrations, tablesOf } from "#platform/database/migrations.ts";
import { databaseName, readSchema } from "#platform/database/open-database.ts";
import { postgresMigrations } from "#platform/database/postgres/migrate.ts";
import { type Mode, modes } from "#platform/database/shop.ts";
import { migrate, sqliteMigrations } from "#platform/database/sqlite/migrate.ts";
import { diskRoomOf } from "#platform/process/disk-reserve.ts";
import { releaseOf, version } from "#platform/process/version.ts";

/** The trial of an upgrade on a copy. */
export interface Trial {
  readonly seconds: number;
  /** The figures of the migrated copy that do not agree, in sentences. */
  readonly differences: readonly string[];
}

export interface ModePlan {
  readonly mode: Mode;
  /** The version of the newest program that served it; null if none is known. */
  readonly written_by: string | null;
  readonly migrations: readonly {
    readonly name: string;
    /** The rows of the tables that it is about. */
    readonly rows: Readonly<Record<string, number>>;
  }[];
  /** Indexes on tables with rows, which PostgreSQL does not write to while they are built; none on files. */
  readonly stopping: readonly {
    readonly index: string;
    readonly table: string;
    readonly rows: number;
  }[];
  /** Null where nothing is migrated, on PostgreSQL, and without room for it. */
  readonly trial: Trial | null;
}

export interface UpgradePlan {
  readonly version: string;
  readonly breaking: readonly { readonly version: string; readonly lines: readonly string[] }[];
  readonly modes: readonly ModePlan[];
  /** True if programs of before may serve the shop until each was replaced; null on files, which one program serves. */
  readonly rolling: boolean | null;
}

/** The copy, and the snapshot that its migration makes, need as many bytes as the shop each. */
const COPIES = 2;

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
  const isRolling = postgresMigrations.filter(({ name }) => missing.has(name)).every(isExpanding);
  return {
    version,
    breaking: isUpgrade ? breakingSince(oldest) : [],
    modes: plans,
    rolling: config.server === null ? null : isRolling,
  };
}

async function planFor(mode: Mode, config: Config): Promise<ModePlan> {
  const { dataDirectory: directory, server } = config;
  const place = { directory, server };
  const migrations = server === null ? sqliteMigrations : postgresMigrations;
  const { applied, newest } = await readSchema(mode, place, []);
  const missing = missingMigrations({ applied, newest }, migrations);
  const { rows } = await readSchema(mode, place, [...new Set(missing.flatMap(tablesOf))]);
  const rowsOf = (tables: readonly string[]) =>
    Object.fromEntries([...rows].filter(([table]) => tables.includes(table)));
  return {
    mode,
    written_by: newest?.version ?? null,
    migrations: missing.map((one) => ({ name: one.name, rows: rowsOf(tablesOf(one)) })),
    stopping: server === null ? [] : missing.flatMap((one) => indexesIn(one, rows)),
    trial: server === null && missing.length > 0 ? await tryOn(mode, directory) : null,
  };
}

function indexesIn({ text }: EmbeddedMigration, counted: ReadonlyMap<string, number>) {
  return [...text.matchAll(/^CREATE (?:UNIQUE )?INDEX "(\w+)" ON "(\w+)"/gm)].flatMap(
    ([, index = "", table = ""]) => {
      const rows = counted.get(table) ?? 0;
      return rows === 0 ? [] : [{ index, table, rows }];
    },
  );
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
