// One connection to a SQLite file with its prepared statements. A statement is built once per
// connection and keeps to it: what was prepared for the reader never runs on the writer.

import {
  Database as SqliteFile,
  type SQLQueryBindings,
  type Statement as PreparedCommand,
} from "bun:sqlite";

import { drizzle } from "drizzle-orm/bun-sqlite";

import { assume } from "#kernel/assume.ts";
import type { Builder, Statement } from "#platform/database/database.ts";
import { translateError } from "#platform/database/errors.ts";
import { asRows } from "#platform/database/statement-values.ts";

import { type ReadyStatement, readyStatement } from "./statement.ts";

/** The first SQLite without the WAL-reset corruption (sqlite.org, 3.7.0 to 3.51.2). */
const SQLITE_VERSION_MIN = [3, 51, 3] as const;
/** How long a command beside the server waits for its turn, milliseconds. */
const BUSY_TIMEOUT_MS = 5000;
/**
 * Pages in the write-ahead log before it is copied back, 4 MB. Copying stops all writing: four times
 * as many brought no more orders per second and made the slowest hundredth wait four times as long.
 */
const CHECKPOINT_PAGES = 1000;
/** Size to which the write-ahead log shrinks after it was copied back, bytes. */
const LOG_BYTES_MAX = 67_108_864;
/**
 * Page cache of a connection in KiB: room for what a full group changes, four times over. Eight times as
 * much made a shop of a million orders no faster, because the machine keeps the file's pages anyway, and
 * each connection that was used cost as much more.
 */
const CACHE_KIB = 8_192;

/** A row of the engine's own statements, by column. */
export type Row = Readonly<Record<string, unknown>>;

export class SqliteConnection {
  readonly driver: SqliteFile;
  readonly #builder: Builder;
  readonly #statements = new Map<Statement<unknown>, ReadyStatement>();
  readonly #commands = new Map<string, PreparedCommand<Row, SQLQueryBindings[]>>();

  private constructor(driver: SqliteFile) {
    this.driver = driver;
    this.#builder = asBuilder(drizzle(driver));
  }

  /** The connection that writes. Durable: a commit returns after the log is synced to the disk. */
  static openWriter(path: string): SqliteConnection {
    const driver = new SqliteFile(path, { create: true, readwrite: true, strict: true });
    configure(driver);
    driver.run("PRAGMA journal_mode = WAL");
    driver.run("PRAGMA synchronous = FULL");
    driver.run("PRAGMA fullfsync = ON");
    driver.run("PRAGMA foreign_keys = ON");
    driver.run(`PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
    driver.run(`PRAGMA journal_size_limit = ${LOG_BYTES_MAX}`);
    return new SqliteConnection(driver);
  }

  /** A connection that sees committed rows only. The writer must be open before it. */
  static openReader(path: string): SqliteConnection {
    const driver = new SqliteFile(path, { readonly: true, strict: true });
    configure(driver);
    return new SqliteConnection(driver);
  }

  /** Runs a statement, prepared on first use. Errors come in the words of `errors.ts`. */
  run<Rows>(statement: Statement<Rows>, values: object): Rows {
    let ready = this.#statements.get(statement);
    if (ready === undefined) {
      ready = readyStatement(statement.build(this.#builder));
      this.#statements.set(statement, ready);
    }
    try {
      return asRows<Rows>(ready(values));
    } catch (error) {
      throw translateError(error);
    }
  }

  /** Runs one statement of the engine's own, such as COMMIT, and answers its rows. */
  command(text: string, ...values: (string | number)[]): Row[] {
    let ready = this.#commands.get(text);
    if (ready === undefined) {
      ready = this.driver.prepare<Row, SQLQueryBindings[]>(text);
      this.#commands.set(text, ready);
    }
    try {
      return ready.all(...values);
    } catch (error) {
      throw translateError(error);
    }
  }

  close(): void {
    this.#statements.clear();
    this.#commands.clear();
    this.driver.close(true);
  }
}

/** The busy timeout comes first: without it, anything below may fail beside another connection. */
function configure(driver: SqliteFile): void {
  driver.run(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
  driver.run(`PRAGMA cache_size = -${CACHE_KIB}`);
  // Savepoints write their statement journals to temporary files otherwise.
  driver.run("PRAGMA temp_store = MEMORY");
  driver.run("PRAGMA trusted_schema = OFF");
  driver.run("PRAGMA cell_size_check = ON");
  requireVersion(driver);
}

function requireVersion(driver: SqliteFile): void {
  const row = driver.query<{ version: string }, []>("SELECT sqlite_version() AS version").get();
  const [major = 0, minor = 0, patch = 0] = (row?.version ?? "").split(".").map(Number);
  const [needMajor, needMinor, needPatch] = SQLITE_VERSION_MIN;
  const found = (major * 1000 + minor) * 1000 + patch;
  if (found < (needMajor * 1000 + needMinor) * 1000 + needPatch) {
    throw new Error(
      `SQLite ${row?.version} can corrupt a write-ahead log; Duka needs a newer one.`,
    );
  }
}

/** The cast that makes one build serve both engines: drizzle's SQLite builders are called alike. */
function asBuilder(database: unknown): Builder {
  return assume<Builder>(database);
}
