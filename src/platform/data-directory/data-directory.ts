// Lets one process serve a data directory. The lock is an exclusive transaction on a small SQLite
// file beside the databases, and a lock on the directory itself in case that file is deleted; the
// kernel releases both when the process ends, however that happens.
// Invariant: nothing else in this process opens duka.lock, because closing any other descriptor of
// the file releases the process's POSIX locks on it.

import { dlopen, FFIType, read } from "bun:ffi";
import { Database as SqliteFile } from "bun:sqlite";
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

import { syncFolder } from "#platform/backup/files.ts";
import { finishInterruptedSwap, type Swap } from "#platform/backup/swap.ts";
import { asUnusable, UnusableFile } from "#platform/database/sqlite/errors.ts";

// A lock on the directory itself, which deleting files in it does not release. It is flock(2) on a
// descriptor of the directory: independent of the POSIX locks that SQLite takes on files, and ended
// by the kernel with the process. Where the system has no such call, the lock file stands alone.

/** From flock(2); the same on Linux and macOS. */
const LOCK_EX = 2;
const LOCK_NB = 4;

/** The C library of a system, and its names. */
interface Platform {
  readonly libraries: readonly string[];
  /** The function that returns the address of errno. */
  readonly errno: "__errno_location" | "__error";
  /** EWOULDBLOCK: another process holds the lock. */
  readonly wouldBlock: number;
}

const platforms: Partial<Record<NodeJS.Platform, Platform>> = {
  linux: {
    libraries: ["libc.so.6", "libc.musl-x86_64.so.1", "libc.musl-aarch64.so.1"],
    errno: "__errno_location",
    wouldBlock: 11,
  },
  darwin: { libraries: ["libSystem.B.dylib"], errno: "__error", wouldBlock: 35 },
};

/** Returns the errno of the lock; 0 if it was taken. */
type TryLock = (descriptor: number) => number;

/**
 * Locks the directory until disposed; returns null if another process holds the lock. File systems
 * that lock no directories, as some network ones, count as free.
 */
export function lockDirectory(path: string): Disposable | null {
  const platform = platforms[process.platform];
  const tryLock = platform === undefined ? null : openLibrary(platform);
  if (platform === undefined || tryLock === null) return { [Symbol.dispose]() {} };
  const descriptor = openSync(path, "r");
  if (tryLock(descriptor) === platform.wouldBlock) {
    closeSync(descriptor);
    return null;
  }
  return { [Symbol.dispose]: () => closeSync(descriptor) };
}

/** The call of the first library that loads; null if none does. */
function openLibrary({ libraries, errno }: Platform): TryLock | null {
  const calls = {
    flock: { args: [FFIType.i32, FFIType.i32], returns: FFIType.i32 },
    [errno]: { args: [], returns: FFIType.ptr },
  } as const;
  for (const name of libraries) {
    try {
      const { symbols } = dlopen(name, calls);
      return (descriptor) => {
        if (symbols.flock(descriptor, LOCK_EX | LOCK_NB) === 0) return 0;
        const address = symbols[errno]?.();
        return address ? read.i32(address) : 0;
      };
    } catch {
      // Another C library: the next name, or no lock of the directory.
    }
  }
  return null;
}

const LOCK_FILE = "duka.lock";
/** The process id of the owner, for messages only. A stale file is harmless. */
const OWNER_FILE = "duka.pid";
/** The directory contains customers and key hashes, so only its owner has access. */
const DIRECTORY_MODE = 0o700;
/** Two processes that start at once may block each other; the timeout lets one of them win. */
const SIMULTANEOUS_START_MS = 250;

/** Held until it is disposed or its process ends. */
interface DataDirectoryLock extends Disposable {
  /** The absolute path of the directory. */
  readonly directory: string;
  /** The interrupted restore that was finished when the lock was taken; null if there was none. */
  readonly finished: Swap | null;
}

/** Another process serves the directory. */
export class DataDirectoryInUse extends Error {
  /** The id of that process; null if it is unknown. */
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
 * Takes the lock of the directory. Creates a missing directory (mode 0700) so that it survives a
 * power cut. Throws DataDirectoryInUse if another process, or this one, holds the lock.
 */
export function lockDataDirectory(directory: string): DataDirectoryLock {
  const path = resolve(directory);
  makeDirectory(path);
  const database = takeLock(path);
  let finished: Swap | null;
  let onDirectory: Disposable | null = null;
  try {
    onDirectory = lockDirectory(path);
    if (onDirectory === null) throw new DataDirectoryInUse(path, readOwner(path));
    writeFileSync(join(path, OWNER_FILE), `${process.pid}\n`);
    // Before any database is opened: half of a restore must not look like an empty shop.
    finished = finishInterruptedSwap(path);
  } catch (error) {
    onDirectory?.[Symbol.dispose]();
    database.close(true);
    throw error;
  }
  let isHeld = true;
  return {
    directory: path,
    finished,
    [Symbol.dispose]() {
      if (!isHeld) return;
      isHeld = false;
      // Before the lock is released: later the file may belong to the next owner.
      rmSync(join(path, OWNER_FILE), { force: true });
      onDirectory[Symbol.dispose]();
      database.run("ROLLBACK");
      database.close(true);
    },
  };
}

/**
 * Syncs the parents, because a file is lost with a directory whose name was never synced. Also if
 * the directory exists: the process that created it may have been killed before the sync.
 */
function makeDirectory(path: string): void {
  const first = makeFolders(path) ?? path;
  for (let made = path; made.length >= first.length; made = dirname(made)) {
    syncParent(made);
    if (made === dirname(made)) return;
  }
}

/** Returns the first folder that was missing, if any was. */
function makeFolders(path: string): string | undefined {
  try {
    return mkdirSync(path, { recursive: true, mode: DIRECTORY_MODE });
  } catch (error) {
    if (isCode(error, "EEXIST")) throw new UnusableFile(path, "it is no directory", error);
    throw error;
  }
}

/** Without permission to open the parent, the operator has created the directory. */
function syncParent(path: string): void {
  try {
    syncFolder(dirname(path));
  } catch (error) {
    if (!isCode(error, "EACCES")) throw error;
  }
}

/** Locks the lock file, on the connection that keeps the lock. */
function takeLock(directory: string): SqliteFile {
  const path = join(directory, LOCK_FILE);
  let database: SqliteFile | null = null;
  try {
    database = new SqliteFile(path, { create: true, strict: true });
    database.run(`PRAGMA busy_timeout = ${SIMULTANEOUS_START_MS}`);
    database.run("BEGIN EXCLUSIVE");
    return database;
  } catch (error) {
    database?.close(true);
    if (isBusy(error)) throw new DataDirectoryInUse(directory, readOwner(directory));
    throw asUnusable(error, path);
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
