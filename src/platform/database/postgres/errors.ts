// What PostgreSQL and the way to it throw, told in our own words, and what of it is worth another try.

import { SQL } from "bun";

import { WriteConflict } from "#platform/database/database.ts";
import {
  type ConstraintKind,
  ConstraintViolation,
  storageFull,
  storageUnavailable,
} from "#platform/database/errors.ts";

const RETRY_AFTER = { "Retry-After": "1" } as const;

/** SQLSTATE by PostgreSQL's appendix A; Bun.sql has it in `errno`. */
const kindByState: Readonly<Record<string, ConstraintKind>> = {
  "23505": "unique",
  "23503": "foreign_key",
  "23514": "check",
  "23502": "not_null",
};
const DISK_FULL = "53100";
/** Somebody else held on to what the statement needed. */
const LOCKED_TOO_LONG = "55P03";
const IN_FAILED_TRANSACTION = "25P02";
/** Serialization failure, deadlock. */
const LOST_RACE = /^(40001|40P01)$/;
/**
 * Connection exceptions, a server that is starting, stopping or has no place left, a transaction that
 * was idle too long, and a server that was demoted: it takes no writes any more.
 */
const UNREACHABLE = /^(08...|57P0.|53300|25006|25P03)$/;
/** What Bun.sql says of the connection itself. */
const LOST_CONNECTION = /^ERR_POSTGRES_(CONNECTION|IDLE|LIFETIME)/;
/** The same where the address could not be reached. */
const NO_WAY = /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|FailedToOpenSocket)/;

/** No host of the address is a primary that answers. */
export class NoPrimary extends Error {
  constructor(told: string, cause: unknown) {
    const reason = cause instanceof Error ? `: ${cause.message}` : "";
    super(`No PostgreSQL that takes writes answers at ${told}${reason}`, { cause });
    this.name = "NoPrimary";
  }
}

/** The error's SQLSTATE; null where it is none of the server's. */
function stateOf(error: unknown): string | null {
  if (error instanceof StatementFault) return stateOf(error.cause);
  if (!(error instanceof SQL.PostgresError)) return null;
  return error.errno ?? null;
}

/** Whether the connection is of no use any more, or its server is no primary. */
export function isLostConnection(error: unknown): boolean {
  if (error instanceof NoPrimary) return true;
  if (!(error instanceof Error)) return false;
  const code = "code" in error ? String(error.code) : "";
  const state = stateOf(error);
  return (
    (state !== null && UNREACHABLE.test(state)) || LOST_CONNECTION.test(code) || NO_WAY.test(code)
  );
}

/** Whether the statement was not looked at, because one before it failed. */
export function isAftermath(error: unknown): boolean {
  return stateOf(error) === IN_FAILED_TRANSACTION;
}

/**
 * Whether a story that failed with this is to run again: another one was faster, and is seen now. A
 * broken key is that too, since stories look before they write.
 */
export function isLostRace(error: unknown): boolean {
  if (error instanceof WriteConflict) return true;
  if (error instanceof ConstraintViolation) {
    return error.kind === "unique" || error.kind === "foreign_key";
  }
  const state = stateOf(error);
  return state !== null && LOST_RACE.test(state);
}

/** The server would not have this statement: a fault of ours, told with its text, which holds no values. */
class StatementFault extends Error {
  constructor(error: SQL.PostgresError, text: string) {
    super(`${error.message} (${error.errno}) in: ${text.trim()}`, { cause: error });
    this.name = "StatementFault";
  }
}

/** The same error in our words, or unchanged where it is none of the server's. */
export function translatePostgresError(error: unknown, text: string): Error {
  const state = stateOf(error);
  if (isLostConnection(error) || state === LOCKED_TOO_LONG) {
    const refusal = storageUnavailable({ headers: RETRY_AFTER });
    refusal.cause = error;
    return refusal;
  }
  if (!(error instanceof Error)) return new Error(String(error));
  if (state === null || !(error instanceof SQL.PostgresError)) return error;
  if (state === DISK_FULL) return storageFull({ headers: RETRY_AFTER });
  const kind = kindByState[state];
  if (kind === undefined) return new StatementFault(error, text);
  return new ConstraintViolation(kind, error.constraint ?? error.column ?? "", error);
}
