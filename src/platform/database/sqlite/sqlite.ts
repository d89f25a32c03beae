// The embedded engine: one file with one writing and one reading connection.

import { statSync } from "node:fs";

import { type Database, type Reader, run, type Statement } from "#platform/database/database.ts";
import type { MigrationReport, OnStep } from "#platform/database/migrations.ts";
import type { RowMemory } from "#platform/database/row-memory.ts";
import { notifySafely } from "#platform/process/lazy.ts";
import { closedVault, type Vault } from "#platform/vault/vault.ts";

import { type SlowStatement, SlowStatements, SqliteConnection } from "./connection.ts";
import { migrateOn } from "./migrate.ts";
import { SqliteWriter, type WriterOptions } from "./writer.ts";

// Tells whether the open database is still the one that the next start would open. A process keeps
// writing to files that were deleted or replaced under it, and everything it wrote is then lost.

interface Identity {
  readonly dev: number;
  readonly ino: number;
}

/** A file was deleted or replaced while the server had it open. */
class FileReplaced extends Error {
  constructor(path: string) {
    super(
      `${path} was deleted or replaced while the server ran. Writes are refused, because they ` +
        "would be lost. Bring the file back, or stop the server and restore a backup.",
    );
    this.name = "FileReplaced";
  }
}

class FileIdentity {
  readonly #opened: ReadonlyMap<string, Identity | undefined>;
  readonly #onReplaced: (error: FileReplaced) => void;
  #isInPlace = true;

  /** The database at the path and its log, both open. Calls back once each time one is replaced. */
  constructor(path: string, onReplaced: (error: FileReplaced) => void) {
    this.#opened = new Map([path, `${path}-wal`].map((one) => [one, identityOf(one)]));
    this.#onReplaced = onReplaced;
  }

  /** Throws FileReplaced unless both files are in place: two calls of stat(2), 2 µs. */
  require(): void {
    const replaced = this.#findReplaced();
    const wasInPlace = this.#isInPlace;
    this.#isInPlace = replaced === null;
    if (replaced === null) return;
    const error = new FileReplaced(replaced);
    if (wasInPlace) this.#onReplaced(error);
    throw error;
  }

  isInPlace(): boolean {
    try {
      this.require();
    } catch (error) {
      if (!(error instanceof FileReplaced)) throw error;
    }
    return this.#isInPlace;
  }

  /** The path at which another file stands now, or none. */
  #findReplaced(): string | null {
    for (const [path, opened] of this.#opened) {
      const found = identityOf(path);
      if (found?.dev !== opened?.dev || found?.ino !== opened?.ino) return path;
    }
    return null;
  }
}

function identityOf(path: string): Identity | undefined {
  return statSync(path, { throwIfNoEntry: false });
}

/** Reads on a connection of its own; the connection decides which snapshot it sees. */
export class SqliteReader implements Reader {
  readonly vault: Vault;
  readonly memory?: RowMemory;
  readonly #connection: SqliteConnection;

  constructor(connection: SqliteConnection, vault = closedVault, memory?: RowMemory) {
    this.vault = vault;
    if (memory !== undefined) this.memory = memory;
    this.#connection = connection;
  }

  async [run]<Rows>(statement: Statement<Rows>, values: object): Promise<Rows> {
    return this.#connection.run(statement, values);
  }
}

interface OpenedSqlite {
  readonly database: Database;
  readonly migrated: MigrationReport;
}

type SqliteTerms = Pick<WriterOptions, "clock" | "vault" | "onCommit" | "groupMsMax"> & {
  /** Called when the files are deleted or replaced while they are open. */
  readonly onFault?: (error: unknown) => void;
  readonly onMigration?: OnStep | undefined;
  readonly onSlow?: ((slow: SlowStatement) => void) | undefined;
};

/**
 * Opens the file, migrated to this program's schema. The caller holds the lock of the data
 * directory: two processes that write one file would starve each other.
 */
export function openSqliteDatabase(
  path: string,
  { clock, onFault, onMigration, onSlow, ...terms }: SqliteTerms,
): OpenedSqlite {
  let migrated: MigrationReport = { applied: [], snapshot: null, writer: null };
  const writing = SqliteConnection.openWriter(path, (driver) => {
    migrated = migrateOn(driver, path, { clock, onStep: onMigration });
  });
  const reading = SqliteConnection.openReader(path);
  const slow = new SlowStatements((one) => onSlow?.(one));
  for (const connection of [writing, reading]) connection.onSlow = (one) => slow.note(one);
  const listeners = new Set<() => void>();
  const announce = () => {
    for (const listener of listeners) notifySafely(listener);
  };
  const identify = () => new FileIdentity(path, (error) => onFault?.(error));
  let files = identify();
  const writer = new SqliteWriter(writing, {
    clock,
    ...terms,
    lastSequence: () => lastSequence(writing),
    beforeCommit: () => files.require(),
    onAnnounced: announce,
  });
  const read = new SqliteReader(reading, terms.vault, writer.memory);
  const database: Database = {
    vault: terms.vault,
    isShared: false,
    home: "here",
    inProgress: new Map(),
    read,
    // Statements run synchronously on one connection, and a commit happens in a later turn of the
    // event loop, so these reads see one state.
    readTogether: (reads) => reads(read),
    write: (story, options) => writer.write(story, options),
    isWritable: () => writer.isWritable && files.isInPlace(),
    sizes: async () => fileSizes(path),
    onAnnounced: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    whileClosed: async (work) => {
      await writer.between(() => {
        try {
          workOnClosed([writing, reading], () => work(path));
        } finally {
          files = identify();
        }
      });
      announce();
    },
    close: async () => {
      await writer.close();
      reading.close();
      writing.close();
    },
  };
  return { database, migrated };
}

/**
 * Closes the connections for the work, and opens them again, also where it fails. The writing one is the first, and
 * is closed last: that moves the log into the file, which one that only reads cannot do.
 */
function workOnClosed(connections: readonly SqliteConnection[], work: () => void): void {
  for (const connection of connections.toReversed()) connection.close();
  try {
    work();
  } finally {
    for (const connection of connections) connection.reopen();
  }
}

/** The counter holds the last sequence of deleted events, so that no number is used twice. */
function lastSequence(connection: SqliteConnection): number {
  const [row] = connection.command(
    `SELECT max(coalesce((SELECT max(sequence) FROM events), 0),
                coalesce((SELECT value FROM counters WHERE name = 'event_sequence'), 0)) AS last`,
  );
  return Number(row?.["last"] ?? 0);
}

/** Bytes of the file and of its write-ahead log; 0 for a missing one. */
function fileSizes(path: string): { readonly database: number; readonly log: number } {
  return { database: sizeOf(path), log: sizeOf(`${path}-wal`) };
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
