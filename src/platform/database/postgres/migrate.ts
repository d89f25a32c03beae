// Brings a schema of PostgreSQL to this program's tables. Several programs that start at once take turns:
// one migrates, the others find it done.

import type { Clock } from "#kernel/time.ts";
import { embeddedMigrations } from "#platform/database/embedded.ts" with { type: "macro" };
import type { EmbeddedMigration } from "#platform/database/embedded.ts";
import {
  hashOf,
  type MigrationReport,
  missingMigrations,
  statementsOf,
} from "#platform/database/migrations.ts";

import { PostgresLink } from "./link.ts";
import type { PostgresServer } from "./server.ts";

export const postgresMigrations: readonly EmbeddedMigration[] = embeddedMigrations("postgres");

/** Any number that no other program uses for its own turn-taking: "duka" in ASCII. */
const TURN = 0x64_75_6b_61;

/**
 * Afterwards the schema has exactly the tables of the migrations; all that were missing commit together.
 * Throws SchemaMismatch where another program wrote it. There is no snapshot: a server has its own backups.
 */
export async function migratePostgres(
  server: PostgresServer,
  schema: string,
  {
    clock,
    migrations = postgresMigrations,
  }: { clock: Clock; migrations?: readonly EmbeddedMigration[] },
): Promise<MigrationReport> {
  const link = new PostgresLink(await server.reserve());
  try {
    link.begin();
    // Whoever migrates may take long, and the others wait for it.
    await link.ask("SET LOCAL lock_timeout = 0");
    // Ends with the transaction, so that it is nobody's after a crash, and works behind any pooler.
    await link.ask("SELECT pg_advisory_xact_lock($1, hashtext($2))", [TURN, schema]);
    await link.ask(`CREATE SCHEMA IF NOT EXISTS "${schema}"`);
    await link.ask(`SET LOCAL search_path TO "${schema}"`);
    await link.ask(
      'CREATE TABLE IF NOT EXISTS "migrations" ("name" text COLLATE "C" PRIMARY KEY, "hash" text NOT NULL, "applied_at" bigint NOT NULL)',
    );
    const applied = await link.ask('SELECT "name", "hash" FROM "migrations" ORDER BY "name"');
    const missing = missingMigrations(
      applied.map(([name, hash]) => ({ name: String(name), hash: String(hash) })),
      migrations,
    );
    for (const migration of missing) await apply(link, migration, clock);
    await link.ask("COMMIT");
    return { applied: missing.map(({ name }) => name), snapshot: null };
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
