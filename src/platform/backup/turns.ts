// Backups and restores of a data directory keep out of each other's way: many may copy at once,
// and nobody replaces the databases meanwhile. Like the directory's own lock it is a transaction on a
// small SQLite file, which the kernel ends with its process.

import { Database } from "bun:sqlite";
import { join } from "node:path";

import { BackupFault } from "./fault.ts";

const LOCK_FILE = "duka.backup.lock";
/** Two that begin at once can each see the other's attempt; the wait lets one of them win. */
const SIMULTANEOUS_START_MS = 250;

/** Held until it is disposed or its process ends. */
export interface DatabasesLock extends Disposable {
  /** Where the databases are. */
  readonly directory: string;
}

/** Until disposed, the databases of the directory are not replaced. Throws BackupFault during a restore. */
export function shareDatabases(directory: string): DatabasesLock {
  return hold(
    directory,
    "A restore is replacing these databases: wait until it is done.",
    (lock) => {
      lock.run("BEGIN");
      lock.query("SELECT count(*) FROM sqlite_schema").get();
    },
  );
}

/** Until disposed, nobody copies the databases of the directory. Throws BackupFault during a backup. */
export function claimDatabases(directory: string): DatabasesLock {
  return hold(directory, "A backup is copying these databases: wait until it is done.", (lock) => {
    lock.run("BEGIN EXCLUSIVE");
  });
}

function hold(directory: string, refusal: string, take: (lock: Database) => void): DatabasesLock {
  const lock = new Database(join(directory, LOCK_FILE), { create: true, strict: true });
  try {
    lock.run(`PRAGMA busy_timeout = ${SIMULTANEOUS_START_MS}`);
    take(lock);
  } catch (error) {
    lock.close(true);
    const isBusy = error instanceof Error && "code" in error && error.code === "SQLITE_BUSY";
    throw isBusy ? new BackupFault(refusal, { cause: error }) : error;
  }
  return {
    directory,
    [Symbol.dispose]() {
      lock.run("ROLLBACK");
      lock.close(true);
    },
  };
}
