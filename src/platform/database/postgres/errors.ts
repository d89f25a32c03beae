// Translates errors of PostgreSQL and its driver, and decides which of them are worth a retry. The driver is `Bun.SQL`
// at each use: an import of it would load it into every program, and one that has no PostgreSQL starts without.

import type { SQL } from "bun";

import { WriteConflict } from "#platform/database/database.ts";
import {
  type ConstraintKind,
  ConstraintViolation,
  storageFull,
  storageUnavailable,
} from "#platform/database/errors.ts";

const RETRY_AFTER = { "Retry-After": "1" } as const;

/** SQLSTATE codes of PostgreSQL's appendix A; Bun.sql has them in `errno`. */
const kindByState: Readonly<Record<string, ConstraintKind>> = {
  "23505": "unique",
  "23503": "foreign_key",
  "23514": "check",
  "23502": "not_null",
};
const DISK_FULL = "53100";
/** The user lacks a right, or does not own the table. */
const DENIED = "42501";
/** The statement waited too long for a lock. */
const LOCKED_TOO_LONG = "55P03";
const IN_FAILED_TRANSACTION = "25P02";
const DEADLOCK = "40P01";
/** Serialization failure or deadlock. */
const CONFLICT = /^(40001|40P01)$/;
/**
 * Connection exceptions, a server that starts, stops or has no free connections, an idle
 * transaction that was ended, and a standby, which accepts no writes.
 */
const UNAVAILABLE = /^(08...|57P0.|53300|25006|25P03)$/;
/** Bun.sql's own errors about a connection. */
const LOST_CONNECTION = /^ERR_POSTGRES_(CONNECTION|IDLE|LIFETIME)/;
/** Errors of reaching the address. */
const UNREACHABLE = /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|FailedToOpenSocket)/;

/** No host of the address is a reachable primary. */
export class NoPrimary extends Error {
  constructor(label: string, cause: unknown) {
    const reason = cause instanceof Error ? `: ${cause.message}` : "";
    super(`No PostgreSQL that accepts writes answers at ${label}${reason}`, { cause });
    this.name = "NoPrimary";
  }
}

/** A commit was not answered within its time limit, so whether it will happen is unknown. */
export class UnansweredCommit extends Error {
  constructor() {
    super("PostgreSQL did not answer COMMIT in time");
    this.name = "UnansweredCommit";
  }
}

/** The error's SQLSTATE; null for errors that are not the server's. */
function stateOf(error: unknown): string | null {
  if (error instanceof StatementFault) return stateOf(error.cause);
  if (!(error instanceof Bun.SQL.PostgresError)) return null;
  return error.errno ?? null;
}

/** Returns true if the connection is unusable, or its server is not the primary. */
export function isLostConnection(error: unknown): boolean {
  if (error instanceof NoPrimary || error instanceof UnansweredCommit) return true;
  if (!(error instanceof Error)) return false;
  const code = "code" in error ? String(error.code) : "";
  const state = stateOf(error);
  return (
    (state !== null && UNAVAILABLE.test(state)) ||
    LOST_CONNECTION.test(code) ||
    UNREACHABLE.test(code)
  );
}

/** Returns true if the statement was skipped because an earlier one of its transaction failed. */
export function isSkipped(error: unknown): boolean {
  return stateOf(error) === IN_FAILED_TRANSACTION;
}

/**
 * Returns true if the story lost to a concurrent one and should run again. A broken key counts, because
 * stories check for existing rows before they write: the next run finds the new row.
 */
export function isConflict(error: unknown): boolean {
  if (error instanceof WriteConflict) return true;
  if (error instanceof ConstraintViolation) {
    return error.kind === "unique" || error.kind === "foreign_key";
  }
  const state = stateOf(error);
  return state !== null && CONFLICT.test(state);
}

/** Returns true if locks of another transaction ended the statement. */
export function isHeldUp(error: unknown): boolean {
  const state = stateOf(error) ?? (error instanceof Error ? stateOf(error.cause) : null);
  return state === LOCKED_TOO_LONG || state === DEADLOCK;
}

/**
 * The server rejected a statement: a bug of the shop. The message has the statement's text, which
 * holds no values.
 */
class StatementFault extends Error {
  constructor(error: SQL.PostgresError, text: string) {
    super(`${error.message} (${error.errno}) in: ${text.trim()}`, { cause: error });
    this.name = "StatementFault";
  }
}

/** The user of the shop's URL may not do what the shop needs: the operator has to grant it. */
export class PermissionDenied extends Error {
  constructor(error: SQL.PostgresError, text: string) {
    super(`The user of DUKA_DATABASE_URL lacks a right: ${error.message}, in: ${text.trim()}`, {
      cause: error,
    });
    this.name = "PermissionDenied";
  }
}

function rejectionOf(error: SQL.PostgresError, text: string): Error {
  return error.errno === DENIED
    ? new PermissionDenied(error, text)
    : new StatementFault(error, text);
}

/** The translated error; errors that are not the server's are returned unchanged. */
export function translatePostgresError(error: unknown, text: string): Error {
  const state = stateOf(error);
  if (isLostConnection(error) || state === LOCKED_TOO_LONG) {
    const refusal = storageUnavailable({ headers: RETRY_AFTER });
    refusal.cause = error;
    return refusal;
  }
  if (!(error instanceof Error)) return new Error(String(error));
  if (state === null || !(error instanceof Bun.SQL.PostgresError)) return error;
  if (state === DISK_FULL) return storageFull({ headers: RETRY_AFTER });
  const kind = kindByState[state];
  if (kind === undefined) return rejectionOf(error, text);
  return new ConstraintViolation(kind, error.constraint ?? error.column ?? "", error);
}
