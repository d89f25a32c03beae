// Steps of a backup that would block the server's thread. Each runs in its own process: this
// program, started with the name of the step and two paths. Such a process loads no other module.

import { Database as SqliteFile } from "bun:sqlite";
import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fdatasyncSync,
  fstatSync,
  openSync,
  readdirSync,
  readSync,
  writeSync,
} from "node:fs";
import { setPriority } from "node:os";

import { readEnvironment } from "#platform/process/environment.ts";

import { FLUSH_BYTES, OWNER_ONLY_FILE } from "./files.ts";

/**
 * Low enough not to slow a busy shop down; lower would keep locks while it waits for the processor.
 */
const POLITE_PRIORITY = 10;

/** The environment without settings, which are passed as options. */
export function plainEnvironment(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(readEnvironment()).filter(([name]) => !name.startsWith("DUKA_")),
  );
}

/** The threads of this process on Linux, where a priority is that of one thread (sched(7)). */
const THREADS = "/proc/self/task";

/** Lowers the priority of this process, all its threads included, if the system supports that. */
export function lowerPriority(): void {
  const threads = existsSync(THREADS) ? readdirSync(THREADS).map(Number) : [process.pid];
  for (const thread of threads) {
    try {
      setPriority(thread, POLITE_PRIORITY);
    } catch (error) {
      // A thread may have ended since.
      if (!(error instanceof Error && "code" in error)) throw error;
    }
  }
}

const steps = { "copy-database": copyHere, "settle-copy": settleHere };

export type BackupStep = keyof typeof steps;

/**
 * Runs the step that the arguments name; returns the exit code, or null if they name none. Errors
 * go to stderr as a sentence, which the parent process passes on.
 */
export function runBackupStep([name = "", from = "", to = ""]: readonly string[]): number | null {
  if (!isStep(name)) return null;
  try {
    steps[name](from, to);
    return 0;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  }
}

function isStep(name: string): name is BackupStep {
  return Object.hasOwn(steps, name);
}

/** Copies a database and its log as bytes. The caller keeps a reader of the database open. */
function copyHere(from: string, to: string): void {
  copyFile(from, to);
  if (existsSync(`${from}-wal`)) copyFile(`${from}-wal`, `${to}-wal`);
}

/**
 * Shares the bytes where the file system can. Elsewhere each piece is on the disk before the next one is written: a
 * commit of the server waits until the disk has what was written before it (ext4, data=ordered).
 */
function copyFile(from: string, to: string): void {
  try {
    copyFileSync(from, to, constants.COPYFILE_FICLONE_FORCE);
    return;
  } catch {
    // The file system cannot, or the folder of the backups is on another one.
  }
  const [source, target] = [openSync(from, "r"), openSync(to, "w", OWNER_ONLY_FILE)];
  try {
    const piece = Buffer.allocUnsafe(FLUSH_BYTES);
    // A busy server writes more meanwhile, which the copy does not need.
    for (let left = fstatSync(source).size; left > 0;) {
      const read = readSync(source, piece, 0, Math.min(left, FLUSH_BYTES), null);
      if (read === 0) return;
      writeFully(target, piece.subarray(0, read));
      fdatasyncSync(target);
      left -= read;
    }
  } finally {
    closeSync(source);
    closeSync(target);
  }
}

function writeFully(file: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length;) done += writeSync(file, bytes, done);
}

/** Rewrites a copy from its rows. The caller syncs the new file while it grows. */
function settleHere(from: string, to: string): void {
  lowerPriority();
  const copy = new SqliteFile(from, { readonly: true, strict: true });
  try {
    copy.run("PRAGMA synchronous = OFF");
    copy.run("VACUUM INTO ?", [to]);
  } finally {
    copy.close(true);
  }
}
