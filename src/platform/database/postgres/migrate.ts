// Migrates a PostgreSQL schema. If several programs start at once, one migrates and the others
// wait.

import type { Clock } from "#kernel/time.ts";
import { embeddedMigrations } from "#platform/database/embedded.ts" with { type: "macro" };
import type { EmbeddedMigration } from "#platform/database/embedded.ts";
import {
  hashOf,
  type MigrationReport,
  missingMigrations,
  NEWEST_PROGRAM,
  type OnStep,
  statementsOf,
} from "#platform/database/migrations.ts";

import { PostgresLink } from "./link.ts";
import type { PostgresServer } from "./server.ts";

export const postgresMigrations: readonly EmbeddedMigration[] = embeddedMigrations("postgres");

/** The advisory lock's number, chosen to be unlike that of other programs: "duka" in ASCII. */
const ADVISORY_LOCK = 0x64_75_6b_61;

interface MigratePostgresOptions {
  readonly clock: Clock;
  readonly migrations?: readonly EmbeddedMigration[];
  /** Not called for a new schema. */
  readonly onStep?: OnStep | undefined;
}

/**
 * Applies the missing migrations in one commit. Throws SchemaMismatch if the schema is of another
 * program version. Makes no copy first: a server has backups of its own.
 */
export async function migratePostgres(
  server: PostgresServer,
  schema: string,
  { clock, migrations = postgresMigrations, onStep }: MigratePostgresOptions,
): Promise<MigrationReport> {
  const link = new PostgresLink(await server.reserve());
  try {
    link.begin();
    // The waiting programs must not time out during a long migration.
    await link.ask("SET LOCAL lock_timeout = 0");
    // Released with the transaction, so it survives neither a crash nor a pooler.
    await link.ask("SELECT pg_advisory_xact_lock($1, hashtext($2))", [ADVISORY_LOCK, schema]);
    await link.ask(`CREATE SCHEMA IF NOT EXISTS "${schema}"`);
    await link.ask(`SET LOCAL search_path TO "${schema}"`);
    await link.ask(
      `CREATE TABLE IF NOT EXISTS "${schema}"."migrations" ("name" text COLLATE "C" PRIMARY KEY, "hash" text NOT NULL, "applied_at" bigint NOT NULL)`,
    );
    const applied = await link.ask('SELECT "name", "hash" FROM "migrations" ORDER BY "name"');
    const writer = await readWriter(link, schema);
    const missing = missingMigrations(
      applied.map(([name, hash]) => ({ name: String(name), hash: String(hash) })),
      migrations,
      writer,
    );
    const tell = missing.length < migrations.length ? onStep : undefined;
    for (const [index, migration] of missing.entries()) {
      tell?.({ step: migration.name, number: index + 1, of: missing.length });
      await apply(link, migration, clock);
    }
    await link.ask("COMMIT");
    return { applied: missing.map(({ name }) => name), snapshot: null, writer };
  } catch (error) {
    link.send("ROLLBACK");
    await link.settled();
    throw link.failure ?? error;
  } finally {
    await link.release();
  }
}

async function apply(
  link: PostgresLink,
  migration: EmbeddedMigration,
  clock: Clock,
): Promise<void> {
  for (const statement of statementsOf(migration)) await link.ask(statement);
  await link.ask('INSERT INTO "migrations" ("name", "hash", "applied_at") VALUES ($1, $2, $3)', [
    migration.name,
    hashOf(migration),
    clock.now(),
  ]);
}

/** The newest program that served the shop; null in a schema of before these were kept. */
async function readWriter(link: PostgresLink, schema: string): Promise<string | null> {
  const [found] = await link.ask("SELECT to_regclass($1)", [`"${schema}".versions`]);
  if (found?.[0] === null) return null;
  const [row] = await link.ask(NEWEST_PROGRAM);
  return row === undefined ? null : String(row[0]);
}
