// Locks and replaces the databases of a data directory. Several processes may copy them at once;
// one replaces both in a single step, and no process copies meanwhile. The lock is a transaction on
// a small SQLite file, which the kernel ends with its process. A note in the directory records a
// committed replacement, so that an interrupted one is finished before anything is opened.

import { Database as SqliteFile } from "bun:sqlite";
import { existsSync, readFileSync, renameSync, rmSync } from "node:fs";
import { basename, join } from "node:path";

import { isObject } from "#kernel/assume.ts";

import {
  backedUpModes,
  BackupFault,
  databaseFile,
  makeFolder,
  syncFolder,
  writeDurably,
} from "./files.ts";

const LOCK_FILE = "duka.backup.lock";
/**
 * Two processes that begin at once may block each other; the timeout lets one of them win,
 * milliseconds.
 */
const LOCK_TIMEOUT_MS = 250;
/** Held until it is disposed or its process ends. */
export interface DatabasesLock extends Disposable {
  /** The directory of the databases. */
  readonly directory: string;
}

/** Prevents replacing the databases until disposed. Throws BackupFault during a restore. */
export function shareDatabases(directory: string): DatabasesLock {
  return takeTurn(
    directory,
    "A restore is replacing these databases. Wait until it has finished.",
    (lock) => {
      lock.run("BEGIN");
      lock.query("SELECT count(*) FROM sqlite_schema").get();
    },
  );
}

/** Prevents copying the databases until disposed. Throws BackupFault during a backup. */
export function claimDatabases(directory: string): DatabasesLock {
  return takeTurn(
    directory,
    "A backup is copying these databases. Wait until it has finished.",
    (lock) => {
      lock.run("BEGIN EXCLUSIVE");
    },
  );
}

function takeTurn(
  directory: string,
  refusal: string,
  take: (lock: SqliteFile) => void,
): DatabasesLock {
  const lock = new SqliteFile(join(directory, LOCK_FILE), { create: true, strict: true });
  try {
    lock.run(`PRAGMA busy_timeout = ${LOCK_TIMEOUT_MS}`);
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

const NOTE_FILE = "restore.json";
/** A database's companion files. They move first, so that no log meets another database. */
const COMPANIONS = ["-wal", "-shm", ""] as const;

/** Folders of the data directory, by name. */
export interface Swap {
  /** The folder of the new databases. */
  readonly staged: string;
  /** The folder for the old databases. */
  readonly aside: string;
  /** The backup that the new databases came from. */
  readonly backup: string;
}

/** Commits the replacement: from here on it is finished even after a power cut. */
export function noteSwap(directory: string, swap: Swap): void {
  const path = join(directory, NOTE_FILE);
  writeDurably(`${path}.new`, `${JSON.stringify(swap, null, 2)}\n`);
  renameSync(`${path}.new`, path);
  syncFolder(directory);
}

/**
 * Returns true if a committed replacement is unfinished, so that the two databases may be of different
 * shops.
 */
export function isSwapping(directory: string): boolean {
  return existsSync(join(directory, NOTE_FILE));
}

/** `finishSwap` for a start, which holds the directory's lock but not yet the databases' lock. */
export function finishInterruptedSwap(directory: string): Swap | null {
  if (!isSwapping(directory)) return null;
  using claim = claimDatabases(directory);
  return finishSwap(claim.directory);
}

/**
 * Finishes a committed replacement from where it stopped; returns null if there was none. The
 * caller holds the directory's lock and the databases' lock.
 */
export function finishSwap(directory: string): Swap | null {
  if (!isSwapping(directory)) return null;
  const note = join(directory, NOTE_FILE);
  const swap = readSwap(note);
  const staged = join(directory, swap.staged);
  for (const mode of backedUpModes) {
    const file = databaseFile(mode);
    // A file that is no longer staged is already in place.
    if (!existsSync(join(staged, file))) continue;
    moveAside(directory, file, join(directory, swap.aside));
    renameSync(join(staged, file), join(directory, file));
    syncFolder(directory);
  }
  rmSync(staged, { recursive: true, force: true });
  rmSync(note);
  syncFolder(directory);
  return swap;
}

function moveAside(directory: string, file: string, aside: string): void {
  const present = COMPANIONS.map((ending) => `${file}${ending}`).filter((name) =>
    existsSync(join(directory, name)),
  );
  if (present.length === 0) return;
  makeFolder(aside);
  syncFolder(directory);
  for (const name of present) {
    const kept = join(aside, name);
    if (existsSync(kept)) {
      throw new BackupFault(
        `A restore cannot be finished: ${kept} exists already, and ${join(directory, name)} has ` +
          "appeared since. Move one of them away.",
      );
    }
    renameSync(join(directory, name), kept);
  }
  syncFolder(aside);
  syncFolder(directory);
}

/** Uses base names only, so that a note cannot point outside of its directory. */
function readSwap(note: string): Swap {
  const written: unknown = JSON.parse(readFileSync(note, "utf8"));
  const name = (member: string) => basename(textAt(written, member));
  return { staged: name("staged"), aside: name("aside"), backup: textAt(written, "backup") };
}

function textAt(written: unknown, name: string): string {
  const found = isObject(written) ? written[name] : undefined;
  if (typeof found === "string" && found !== "") return found;
  throw new BackupFault(`The note of a restore, ${NOTE_FILE}, has no ${name}.`);
}
