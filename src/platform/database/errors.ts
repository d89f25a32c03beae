// What a database driver throws, told once in our own words: a broken constraint, a full disk, or a
// fault that nobody expected.

import { SQLiteError } from "bun:sqlite";

import { defineRefusal, Refusal } from "#kernel/refusal.ts";

/** Nothing was written and reading goes on; writing resumes by itself when there is room. */
export const storageFull = defineRefusal(
  "storage_full",
  "unavailable",
  "There is no room on the disk to keep this.",
);

/** A commit failed; nobody of its group was told yes. */
export const storageUnavailable = defineRefusal(
  "storage_unavailable",
  "unavailable",
  "The store could not keep this.",
);

const RETRY_AFTER = { "Retry-After": "5" } as const;

export type ConstraintKind = "unique" | "foreign_key" | "check" | "not_null";

/**
 * A constraint said no. Stories guard with conditional writes and never rely on this; it is the
 * last line, and reaching it is a bug of ours.
 */
export class ConstraintViolation extends Error {
  readonly kind: ConstraintKind;
  /** The constraint's name, or `table.column` where SQLite gives no name. */
  readonly constraint: string;

  constructor(kind: ConstraintKind, constraint: string, cause: unknown) {
    super(`${kind} constraint: ${constraint}`, { cause });
    this.name = "ConstraintViolation";
    this.kind = kind;
    this.constraint = constraint;
  }
}

const kindByCode: Readonly<Record<string, ConstraintKind>> = {
  SQLITE_CONSTRAINT_UNIQUE: "unique",
  SQLITE_CONSTRAINT_PRIMARYKEY: "unique",
  SQLITE_CONSTRAINT_ROWID: "unique",
  SQLITE_CONSTRAINT_FOREIGNKEY: "foreign_key",
  SQLITE_CONSTRAINT_CHECK: "check",
  SQLITE_CONSTRAINT_NOTNULL: "not_null",
};

/**
 * A full disk. The second is the index of the write-ahead log, which found no room for one more of
 * its pages, before anything was written (unixShmMap in SQLite's os_unix.c): the next try may succeed.
 */
const NO_ROOM = /^SQLITE_(FULL|IOERR_SHMSIZE)$/;

/** The same error in our words, or unchanged where we have none. */
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

/** Whether the file or the disk beneath it failed: writing must stop, never try again on the handle. */
export function isDamage(error: unknown): boolean {
  return (
    error instanceof SQLiteError &&
    /^SQLITE_(IOERR|CORRUPT|NOTADB|READONLY|CANTOPEN)/.test(error.code ?? "")
  );
}

/** What a whole group is told when its transaction failed; the reason is the refusal's cause. */
export function groupFailure(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  const refusal = storageUnavailable({ headers: RETRY_AFTER });
  refusal.cause = error;
  return refusal;
}
