// One serving process per data directory. The lock is an exclusive transaction on a small SQLite
// file beside the databases: the kernel ends it with its process, however that dies.
// Invariant: nothing else in this process opens duka.lock, since closing any second descriptor of a
// file gives up the process's POSIX locks on it.

import { Database as SqliteFile } from "bun:sqlite";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

import { syncFolder } from "./files.ts";
import { finishInterruptedSwap, type Swap } from "./swap.ts";

const LOCK_FILE = "duka.lock";
/** Who holds the lock, for the message only. A stale one is harmless: the lock decides. */
const OWNER_FILE = "duka.pid";
/** The directory holds customers and key hashes: nobody but its owner looks inside. */
const DIRECTORY_MODE = 0o700;
/** Two that start at once can each see the other's attempt; the wait lets one of them win. */
const SIMULTANEOUS_START_MS = 250;

/** Held until it is disposed or its process ends. */
export interface DataDirectoryLock extends Disposable {
  /** The absolute path of the directory. */
  readonly directory: string;
  /** The interrupted restore that was finished on taking it; null where there was none. */
  readonly finished: Swap | null;
}

/** Thrown when another process serves the directory. */
export class DataDirectoryInUse extends Error {
  /** The process that serves it, null where it did not get to write its number down. */
  readonly ownerId: number | null;

  constructor(directory: string, ownerId: number | null) {
    const owner = ownerId === null ? "" : ` (process ${ownerId})`;
    super(
      `Another Duka${owner} already serves ${directory}. ` +
        "Stop it first, or give this one a directory of its own with DUKA_DATA_DIR.",
    );
    this.name = "DataDirectoryInUse";
    this.ownerId = ownerId;
  }
}

/**
 * Makes this process the one that serves the directory, which is created (mode 0700) when missing and
 * then outlives a power cut. Throws DataDirectoryInUse while another process does, or this one already.
 */
export function lockDataDirectory(directory: string): DataDirectoryLock {
  const path = resolve(directory);
  makeDirectory(path);
  const database = new SqliteFile(join(path, LOCK_FILE), { create: true, strict: true });
  let finished: Swap | null;
  try {
    database.run(`PRAGMA busy_timeout = ${SIMULTANEOUS_START_MS}`);
    database.run("BEGIN EXCLUSIVE");
    writeFileSync(join(path, OWNER_FILE), `${process.pid}\n`);
    // Before anybody opens a database: half of a restore must not be taken for an empty shop.
    finished = finishInterruptedSwap(path);
  } catch (error) {
    database.close(true);
    throw isBusy(error) ? new DataDirectoryInUse(path, readOwner(path)) : error;
  }
  let isHeld = true;
  return {
    directory: path,
    finished,
    [Symbol.dispose]() {
      if (!isHeld) return;
      isHeld = false;
      // Before the lock is free: afterwards the file may already be the next owner's.
      rmSync(join(path, OWNER_FILE), { force: true });
      database.run("ROLLBACK");
      database.close(true);
    },
  };
}

/**
 * A synced file in a directory whose own name was never synced is lost with the directory. Synced
 * also where it is there already: whoever made it may have been killed before.
 */
function makeDirectory(path: string): void {
  const first = mkdirSync(path, { recursive: true, mode: DIRECTORY_MODE }) ?? path;
  for (let made = path; made.length >= first.length; made = dirname(made)) {
    syncParent(made);
    if (made === dirname(made)) return;
  }
}

/** An operator who keeps us from reading what is above has made the directory himself. */
function syncParent(path: string): void {
  try {
    syncFolder(dirname(path));
  } catch (error) {
    if (!isCode(error, "EACCES")) throw error;
  }
}

function isBusy(error: unknown): boolean {
  return isCode(error, "SQLITE_BUSY");
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}

function readOwner(directory: string): number | null {
  try {
    const owner = Number.parseInt(readFileSync(join(directory, OWNER_FILE), "utf8"), 10);
    return Number.isSafeInteger(owner) ? owner : null;
  } catch {
    return null;
  }
}
