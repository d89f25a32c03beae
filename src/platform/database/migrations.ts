// Shared by migrations of both engines: which are applied, which are missing, whether the database belongs to this
// program, and which programs served it, so that an older one says by which it was written.

import { type SQL, sql } from "drizzle-orm";

import { realClock } from "#kernel/time.ts";
import { build, release, version } from "#platform/process/version.ts";

import type { Tx } from "./database.ts";
import type { EmbeddedMigration } from "./embedded.ts";
import { preparedWrite } from "./prepared.ts";
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

/** A database of any version, as an upgrade looks at it beforehand. */
export interface StoredSchema {
  readonly applied: readonly AppliedMigration[];
  /** The version of the newest program that served the shop; null if none is known. */
  readonly writer: string | null;
  /** The rows of the tables that there are among those asked for. */
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
 * The migrations that are not applied yet. Throws SchemaMismatch if an applied one is unknown or differs; it names the
 * version that wrote the database, if that is known.
 */
export function missingMigrations(
  applied: readonly AppliedMigration[],
  migrations: readonly EmbeddedMigration[],
  writer: string | null = null,
): readonly EmbeddedMigration[] {
  applied.forEach((row, index) => {
    const known = migrations[index];
    if (known === undefined || known.name !== row.name) {
      throw new SchemaMismatch(
        `The database has the migration ${row.name}, which this program does not know. ` +
          `It was written by ${writer === null ? "a newer Duka" : `Duka ${writer}`}: run that version, or restore a backup.`,
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

/** Throws SchemaMismatch unless exactly these migrations were applied. */
export function requireApplied(
  applied: readonly string[],
  migrations: readonly EmbeddedMigration[],
  database: string,
): void {
  const strange = applied.find((name, index) => name !== migrations[index]?.name);
  if (strange !== undefined) {
    throw new SchemaMismatch(
      `${database} has the migration ${strange}, which this program does not know. ` +
        "It was written by a newer Duka: run the check of that version.",
    );
  }
  if (applied.length < migrations.length) {
    throw new SchemaMismatch(
      `${database} has the schema of an older Duka. Run \`duka migrate\` first, or the check of that version.`,
    );
  }
}

/** The SQL statements of a migration, separated by drizzle-kit's marks. */
export function statementsOf(migration: EmbeddedMigration): string[] {
  return migration.text
    .split("--> statement-breakpoint")
    .filter((statement) => statement.trim() !== "");
}

/** A digest of the migrations: where two programs have the same one, they have the same schema. */
export function schemaMark(migrations: readonly EmbeddedMigration[]): string {
  const hash = new Bun.CryptoHasher("sha256");
  for (const migration of migrations) hash.update(`${migration.name} ${hashOf(migration)}\n`);
  return hash.digest("hex").slice(0, MARK_LENGTH);
}

/** Which databases a program serves, as numbers of migrations. */
export interface SchemaNumbers {
  /** The newest migration. */
  readonly schema: number;
  /**
   * The newest migration that a program without it cannot work beside. Those whose file begins with `-- expand` only add
   * what such a program does not see.
   */
  readonly oldestBeside: number;
}

/** Returns the numbers of these migrations. */
export function schemaNumbers(migrations: readonly EmbeddedMigration[]): SchemaNumbers {
  const contracting = migrations.findLast(({ text }) => !text.startsWith("-- expand"));
  return { schema: numberOf(migrations.at(-1)), oldestBeside: numberOf(contracting) };
}

function numberOf(migration: EmbeddedMigration | undefined): number {
  return Number.parseInt(migration?.name ?? "0", 10);
}

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

/** Selects the program that knows the most migrations; the same text on both engines. */
export const NEWEST_PROGRAM =
  "SELECT version FROM versions ORDER BY schema DESC, first_served_at DESC LIMIT 1";
