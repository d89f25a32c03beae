// On PostgreSQL, one database for each data directory of a test, copied from a migrated template.
// Invariant: a directory keeps its database until its scratch folder is gone.

import { join, resolve, sep } from "node:path";

import { SQL } from "bun";

import { realClock } from "#kernel/time.ts";
import { engine } from "#platform/database/engine.ts";
import { type DatabasePlace, migrateDatabase } from "#platform/database/open-database.ts";
import { parsePostgresAddress } from "#platform/database/postgres/address.ts";

const TEMPLATE = "duka_template";
/** For both modes together: a test with two concurrent stories needs two. */
const CONNECTIONS_MAX = 8;

/** Copying files is what versions before this one do anyway. */
const STRATEGY_SINCE = 150_000;

/** Deleted rows stay in the files, since vacuum is off: a database is dropped after this many uses. */
const USES_MAX = 30;

interface TestDatabase {
  readonly url: string;
  uses: number;
}

/**
 * Makes databases on the server of this run and reuses them: emptying one costs a fifteenth of making
 * one. Invariant: a database is handed out with the tables of the template and no rows.
 */
class DatabaseYard {
  readonly #server: string;
  readonly #sql: SQL;
  readonly #taken = new Map<string, Promise<TestDatabase>>();
  readonly #free: TestDatabase[] = [];
  readonly #template: Promise<{ readonly strategy: string; readonly structure: string }>;
  #made = 0;
  #cleaning: Promise<unknown> = Promise.resolve();

  constructor(server: string) {
    this.#server = server;
    this.#sql = new SQL(server, { max: 2 });
    this.#template = this.#makeTemplate();
  }

  async of(directory: string): Promise<string> {
    const key = resolve(directory);
    const found = this.#taken.get(key) ?? this.#take();
    this.#taken.set(key, found);
    return (await found).url;
  }

  drop(folder: string): void {
    const within = resolve(folder);
    for (const [directory, database] of this.#taken) {
      if (directory !== within && !directory.startsWith(within + sep)) continue;
      this.#taken.delete(directory);
      this.#cleaning = this.#cleaning.then(() => this.#clean(database));
      // Reported to the test that takes the next database.
      this.#cleaning.catch(() => {});
    }
  }

  async #take(): Promise<TestDatabase> {
    // Takes a free one at once; the last one may still be in cleaning.
    if (this.#free.length === 0 && this.#made > 1) await this.#cleaning;
    const database = this.#free.shift() ?? (await this.#make());
    database.uses += 1;
    return database;
  }

  async #make(): Promise<TestDatabase> {
    const { strategy } = await this.#template;
    this.#made += 1;
    const name = `duka_${this.#made}`;
    await this.#sql.unsafe(`CREATE DATABASE ${name} TEMPLATE ${TEMPLATE} ${strategy}`);
    return { url: this.#urlOf(name), uses: 0 };
  }

  /** Empties a database for the next test, or drops it after many uses or a change of its tables. */
  async #clean(taken: Promise<TestDatabase>): Promise<void> {
    const database = await taken;
    const { structure } = await this.#template;
    const { database: name } = parsePostgresAddress(database.url);
    // A killed program may still be connected.
    await this.#sql.unsafe(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`,
    );
    await using sql = new SQL(database.url, { max: 1 });
    // Made only by tests of the engine.
    await sql.unsafe("DROP TABLE IF EXISTS test.crates, live.crates");
    if (database.uses < USES_MAX && (await structureOf(sql)) === structure) {
      await sql.unsafe(`SET session_replication_role = replica; ${await deletions(sql)}`);
      this.#free.push(database);
      return;
    }
    await this.#sql.unsafe(`DROP DATABASE ${name} WITH (FORCE)`);
  }

  /** Makes the template. Databases are copied from it by files where possible, which is five times as fast. */
  async #makeTemplate() {
    await this.#sql.unsafe(`CREATE DATABASE ${TEMPLATE}`);
    const url = this.#urlOf(TEMPLATE);
    await migrateDatabase("test", placeAt(url), { clock: realClock });
    await migrateDatabase("live", placeAt(url), { clock: realClock });
    const [row] = await this.#sql
      .unsafe("SELECT current_setting('server_version_num')::int")
      .values();
    const strategy = Number(row?.[0]) >= STRATEGY_SINCE ? "STRATEGY file_copy" : "";
    const sql = new SQL(url, { max: 1 });
    const structure = await structureOf(sql);
    // A database with connections cannot be a template.
    await sql.close();
    return { strategy, structure };
  }

  #urlOf(database: string): string {
    return new URL(`/${database}`, this.#server).href;
  }
}

/** Changes with every change of a table's definition, which writes a row of a catalog, and with the migrations. */
async function structureOf(sql: SQL): Promise<string> {
  const catalogs = [
    "pg_class",
    "pg_attribute",
    "pg_constraint",
    "test.migrations",
    "live.migrations",
  ];
  const digests = catalogs.map(
    (name) => `(SELECT count(*) || '/' || sum(xmin::text::bigint) FROM ${name})`,
  );
  const [row] = await sql.unsafe(`SELECT concat_ws(' ', ${digests.join(", ")})`).values();
  return String(row?.[0]);
}

/** One statement for all tables that had rows; the migrations stay. */
async function deletions(sql: SQL): Promise<string> {
  const [row] = await sql
    .unsafe(
      `SELECT coalesce(string_agg('DELETE FROM ' || oid::regclass, '; '), '') FROM pg_class
        WHERE relnamespace IN ('test'::regnamespace, 'live'::regnamespace) AND relkind = 'r'
          AND relname <> 'migrations' AND pg_relation_size(oid) > 0`,
    )
    .values();
  return String(row?.[0]);
}

const given = process.env.DUKA_DATABASE_URL ?? "";
const yard = engine === "postgres" && given.endsWith("/duka") ? new DatabaseYard(given) : null;

/**
 * The URL of a data directory's database, migrated on first use. A program that a test started uses the
 * URL it was given. Only on PostgreSQL.
 */
export async function databaseOf(directory: string): Promise<string> {
  if (engine === "sqlite") throw new Error("The embedded engine has no database but the files.");
  return yard === null ? given : yard.of(directory);
}

/** The settings for a shop on this directory; none on SQLite. */
export async function databaseSettings(directory: string): Promise<Record<string, string>> {
  if (engine === "sqlite") return {};
  return {
    DUKA_DATABASE_URL: await databaseOf(directory),
    DUKA_DATABASE_CONNECTIONS: String(CONNECTIONS_MAX),
    DUKA_MEDIA_DIR: join(directory, "media"),
  };
}

/** The place of this directory's database for `openDatabase`, on either engine. */
export async function databasePlace(directory: string): Promise<DatabasePlace> {
  if (engine === "sqlite") return { directory, server: null };
  return { ...placeAt(await databaseOf(directory)), directory };
}

/** Drops or reuses the databases of a deleted folder, in the background. */
export function dropDatabasesIn(folder: string): void {
  yard?.drop(folder);
}

function placeAt(url: string): DatabasePlace {
  const address = parsePostgresAddress(url);
  return { directory: "", server: { address, connectionsMax: CONNECTIONS_MAX } };
}
