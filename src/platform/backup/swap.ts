// The databases of a data directory: many may copy them at once, one replaces both as one step, and nobody copies
// meanwhile. The turn is a transaction on a small SQLite file, which the kernel ends with its process. A note in the
// directory says how far a replacement is, so that one that was interrupted is finished before anything is opened.

import { Database as SqliteFile } from "bun:sqlite";
import { existsSync, readFileSync, renameSync, rmSync } from "node:fs";
import { basename, join } from "node:path";

import { isObject } from "#kernel/assume.ts";

import { BackupFault } from "./fault.ts";
import { backedUpModes, databaseFile, makeFolder, syncFolder, writeDurably } from "./files.ts";

const LOCK_FILE = "duka.backup.lock";
/** Two that begin at once can each see the other's attempt; the wait lets one of them win, milliseconds. */
const TURN_MS = 250;
/** Held until it is disposed or its process ends. */
export interface DatabasesLock extends Disposable {
  /** Where the databases are. */
  readonly directory: string;
}

/** Until disposed, the databases of the directory are not replaced. Throws BackupFault during a restore. */
export function shareDatabases(directory: string): DatabasesLock {
  return takeTurn(
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
  return takeTurn(
    directory,
    "A backup is copying these databases: wait until it is done.",
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
    lock.run(`PRAGMA busy_timeout = ${TURN_MS}`);
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
/** What belongs to a database beside its file; moved first, so that no log meets another database. */
const COMPANIONS = ["-wal", "-shm", ""] as const;

/** Folders of the data directory, by name. */
export interface Swap {
  /** Where the new databases lie. */
  readonly staged: string;
  /** Where the old ones go. */
  readonly aside: string;
  /** The backup that the new ones came from. */
  readonly backup: string;
}

/** Afterwards the replacement is decided, also if the power is cut. */
export function noteSwap(directory: string, swap: Swap): void {
  const path = join(directory, NOTE_FILE);
  writeDurably(`${path}.new`, `${JSON.stringify(swap, null, 2)}\n`);
  renameSync(`${path}.new`, path);
  syncFolder(directory);
}

/** Whether a replacement was decided and is not finished: the databases are not of one shop. */
export function isSwapping(directory: string): boolean {
  return existsSync(join(directory, NOTE_FILE));
}

/** `finishSwap` for a start, which holds the directory's lock and not yet its databases. */
export function finishInterruptedSwap(directory: string): Swap | null {
  if (!isSwapping(directory)) return null;
  using claim = claimDatabases(directory);
  return finishSwap(claim.directory);
}

/**
 * Finishes a replacement that was decided, from wherever it stopped; answers null where none was. The
 * caller holds the directory's lock and its databases.
 */
export function finishSwap(directory: string): Swap | null {
  if (!isSwapping(directory)) return null;
  const note = join(directory, NOTE_FILE);
  const swap = readSwap(note);
  const staged = join(directory, swap.staged);
  for (const mode of backedUpModes) {
    const file = databaseFile(mode);
    // Where the new one is no longer staged it is in its place already.
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
        `A restore cannot be finished: ${kept} is kept already, and ${join(directory, name)} has ` +
          "appeared since. Move one of them away.",
      );
    }
    renameSync(join(directory, name), kept);
  }
  syncFolder(aside);
  syncFolder(directory);
}

/** Names only: a note leads nowhere outside of its directory. */
function readSwap(note: string): Swap {
  const told: unknown = JSON.parse(readFileSync(note, "utf8"));
  const name = (member: string) => basename(textAt(told, member));
  return { staged: name("staged"), aside: name("aside"), backup: textAt(told, "backup") };
}

function textAt(told: unknown, name: string): string {
  const found = isObject(told) ? told[name] : undefined;
  if (typeof found === "string" && found !== "") return found;
  throw new BackupFault(`The note of a restore, ${NOTE_FILE}, has no ${name}.`);
}
