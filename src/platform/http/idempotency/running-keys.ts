// Which idempotency keys belong to a workflow that runs now: in this program, and where a store is shared
// in any other, by a lease. Invariant: a key whose program is gone is
// free again within a minute, or when that program starts again.

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

import { idempotencyKeyReused } from "./idempotent.ts";

/** Longer than a workflow takes. What one does that takes longer is guarded by its own rows. */
const LEASE_MS = 60_000;
const RETRY_SECONDS = "1";

/** A workflow that has the key, until it is released. */
export interface RunningKey extends Disposable {
  /** In the commit that looks for an earlier answer. Refuses `idempotency_in_progress`. */
  claim(tx: Tx): Promise<void>;
  /** In the commit that keeps the answer: whoever comes next finds that. */
  release(tx: Tx): Promise<void>;
  /** Afterwards the key is free, as far as the store can be told; there is no answer. */
  giveUp(): Promise<void>;
}

/** Afterwards nobody else here runs with the key. Refuses `idempotency_in_progress`. */
export function runWithKey(database: Database, key: string, clock: Clock): RunningKey {
  const { inProgress, isShared } = database;
  const lease: LeaseHolder = { name: leaseOf(key), holder: newHolder(database) };
  if (inProgress.has(lease.name)) throw refusal();
  inProgress.add(lease.name);
  const release = async (tx: Tx) => {
    if (isShared) await releaseLease(tx, lease);
  };
  return {
    claim: async (tx) => {
      const now = clock.now();
      const claim = { ...lease, now, until: now + LEASE_MS };
      if (isShared && !(await takeLease(tx, claim))) throw refusal();
    },
    release,
    giveUp: async () => {
      // A lease that cannot be released ends by itself; the caller is told what went wrong first.
      if (isShared) await database.write(release).catch(() => undefined);
    },
    [Symbol.dispose]: () => inProgress.delete(lease.name),
  };
}

/**
 * Refuses `idempotency_key_reused` where a workflow runs with the key: it is another request, or it would
 * be that workflow, too.
 */
export function requireNotRunningHere(database: Database, key: string): void {
  if (database.inProgress.has(leaseOf(key))) throw idempotencyKeyReused();
}

/** The same of any other program. */
export async function requireNotRunning(tx: Tx, key: string, clock: Clock): Promise<void> {
  const lease = await findLease(tx, leaseOf(key));
  if (lease !== undefined && lease.until > clock.now()) throw idempotencyKeyReused();
}

function leaseOf(key: string): string {
  return `key:${key}`;
}

function refusal() {
  return idempotencyInProgress({ headers: { "Retry-After": RETRY_SECONDS } });
}
