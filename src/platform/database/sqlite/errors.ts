// Translates SQLite's errors: broken constraints, a full disk, damage, and files that it cannot use.

import { SQLiteError } from "bun:sqlite";

import { Refusal } from "#kernel/refusal.ts";
import {
  type ConstraintKind,
  ConstraintViolation,
  storageFull,
  storageUnavailable,
} from "#platform/database/errors.ts";

const RETRY_AFTER = { "Retry-After": "5" } as const;

const kindByCode: Readonly<Record<string, ConstraintKind>> = {
  SQLITE_CONSTRAINT_UNIQUE: "unique",
  SQLITE_CONSTRAINT_PRIMARYKEY: "unique",
  SQLITE_CONSTRAINT_ROWID: "unique",
  SQLITE_CONSTRAINT_FOREIGNKEY: "foreign_key",
  SQLITE_CONSTRAINT_CHECK: "check",
  SQLITE_CONSTRAINT_NOTNULL: "not_null",
};

/**
 * A full disk. SQLITE_IOERR_SHMSIZE means that the index of the write-ahead log could not grow by a
 * page (unixShmMap in SQLite's os_unix.c). Nothing was written yet, so a retry may succeed.
 */
const NO_ROOM = /^SQLITE_(FULL|IOERR_SHMSIZE)$/;

/** The translated error; unknown errors are returned unchanged. */
export function translateError(error: unknown): unknown {
  if (!(error instanceof SQLiteError)) return error;
  const code = error.code ?? "";
  const kind = kindByCode[code];
  if (kind !== undefined) {
    return new ConstraintViolation(
      kind,
      error.message.split("constraint failed: ")[1] ?? "",
      error,
    );
  }
  if (NO_ROOM.test(code)) return storageFull({ headers: RETRY_AFTER });
  return error;
}

/** Returns true if the file or its disk failed. Writing must stop: retrying on this handle is unsafe. */
export function isDamage(error: unknown): boolean {
  return (
    error instanceof SQLiteError &&
    /^SQLITE_(IOERR|CORRUPT|NOTADB|READONLY|CANTOPEN)/.test(error.code ?? "")
  );
}

/** A file of the shop that the engine cannot use. */
export class UnusableFile extends Error {
  constructor(path: string, reason: string, cause: unknown) {
    super(`${path} cannot be used: ${reason}.`, { cause });
    this.name = "UnusableFile";
  }
}

/** By the word of SQLite's code that names the kind of error. */
const reasonByKind: Readonly<Record<string, string>> = {
  CANTOPEN: "this user may not open it",
  CORRUPT: "it is damaged",
  FULL: "the disk is full",
  IOERR: "its disk is full, or has failed",
  NOTADB: "it is no database",
  READONLY: "this user may only read it",
};

/** The same error, or an UnusableFile where the engine cannot use the file: its own words do not name it. */
export function asUnusable(error: unknown, path: string): unknown {
  const fault = error instanceof Refusal ? error.cause : error;
  if (!(fault instanceof SQLiteError)) return error;
  const [, kind = ""] = (fault.code ?? "").split("_");
  const reason = reasonByKind[kind];
  return reason === undefined ? error : new UnusableFile(path, reason, error);
}

/**
 * The error for every story of a group whose transaction failed; its cause is the original error.
 */
export function groupFailure(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  const refusal = storageUnavailable({ headers: RETRY_AFTER });
  refusal.cause = error;
  return refusal;
}
