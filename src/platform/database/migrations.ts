// Shared by migrations of both engines: which are applied, which are missing, whether the database belongs to this
// program, and which programs served it, so that an older one says by which it was written.

import { desc, type SQL, sql } from "drizzle-orm";

import { realClock } from "#kernel/time.ts";
import { build, release, version } from "#platform/process/version.ts";

import type { Reader, Tx } from "./database.ts";
import { embeddedNumbers } from "./embedded.ts" with { type: "macro" };
import { type EmbeddedMigration, numberOf, type SchemaNumbers } from "./embedded.ts";
import { newerSchema } from "./errors.ts";
import { prepared, preparedWrite } from "./prepared.ts";
import { versions } from "./tables.ts";

/** Hexadecimal digits of a mark: 64 bits. */
const MARK_LENGTH = 16;

/** The database has a schema of another program version; nothing was changed. */
export class SchemaMismatch extends Error {
  constructor(detail: string) {
    super(detail);
    this.name = "SchemaMismatch";
  }
}

/** The database file or schema does not exist. */
export class DatabaseMissing extends Error {
  constructor(path: string) {
    super(`There is no database at ${path}.`);
    this.name = "DatabaseMissing";
  }
}

export interface MigrationReport {
  readonly applied: readonly string[];
  /** The path of the copy made before migrating; null if there was nothing to copy. */
  readonly snapshot: string | null;
  /** The version of the newest program that served the shop before; null if none is known. */
  readonly writer: string | null;
}

/** Returns true if the first migration is among those that were applied: there was no shop before. */
export function isOfNewShop(applied: readonly string[]): boolean {
  return applied[0]?.startsWith("0000_") === true;
}

/** The step that begins next where a database has data: in a large shop a step takes minutes. */
export interface MigrationStep {
  /** The migration, or `snapshot` for the copy before the first one. */
  readonly step: string;
  /** From 1; 0 for the copy. */
  readonly number: number;
  readonly of: number;
}

/** Is told of each step before it begins. */
export type OnStep = (step: MigrationStep) => void;

export interface AppliedMigration {
  readonly name: string;
  readonly hash: string;
}

/** The program with the most migrations of those that served a shop. */
export interface NewestProgram extends SchemaNumbers {
  readonly version: string;
}

/** The schema of a database of any version. */
export interface StoredSchema {
  readonly applied: readonly AppliedMigration[];
  /** Null in a database of before programs were kept, and in one that was never served. */
  readonly newest: NewestProgram | null;
}

/** A schema with the rows of the tables that there are among those asked for. */
export interface CountedSchema extends StoredSchema {
  readonly rows: ReadonlyMap<string, number>;
}

