// Leases: exclusive work among several programs, limited in time by the machines' clocks. They only
// save work. Every effect under a lease is guarded by its own compare-and-set, so clocks that
// differ by seconds cause at most a duplicate attempt or a delay.

import { and, eq, gt, lt, sql } from "drizzle-orm";

import { newRequestId } from "#kernel/id.ts";

import type { Database, Reader, Tx } from "./database.ts";
import { prepared, preparedLock, preparedWrite } from "./prepared.ts";
import { leases } from "./tables.ts";

export type LeaseRow = typeof leases.$inferSelect;

/** The name of a lease and its holder. */
export type LeaseHolder = Pick<LeaseRow, "name" | "holder">;

/** A request for a lease at the instant `now`, until `until`; epoch milliseconds. */
export interface LeaseClaim extends LeaseRow {
  readonly now: number;
}

const leaseByName = prepared<{ name: string }>()((db, at) =>
  db.select().from(leases).where(eq(leases.name, at.name)),
);
const leaseOf = preparedLock<LeaseHolder>()((db, at) =>
  db
    .select({ name: leases.name })
    .from(leases)
    .where(and(eq(leases.name, at.name), eq(leases.holder, at.holder))),
);
const take = preparedWrite<LeaseClaim>({ confirms: true })((tx, at) =>
  tx
    .insert(leases)
    .values({ name: at.name, holder: at.holder, until: at.until })
    .onConflictDoUpdate({
      target: leases.name,
      set: { holder: sql`excluded.holder`, until: sql`excluded.until` },
      setWhere: sql`${leases.holder} = ${at.holder} OR ${leases.until} <= ${at.now}`,
    })
    .returning({ name: leases.name }),
);
const renew = preparedWrite<LeaseRow>({ confirms: true })((tx, at) =>
  tx
    .update(leases)
    .set({ until: sql`${at.until}` })
    .where(and(eq(leases.name, at.name), eq(leases.holder, at.holder)))
    .returning({ name: leases.name }),
);
const release = preparedWrite<LeaseHolder>({ confirms: true })((tx, at) =>
  tx
    .delete(leases)
    .where(and(eq(leases.name, at.name), eq(leases.holder, at.holder)))
    .returning({ name: leases.name }),
);
const dropEnded = preparedWrite<{ before: number }>()((tx, at) =>
  tx.delete(leases).where(lt(leases.until, at.before)),
);
const dropHeldBetween = preparedWrite<{ from: string; to: string }>()((tx, at) =>
  tx.delete(leases).where(and(gt(leases.holder, at.from), lt(leases.holder, at.to))),
);

/** A new holder. Its leases are dropped when a program starts again in the same home. */
export function newHolder({ home }: Pick<Database, "home">): string {
  return `${home}/${newRequestId()}`;
}

/** Drops the leases of an earlier run of the program in this home. Call it at the start only. */
export async function dropLeasesOf(tx: Tx, home: string): Promise<void> {
  await dropHeldBetween(tx, { from: `${home}/`, to: `${home}0` });
}

/** Takes a free or expired lease, or extends the holder's own. False if another holder has it. */
export async function takeLease(tx: Tx, claim: LeaseClaim): Promise<boolean> {
  return (await take(tx, claim)).length === 1;
}

/**
 * Extends the holder's lease. False if it has another holder or none. An expired lease that no
 * other holder took can still be extended.
 */
export async function renewLease(tx: Tx, lease: LeaseRow): Promise<boolean> {
  return (await renew(tx, lease)).length === 1;
}

/** Locks the lease for this transaction. False if it has another holder or none. */
export async function lockLease(tx: Tx, lease: LeaseHolder): Promise<boolean> {
  return (await leaseOf(tx, lease)).length === 1;
}

/** Frees the lease. False if the holder no longer had it. */
export async function releaseLease(tx: Tx, lease: LeaseHolder): Promise<boolean> {
  return (await release(tx, lease)).length === 1;
}

/** The stored lease; it may have expired. */
export async function findLease(db: Reader, name: string): Promise<LeaseRow | undefined> {
  return (await leaseByName(db, { name }))[0];
}

/** Deletes leases that expired before the instant. */
export async function forgetEndedLeases(tx: Tx, before: number): Promise<void> {
  await dropEnded(tx, { before });
}
