// What the two engines' migrations have in common: which were applied, which are missing, and whether a
// database is of this program at all.

import type { EmbeddedMigration } from "./embedded.ts";

/** The file was written by another program than this one; nothing was changed. */
export class SchemaMismatch extends Error {
  constructor(detail: string) {
    super(detail);
    this.name = "SchemaMismatch";
  }
}

/** There is no such file. */
export class DatabaseMissing extends Error {
  constructor(path: string) {
    super(`There is no database at ${path}.`);
    this.name = "DatabaseMissing";
  }
}

export interface MigrationReport {
  readonly applied: readonly string[];
  /** Where the copy from before lies; null when there was nothing to copy. */
  readonly snapshot: string | null;
}

export interface AppliedMigration {
  readonly name: string;
  readonly hash: string;
}

/** Those of the list that were not applied. Throws SchemaMismatch where something else was. */
export function missingMigrations(
  applied: readonly AppliedMigration[],
  migrations: readonly EmbeddedMigration[],
): readonly EmbeddedMigration[] {
  applied.forEach((row, index) => {
    const known = migrations[index];
    if (known === undefined || known.name !== row.name) {
      throw new SchemaMismatch(
        `The database has the migration ${row.name}, which this program does not know. ` +
          "It was written by a newer Duka: run that one, or restore a backup.",
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

/** Throws SchemaMismatch where not exactly these migrations were applied to a database. */
export function requireApplied(
  applied: readonly string[],
  migrations: readonly EmbeddedMigration[],
  database: string,
): void {
  const strange = applied.find((name, index) => name !== migrations[index]?.name);
  if (strange !== undefined) {
    throw new SchemaMismatch(
      `${database} has the migration ${strange}, which this program does not know. ` +
        "It was written by a newer Duka: check it with that one.",
    );
  }
  if (applied.length < migrations.length) {
    throw new SchemaMismatch(
      `${database} has the schema of an older Duka. Run \`duka migrate\` first, or check it with that one.`,
    );
  }
}

/** The statements of a migration in their order; drizzle-kit puts a mark between two of them. */
export function statementsOf(migration: EmbeddedMigration): string[] {
  return migration.text
    .split("--> statement-breakpoint")
    .filter((statement) => statement.trim() !== "");
}

/** SHA-256 of its text: a migration that was released never changes. */
export function hashOf(migration: EmbeddedMigration): string {
  return new Bun.CryptoHasher("sha256").update(migration.text).digest("hex");
}
