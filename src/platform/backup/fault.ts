// Why a backup was not made, or cannot be used.

import { basename } from "node:path";

import { isDamage } from "#platform/database/errors.ts";

/** Told to the operator as its sentence: something outside of this program must change. */
export class BackupFault extends Error {
  constructor(detail: string, options?: ErrorOptions) {
    super(detail, options);
    this.name = "BackupFault";
  }
}

/** The same error, or a sentence about the folder where the system refused something. */
export function inOurWords(error: unknown, folder: string): unknown {
  if (!(error instanceof Error) || !("code" in error)) return error;
  const isOfTheSystem = /^E[A-Z]+$/.test(String(error.code));
  if (!isOfTheSystem) return error;
  const reason = reasons[String(error.code)] ?? error.message;
  return new BackupFault(`Nothing can be kept in ${folder}: ${reason}.`, { cause: error });
}

/** The same error, or a sentence about the database that cannot be read. */
export function asBroken(error: unknown, path: string): unknown {
  if (!isDamage(error) || !(error instanceof Error)) return error;
  return new BackupFault(`${basename(path)} cannot be read: ${error.message}`, { cause: error });
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: "this user may not write there",
  EDQUOT: "the quota of this user is used up",
  EFBIG: "the file system or a limit of this user allows no file as large",
  ENOSPC: "there is no room left",
  ENOTDIR: "a part of its path is no folder",
  EROFS: "the file system is read-only",
};
