// One connection to a SQLite file with its prepared statements. Statements belong to the connection
// that prepared them: the reader's never run on the writer.

import {
  Database as SqliteFile,
  type SQLQueryBindings,
  type Statement as PreparedCommand,
} from "bun:sqlite";

import { MINUTE_MS, monotonicMs } from "#kernel/time.ts";
import type { Statement } from "#platform/database/database.ts";
import { asRows } from "#platform/database/statement-values.ts";

import { translateError } from "./errors.ts";
import { syncFully } from "./full-sync.ts";
import { type ReadyStatement, readyStatement } from "./statement.ts";

/** The first SQLite without the WAL-reset corruption (sqlite.org, 3.7.0 to 3.51.2). */
const SQLITE_VERSION_MIN = [3, 51, 3] as const;
/** How long a command that runs beside the server waits for the file's lock, milliseconds. */
const BUSY_TIMEOUT_MS = 5000;
/** Pages in the write-ahead log before a COMMIT checkpoints it: 80 MB. The upkeep of the server does so long before. */
const CHECKPOINT_PAGES = 20_000;
/** The size to which the write-ahead log is truncated after a checkpoint, bytes. */
const LOG_BYTES_MAX = 67_108_864;
/**
 * Page caches in KiB: twice what a full group of stories changes, and half of that to read with. Larger ones, of 8 and 64
 * MiB, made neither a small shop nor one of a million orders faster, because the system caches the file, and they cost
 * that memory per connection.
 */
const CACHE_KIB = { writing: 4_096, reading: 2_048 };

/** A condition of tables: litestream, which copies the log of a file as it grows, keeps two of its own in it. */
export const NOT_OF_LITESTREAM = "name NOT LIKE '\\_litestream\\_%' ESCAPE '\\'";

/** A row of a command, by column. */
export type Row = Readonly<Record<string, unknown>>;

/** The longest that a statement may hold everything else up, milliseconds. */
const SLOW_MS = 50;

/** A statement that took longer. Its text has no values, which may be personal. */
export interface SlowStatement {
  readonly text: string;
  readonly tookMs: number;
}

/** Passes on each text once a minute. */
export class SlowStatements {
  readonly #tell: (slow: SlowStatement) => void;
  readonly #toldAtMs = new Map<string, number>();

  constructor(tell: (slow: SlowStatement) => void) {
    this.#tell = tell;
  }

  note(slow: SlowStatement): void {
    const nowMs = monotonicMs();
    if (nowMs - (this.#toldAtMs.get(slow.text) ?? -Infinity) < MINUTE_MS) return;
    this.#toldAtMs.set(slow.text, nowMs);
    this.#tell(slow);
  }
}

export class SqliteConnection {
  /** Told of statements that took longer than `SLOW_MS`. */
  onSlow: (slow: SlowStatement) => void = () => {};
  readonly #open: () => SqliteFile;
  #driver: SqliteFile;
  readonly #statements = new Map<Statement<unknown>, ReadyStatement>();
  readonly #commands = new Map<string, PreparedCommand<Row, SQLQueryBindings[]>>();

  private constructor(open: () => SqliteFile, openFirst = open) {
    this.#open = open;
    this.#driver = openFirst();
  }

  /**
   * Opens the writing connection. A commit returns after the log is synced to the disk. `prepare` works on the bare
   * connection, as migrating does; not again when it is reopened.
   */
  static openWriter(path: string, prepare?: (driver: SqliteFile) => void): SqliteConnection {
    return new SqliteConnection(
      () => openWriting(path),
      () => openWriting(path, prepare),
    );
  }

  /** Opens a read-only connection, which sees committed rows. Open the writer first. */
  static openReader(path: string): SqliteConnection {
    return new SqliteConnection(() => {
      const driver = new SqliteFile(path, { readonly: true, strict: true });
      configure(driver, CACHE_KIB.reading);
      return driver;
    });
  }

  get driver(): SqliteFile {
    return this.#driver;
  }

  /** Runs a statement, prepared on first use. Throws the errors of `errors.ts`. */
  run<Rows>(statement: Statement<Rows>, values: object): Rows {
    const ready = this.ready(statement);
    const fromMs = monotonicMs();
    try {
      return asRows<Rows>(ready.run(ready.bind(values)));
    } catch (error) {
      throw translateError(error);
    } finally {
      const tookMs = monotonicMs() - fromMs;
      if (tookMs > SLOW_MS) this.onSlow({ text: ready.text, tookMs });
    }
  }

  /** The statement, prepared on first use. */
  ready(statement: Statement<unknown>): ReadyStatement {
    const known = this.#statements.get(statement);
    if (known !== undefined) return known;
    const made = readyStatement(this.driver, statement);
    this.#statements.set(statement, made);
    return made;
  }

  /** Runs a command such as COMMIT and returns its rows. */
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

  /** Differs from the last time if another connection changed the file since (sqlite.org/pragma, data_version). */
  dataVersion(): number {
    return Number(this.command("PRAGMA data_version")[0]?.["data_version"]);
  }

  close(): void {
    this.#statements.clear();
    this.#commands.clear();
    this.#driver.close(true);
  }

  /** Opens the closed connection again, on the file that is at its path now. */
  reopen(): void {
    this.#driver = this.#open();
  }
}

/** Closed again if `prepare` throws: a closed connection leaves no log behind. */
function openWriting(path: string, prepare?: (driver: SqliteFile) => void): SqliteFile {
  const driver = new SqliteFile(path, { create: true, readwrite: true, strict: true });
  try {
    prepare?.(driver);
  } catch (error) {
    driver.close(true);
    throw error;
  }
  configure(driver, CACHE_KIB.writing);
  driver.run("PRAGMA journal_mode = WAL");
  syncFully(driver);
  driver.run("PRAGMA foreign_keys = ON");
  // Deleted rows are overwritten, so that erased words are in no free page.
  driver.run("PRAGMA secure_delete = ON");
  driver.run(`PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
  driver.run(`PRAGMA journal_size_limit = ${LOG_BYTES_MAX}`);
  return driver;
}

/**
 * Sets the busy timeout first: the other pragmas may fail while another connection has the lock.
 */
function configure(driver: SqliteFile, cacheKib: number): void {
  driver.run(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
  driver.run(`PRAGMA cache_size = -${cacheKib}`);
  // By default savepoints write their statement journals to temporary files.
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
      `SQLite ${row?.version} can corrupt its write-ahead log; Duka needs ${SQLITE_VERSION_MIN.join(".")} or newer.`,
    );
  }
}
