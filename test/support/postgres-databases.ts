// On PostgreSQL, a database for each data directory of a test, copied from one that was migrated once.
// Invariant: the same directory finds the same database, until the scratch folder around it is gone.

import { resolve, sep } from "node:path";

import { SQL } from "bun";

import { realClock } from "#kernel/time.ts";
import { engine } from "#platform/store/engine.ts";
import { type DatabasePlace, migrateDatabase } from "#platform/store/open-database.ts";
import { parsePostgresAddress } from "#platform/store/postgres-address.ts";

const TEMPLATE = "duka_template";
/** For both modes together; a test of two stories at once needs two. */
const CONNECTIONS_MAX = 20;

/** The copying of files is what versions before this one do anyway. */
const STRATEGY_SINCE = 150_000;

/** Makes and drops databases on the server of this run. */
class DatabaseYard {
  readonly #server: string;
  readonly #sql: SQL;
  readonly #taken = new Map<string, Promise<string>>();
  readonly #copying: Promise<string>;
  /** Made ahead, so that a test seldom waits for its database. */
  #spare: Promise<string> | null = null;
  #made = 0;
  #dropping: Promise<unknown> = Promise.resolve();

  constructor(server: string) {
    this.#server = server;
    this.#sql = new SQL(server, { max: 2 });
    this.#copying = this.#makeTemplate();
  }

  of(directory: string): Promise<string> {
    const key = resolve(directory);
    const found = this.#taken.get(key) ?? this.#take();
    this.#taken.set(key, found);
    return found;
  }

  drop(folder: string): void {
    const within = resolve(folder);
    for (const [directory, url] of this.#taken) {
      if (directory !== within && !directory.startsWith(within + sep)) continue;
      this.#taken.delete(directory);
      this.#dropping = Promise.all([this.#dropping, this.#dropAt(url)]);
      // Told to whoever takes the next database.
      this.#dropping.catch(() => {});
    }
  }

  async #take(): Promise<string> {
    await this.#dropping;
    const taken = this.#spare ?? this.#make();
    this.#spare = taken.then(() => this.#make());
    // Told to whoever takes it.
    this.#spare.catch(() => {});
    return taken;
  }

  async #make(): Promise<string> {
    const copying = await this.#copying;
    this.#made += 1;
    const name = `duka_${this.#made}`;
    await this.#sql.unsafe(`CREATE DATABASE ${name} TEMPLATE ${TEMPLATE} ${copying}`);
    return this.#urlOf(name);
  }

  async #dropAt(url: Promise<string>): Promise<void> {
    const { database } = parsePostgresAddress(await url);
    await this.#sql.unsafe(`DROP DATABASE ${database} WITH (FORCE)`);
  }

  /** Answers what the making of a copy says of its way: by files is five times as fast. */
  async #makeTemplate(): Promise<string> {
    await this.#sql.unsafe(`CREATE DATABASE ${TEMPLATE}`);
    const place = placeAt(this.#urlOf(TEMPLATE));
    await migrateDatabase("test", place, realClock);
    await migrateDatabase("live", place, realClock);
    const [row] = await this.#sql
      .unsafe("SELECT current_setting('server_version_num')::int")
      .values();
    return Number(row?.[0]) >= STRATEGY_SINCE ? "STRATEGY file_copy" : "";
  }

  #urlOf(database: string): string {
    return new URL(`/${database}`, this.#server).href;
  }
}

const given = process.env.DUKA_DATABASE_URL ?? "";
const yard = engine === "postgres" && given.endsWith("/duka") ? new DatabaseYard(given) : null;

/**
 * The address of a data directory's database, migrated when first asked for. A program that a test
 * started was given the one that it is to use. Only on PostgreSQL.
 */
export async function databaseOf(directory: string): Promise<string> {
  if (engine === "sqlite") throw new Error("The embedded engine has no database but the files.");
  return yard === null ? given : yard.of(directory);
}

/** What a shop on this directory has in its settings; nothing where its files are the database. */
export async function databaseSettings(directory: string): Promise<Record<string, string>> {
  return engine === "sqlite" ? {} : { DUKA_DATABASE_URL: await databaseOf(directory) };
}

/** Where `openDatabase` finds the database of this directory, on either engine. */
export async function databasePlace(directory: string): Promise<DatabasePlace> {
  if (engine === "sqlite") return { directory, server: null };
  return { ...placeAt(await databaseOf(directory)), directory };
}

/** The databases of a folder that is gone are dropped, soon. */
export function dropDatabasesIn(folder: string): void {
  yard?.drop(folder);
}

function placeAt(url: string): DatabasePlace {
  const address = parsePostgresAddress(url);
  return { directory: "", server: { address, connectionsMax: CONNECTIONS_MAX } };
}
