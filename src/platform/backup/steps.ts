// The steps of a backup that would keep the server's thread: each is done by a process of its own, which is
// this program started with the name of the step and two paths. It loads nothing else of the program.

import { Database as SqliteFile } from "bun:sqlite";
import { constants, copyFileSync, existsSync } from "node:fs";

import { lowerPriority } from "./program.ts";

const steps = { "copy-database": copyHere, "settle-copy": settleHere };

export type BackupStep = keyof typeof steps;

/**
 * Does the step that the arguments name; answers the exit code, or null where they name none. Why a step
 * failed goes to stderr as a sentence, which the program that started it passes on.
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

/** Copies a database and its log as bytes. The caller holds readers of the database meanwhile. */
function copyHere(from: string, to: string): void {
  copyFileSync(from, to, constants.COPYFILE_FICLONE);
  if (existsSync(`${from}-wal`)) {
    copyFileSync(`${from}-wal`, `${to}-wal`, constants.COPYFILE_FICLONE);
  }
}

/** Writes a copy anew from its rows. The caller flushes the new file to the disk as it grows. */
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