/** Returns the names of the tables that a migration makes, changes or reads into an index. */
export function tablesOf({ text }: EmbeddedMigration): string[] {
  const named = text.matchAll(
    /\b(?:TABLE(?: IF (?:NOT )?EXISTS)?|ON|UPDATE|INTO|FROM)\s+[`"](\w+)[`"]/gi,
  );
  return [...new Set([...named].map(([, name = ""]) => name))];
}

/**
 * The migrations that are not applied yet; none if the database has further ones beside which this program can serve.
 * Throws SchemaMismatch if an applied one is unknown or differs; it names the version that wrote the database, if that is
 * known.
 */
export function missingMigrations(
  { applied, newest }: StoredSchema,
  migrations: readonly EmbeddedMigration[],
): readonly EmbeddedMigration[] {
  const isBeside = canServeBeside({ applied, newest }, migrations);
  applied.forEach((row, index) => {
    const known = migrations[index];
    if (known === undefined && isBeside) return;
    if (known?.name !== row.name) {
      throw new SchemaMismatch(
        `The database has the migration ${row.name}, which this program does not know. ${remedyFor(newest)}`,
      );
    }
    if (hashOf(known) !== row.hash) {
      throw new SchemaMismatch(
        `The migration ${row.name} in the database differs from the one in this program.`,
      );
    }
  });
  return migrations.slice(applied.length);
}

/** True if the newest program knows all that was applied, and says that one without it can work beside it. */
function canServeBeside(
  { applied, newest }: StoredSchema,
  migrations: readonly EmbeddedMigration[],
): boolean {
  if (newest === null || newest.schema < numberOf(applied.at(-1))) return false;
  return newest.oldestBeside <= numberOf(migrations.at(-1));
}

function remedyFor(newest: NewestProgram | null): string {
  const writer = newest === null ? "a newer Duka" : `Duka ${newest.version}`;
  return `It was written by ${writer}: run that version, or restore a backup.`;
}

/** Throws SchemaMismatch if migrations are missing, too. */
export function requireApplied(
  stored: StoredSchema,
  migrations: readonly EmbeddedMigration[],
  database: string,
): void {
  if (missingMigrations(stored, migrations).length === 0) return;
  throw new SchemaMismatch(
    `${database} has the schema of an older Duka. Run \`duka migrate\` first, or the check of that version.`,
  );
}

/** The SQL statements of a migration, separated by drizzle-kit's marks; none if it only has comments. */
export function statementsOf(migration: EmbeddedMigration): string[] {
  return migration.text
    .split("--> statement-breakpoint")
    .filter((statement) => statement.replaceAll(/^--.*$/gm, "").trim() !== "");
}

/** A digest of the migrations: where two programs have the same one, they have the same schema. */
export function schemaMark(migrations: readonly EmbeddedMigration[]): string {
  const hash = new Bun.CryptoHasher("sha256");
  for (const migration of migrations) hash.update(`${migration.name} ${hashOf(migration)}\n`);
  return hash.digest("hex").slice(0, MARK_LENGTH);
}

/** The migrations of this program. */
export const ownSchema: SchemaNumbers = embeddedNumbers();

/** SHA-256 of a migration's text. Released migrations never change. */
export function hashOf(migration: EmbeddedMigration): string {
  return new Bun.CryptoHasher("sha256").update(migration.text).digest("hex");
}

/** The row of a build: releases have one each, other builds one together. */
const ROW = version === release ? release : `${release}+`;

const higher = (column: string): SQL => {
  const [given, stored] = [sql.raw(`excluded.${column}`), sql.raw(`versions.${column}`)];
  return sql`CASE WHEN ${given} > ${stored} THEN ${given} ELSE ${stored} END`;
};
const saveProgram = preparedWrite<{
  schema: number;
  oldestBeside: number;
  firstServedAt: number;
}>()((tx, at) =>
  tx
    .insert(versions)
    .values({
      version: ROW,
      commit: build.commit,
      schema: at.schema,
      oldestBeside: at.oldestBeside,
      firstServedAt: at.firstServedAt,
    })
    .onConflictDoUpdate({
      target: versions.version,
      set: { schema: higher("schema"), oldestBeside: higher("oldest_beside") },
    }),
);

/** Afterwards the shop knows that this program, of these numbers of migrations, served it. */
export async function rememberProgram(
  tx: Tx,
  { schema, oldestBeside }: SchemaNumbers,
): Promise<void> {
  await saveProgram(tx, { schema, oldestBeside, firstServedAt: realClock.now() });
}

/** Selects a NewestProgram; the same text on both engines, with the table's name on each. */
export function selectNewest(table: string): string {
  return `SELECT version, schema, oldest_beside FROM ${table} ORDER BY schema DESC, first_served_at DESC LIMIT 1`;
}

const newestProgram = prepared()((db) =>
  db
    .select({
      version: versions.version,
      schema: versions.schema,
      oldestBeside: versions.oldestBeside,
    })
    .from(versions)
    .orderBy(desc(versions.schema), desc(versions.firstServedAt))
    .limit(1),
);

/**
 * A SchemaMismatch once a program served the shop beside which this one cannot work; null until then.
 */
export async function findMismatch(db: Reader): Promise<SchemaMismatch | null> {
  const [newest = null] = await newestProgram(db, {});
  if (newest === null || newest.oldestBeside <= ownSchema.schema) return null;
  return new SchemaMismatch(
    `The database was changed so that this program cannot work with it. ${remedyFor(newest)}`,
  );
}

/**
 * Refuses with `newer_schema` if a program with more migrations served the shop. A story that has to know every table
 * asks this first.
 */
export async function requireNewestSchema(tx: Reader): Promise<void> {
  const [newest] = await newestProgram(tx, {});
  if (newest !== undefined && newest.schema > ownSchema.schema) throw newerSchema();
}
