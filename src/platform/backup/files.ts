// File operations that survive a crash: contents and names are synced before the next step relies
// on them. An operation that the system refuses is a BackupFault.

import { closeSync, fsyncSync, mkdirSync, openSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";

import type { Mode } from "#platform/database/shop.ts";
import { isDamage } from "#platform/database/sqlite/errors.ts";

/** The databases of a data directory: a backup contains both, and a restore replaces both. */
export const backedUpModes: readonly Mode[] = ["live", "test"];

/** The folder of media, in which each mode has one. */
export const MEDIA_FOLDER = "media";

/** Backups contain customers and key hashes, so only their owner has access. */
export const OWNER_ONLY_FOLDER = 0o700;
export const OWNER_ONLY_FILE = 0o600;
/** Bytes between two syncs: one large sync at the end would delay a running server's commits. */
export const FLUSH_BYTES = 2_097_152;

/** The folder of a mode's media in a backup, and usually in a data directory. */
export function mediaOf(folder: string, mode: Mode): string {
  return join(folder, MEDIA_FOLDER, mode);
}

/** The file name of a mode's database. */
export function databaseFile(mode: Mode): string {
  return `${mode}.sqlite`;
}

/** The instant in a folder's name, such as 2026-11-21T120000.000Z. */
export function stampOf(epochMs: number): string {
  return new Date(epochMs).toISOString().replaceAll(":", "");
}

/** Creates the folder and its parents, accessible to the owner only. */
export function makeFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: OWNER_ONLY_FOLDER });
}

/** Writes the file durably. */
export function writeDurably(path: string, text: string): void {
  writeFileSync(path, text, { mode: OWNER_ONLY_FILE, flush: true });
}

/** Syncs the folder's entries. */
export function syncFolder(path: string): void {
  const folder = openSync(path, "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

/** A sentence for the operator: something outside of this program must change. */
export class BackupFault extends Error {
  constructor(detail: string, options?: ErrorOptions) {
    super(detail, options);
    this.name = "BackupFault";
  }
}

/** The same error, or a BackupFault about the folder if the system refused an operation. */
export function asWriteFault(error: unknown, folder: string): unknown {
  if (!(error instanceof Error) || !("code" in error)) return error;
  const isOfTheSystem = /^E[A-Z]+$/.test(String(error.code));
  if (!isOfTheSystem) return error;
  const reason = reasons[String(error.code)] ?? error.message;
  return new BackupFault(`Cannot write to ${folder}: ${reason}.`, { cause: error });
}

/** The same error, or a BackupFault about the unreadable database. */
export function asBroken(error: unknown, path: string): unknown {
  if (!isDamage(error) || !(error instanceof Error)) return error;
  return new BackupFault(`${basename(path)} cannot be read: ${error.message}`, { cause: error });
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: "permission denied for this user",
  EDQUOT: "this user's quota is exceeded",
  EFBIG: "the file exceeds a limit of the file system or of this user",
  ENOSPC: "the disk is full",
  ENOTDIR: "a part of its path is not a folder",
  EROFS: "the file system is read-only",
};
