// Idempotency keys of running workflows: in this program by name, and on a shared database also by
// lease. Invariant: the key of a program that died is free within a minute, or when the program
// starts again.

import type { Clock } from "#kernel/time.ts";
import type { Database, Tx } from "#platform/database/database.ts";
import {
  findLease,
  type LeaseHolder,
  newHolder,
  releaseLease,
  takeLease,
} from "#platform/database/leases.ts";
import { idempotencyInProgress } from "#platform/http/contract/refusals.ts";

import { idempotencyKeyReused, type IdempotentRequest } from "./idempotent.ts";

/** Longer than a workflow runs. Longer ones are protected by guards on their own rows. */
const LEASE_MS = 60_000;
const RETRY_SECONDS = "1";

/** The name of a running request: the idempotency key, within its lineage. */
type NamedRequest = Pick<IdempotentRequest, "key" | "lineage">;

/** A claimed key, until it is released. */
export interface RunningKey extends Disposable {
  /**
   * Takes the lease, in the transaction that looks for a stored answer. Refuses with
   * `idempotency_in_progress`.
   */
  claim(tx: Tx): Promise<void>;
  /**
   * Frees the lease, in the transaction that stores the answer, so that the next request finds
   * either.
   */
  release(tx: Tx): Promise<void>;
  /** Frees the key without an answer, if the database can be reached. */
  giveUp(): Promise<void>;
}

/**
 * Claims the key within this program. Refuses with `idempotency_in_progress`, and with
 * `idempotency_key_reused` if a write has the key, because that is another request.
 */
export function runWithKey(database: Database, request: NamedRequest, clock: Clock): RunningKey {
  const { inProgress, isShared } = database;
  const lease: LeaseHolder = { name: leaseOf(request), holder: newHolder(database) };
  if (inProgress.has(lease.name)) throw refusal();
  if (inProgress.has(writeOf(request))) throw idempotencyKeyReused();
  const begun = begin(database, lease.name);
  const release = async (tx: Tx) => {
    if (isShared) await releaseLease(tx, lease);
  };
  return {
    ...begun,
    claim: async (tx) => {
      const now = clock.now();
      const claim = { ...lease, now, until: now + LEASE_MS };
      if (isShared && !(await takeLease(tx, claim))) throw refusal();
    },
    release,
    giveUp: async () => {
      // The lease expires anyway, and the caller gets the first error.
      if (isShared) await database.write(release).catch(() => undefined);
    },
  };
}

/**
 * Notes the key as that of a write, until its answer is committed and this disposed of. Refuses with
 * `idempotency_key_reused` if a workflow of this program has the key, because that is another request.
 */
export function writeWithKey(database: Database, request: NamedRequest): Disposable {
  if (database.inProgress.has(leaseOf(request))) throw idempotencyKeyReused();
  return begin(database, writeOf(request));
}

/** Names work in progress, until it is disposed of. */
function begin({ inProgress }: Database, name: string): Disposable {
  inProgress.set(name, (inProgress.get(name) ?? 0) + 1);
  return {
    [Symbol.dispose]: () => {
      const others = (inProgress.get(name) ?? 1) - 1;
      if (others > 0) inProgress.set(name, others);
      else inProgress.delete(name);
    },
  };
}

/** Returns true if a workflow has the key, in any of the programs that share the database. */
export async function isRunning(tx: Tx, request: NamedRequest, clock: Clock): Promise<boolean> {
  const lease = await findLease(tx, leaseOf(request));
  return lease !== undefined && lease.until > clock.now();
}

/** A lineage has no slash, so that no two names are the same text. */
function leaseOf({ lineage, key }: NamedRequest): string {
  return `key:${lineage}/${key}`;
}

/** Writes with one key are in progress beside each other: they are done in turn. */
function writeOf({ lineage, key }: NamedRequest): string {
  return `write:${lineage}/${key}`;
}

function refusal() {
  return idempotencyInProgress({ headers: { "Retry-After": RETRY_SECONDS } });
}
