// Turns the errors of both engines into those of the shop: the refusals of a database that cannot be written, and
// broken constraints.

import { defineRefusal } from "#kernel/refusal.ts";

/** Nothing was written. Reads continue, and writes succeed again once there is space. */
export const storageFull = defineRefusal("storage_full", "unavailable", {
  title: "The disk of the database is full.",
  cause:
    "The disk of the database has no space left. The change is not saved; earlier steps of a request that takes several, such as a payment, are.",
  remedy: "Free space on the disk, then retry with the same `Idempotency-Key`.",
});

/** The database does not answer, or a commit failed: no story of its group was acknowledged. */
export const storageUnavailable = defineRefusal("storage_unavailable", "unavailable", {
  title: "The database is not available.",
  cause:
    "The database is unreachable, locked or read-only. The change is not saved, unless the connection broke while it was; earlier steps of a request that takes several, such as a payment, are.",
  remedy:
    "Retry with the same `Idempotency-Key`: what was saved is answered and not repeated. Without a key, look first whether the change is there. If it continues, read the server's log.",
});

/** Others hold what the request needs: nothing of it was done. */
export const serverBusy = defineRefusal("server_busy", "unavailable", {
  title: "The server is busy with other requests.",
  cause:
    "The bodies of other requests, which have not arrived completely, hold all memory that the server gives to them, or several lists are read whose filters leave few of many rows. Nothing was changed.",
  remedy: "Wait for the number of seconds in `Retry-After` and send the same request again.",
  example: { headers: { "Retry-After": "1" } },
});

export type ConstraintKind = "unique" | "foreign_key" | "check" | "not_null";

/**
 * A constraint was violated. Stories use conditional writes and do not rely on constraints, so this
 * is a bug in the shop.
 */
export class ConstraintViolation extends Error {
  readonly kind: ConstraintKind;
  /** The constraint's name, or `table.column` if SQLite names no constraint. */
  readonly constraint: string;

  constructor(kind: ConstraintKind, constraint: string, cause: unknown) {
    super(`${kind} constraint: ${constraint}`, { cause });
    this.name = "ConstraintViolation";
    this.kind = kind;
    this.constraint = constraint;
  }
}

/** A program that lacks tables of the shop would leave rows in them, such as those of a person. */
export const newerSchema = defineRefusal("newer_schema", "unavailable", {
  title:
    "A newer Duka added to the database, and this one does not know all that it would have to change.",
  cause:
    "Programs of two versions serve the shop during an upgrade, and the older one received a request that has to know every table, such as the erasure of a customer.",
  remedy:
    "Repeat the request once every program is of the newer version. Run a command with the newer program.",
});
