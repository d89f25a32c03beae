// Migrates a PostgreSQL schema. If several programs start at once, one migrates and the others
// wait.

import type { Clock } from "#kernel/time.ts";
import { embeddedMigrations } from "#platform/database/embedded.ts" with { type: "macro" };
import type { EmbeddedMigration } from "#platform/database/embedded.ts";
import {
  hashOf,
  type MigrationReport,
  missingMigrations,
  type OnStep,
  selectNewest,
  statementsOf,
  type StoredSchema,
} from "#platform/database/migrations.ts";

import { isHeldUp } from "./errors.ts";
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
  readonly patience?: Patience;
}

/** How long a migration waits for its locks, and before it tries again, milliseconds. */
interface Patience {
  readonly lockMs: number;
  readonly pauseMs: number;
}

/** Another transaction held what a migration needs; nothing of it was applied. */
export class LocksHeld extends Error {
  constructor(migration: string, options: ErrorOptions) {
    super(
      `The migration ${migration} did not get its locks: a transaction holds them for long. End it, and start again.`,
      options,
    );
    this.name = "LocksHeld";
  }
}

/** An ALTER that waits holds up every sale behind it: it gives way, and is tried again. */
const PATIENCE: Patience = { lockMs: 3_000, pauseMs: 1_000 };
const TRIES = 5;

/**
 * Applies the missing migrations: those of a new schema in one commit, later ones each in its own, beside programs that
 * sell. Throws SchemaMismatch if the schema is of another program version, and LocksHeld. Makes no copy first: a server
 * has backups of its own.
 */
export async function migratePostgres(
  server: PostgresServer,
  schema: string,
  options: MigratePostgresOptions,
): Promise<MigrationReport> {
  const { clock, migrations = postgresMigrations, onStep, patience = PATIENCE } = options;
  const link = new PostgresLink(await server.reserve());
  try {
    const { before, applied } = await locked(link, schema, async () => {
      await link.ask(
        `CREATE TABLE IF NOT EXISTS "${schema}"."migrations" ("name" text COLLATE "C" PRIMARY KEY, "hash" text NOT NULL, "applied_at" bigint NOT NULL)`,
      );
      const stored = await readStored(link, schema);
      const missing = missingMigrations(stored, migrations);
      const isNew = missing.length === migrations.length;
      if (isNew) for (const migration of missing) await apply(link, migration, clock);
      return { before: stored, applied: isNew ? missing.map(({ name }) => name) : [] };
    });
    const missing = applied.length > 0 ? [] : missingMigrations(before, migrations);
    for (const [index, migration] of missing.entries()) {
      onStep?.({ step: migration.name, number: index + 1, of: missing.length });
      if (await applyBeside(link, { schema, migration, clock, patience }))
        applied.push(migration.name);
    }
    // The program that migrated first may be a newer one.
    if (applied.length < missing.length) {
      missingMigrations(await locked(link, schema, () => readStored(link, schema)), migrations);
    }
    return { applied, snapshot: null, writer: before.newest?.version ?? null };
  } finally {
    await link.release();
  }
}

/** Does the work in a transaction that one program at a time has. */
async function locked<T>(link: PostgresLink, schema: string, work: () => Promise<T>): Promise<T> {
  try {
    link.begin();
    // The waiting programs must not time out during a long migration.
    await link.ask("SET LOCAL lock_timeout = 0");
    // Released with the transaction, so it survives neither a crash nor a pooler.
    await link.ask("SELECT pg_advisory_xact_lock($1, hashtext($2))", [ADVISORY_LOCK, schema]);
    await link.ask(`CREATE SCHEMA IF NOT EXISTS "${schema}"`);
    await link.ask(`SET LOCAL search_path TO "${schema}"`);
    const done = await work();
    await link.ask("COMMIT");
    return done;
  } catch (error) {
    link.send("ROLLBACK");
    await link.settled();
    throw link.failure ?? error;
  }
}

interface Step {
  readonly schema: string;
  readonly migration: EmbeddedMigration;
  readonly clock: Clock;
  readonly patience: Patience;
}

/** Returns false if another program has applied it meanwhile. Throws LocksHeld. */
async function applyBeside(link: PostgresLink, step: Step): Promise<boolean> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await applyOnce(link, step);
    } catch (error) {
      if (!isHeldUp(error)) throw error;
      if (tries === TRIES) throw new LocksHeld(step.migration.name, { cause: error });
    }
    await Bun.sleep(step.patience.pauseMs);
  }
}

function applyOnce(
  link: PostgresLink,
  { schema, migration, clock, patience }: Step,
): Promise<boolean> {
  return locked(link, schema, async () => {
    const { applied } = await readStored(link, schema);
    if (applied.some(({ name }) => name === migration.name)) return false;
    await link.ask(`SET LOCAL lock_timeout = ${patience.lockMs}`);
    await apply(link, migration, clock);
    return true;
  });
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

/** Reads a schema of any version that has the table of migrations. */
export async function readStored(
  db: Pick<PostgresLink, "ask">,
  schema: string,
): Promise<StoredSchema> {
  const rows = await db.ask(`SELECT "name", "hash" FROM "${schema}"."migrations" ORDER BY "name"`);
  const applied = rows.map(([name, hash]) => ({ name: String(name), hash: String(hash) }));
  const programs = `"${schema}".versions`;
  const [found] = await db.ask("SELECT to_regclass($1)", [programs]);
  if (found?.[0] === null) return { applied, newest: null };
  const [row] = await db.ask(selectNewest(programs));
  if (row === undefined) return { applied, newest: null };
  const [version, number, oldestBeside] = row;
  return {
    applied,
    newest: {
      version: String(version),
      schema: Number(number),
      oldestBeside: Number(oldestBeside),
    },
  };
}
