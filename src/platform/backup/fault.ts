// Errors of backups and restores.

import { basename } from "node:path";

import { isDamage } from "#platform/database/sqlite/errors.ts";

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
