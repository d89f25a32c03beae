// Steps of a backup that would block the server's thread. Each runs in its own process: this
// program, started with the name of the step and two paths. Such a process loads no other module.

import { Database as SqliteFile } from "bun:sqlite";
import { constants, copyFileSync, existsSync } from "node:fs";

import { lowerPriority } from "./program.ts";

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
  copyFileSync(from, to, constants.COPYFILE_FICLONE);
  if (existsSync(`${from}-wal`)) {
    copyFileSync(`${from}-wal`, `${to}-wal`, constants.COPYFILE_FICLONE);
  }
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
