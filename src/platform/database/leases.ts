// Leases: what one of several programs has for itself for a while, on the machines' clocks. They are
// for economy: whatever is done under one is guarded by a compare-and-set of its own. So clocks that
// differ by seconds cost at most that something is tried twice, or begun some seconds later.

import { and, eq, gt, lt, sql } from "drizzle-orm";

import { newRequestId } from "#kernel/id.ts";

import type { Database, Reader, Tx } from "./database.ts";
import { prepared, preparedLock, preparedWrite } from "./prepared.ts";
import { leases } from "./tables.ts";

export type LeaseRow = typeof leases.$inferSelect;

/** Whose it is. */
export type LeaseHolder = Pick<LeaseRow, "name" | "holder">;

/** Who wants it, at which instant of the machine's clock, and until when; epoch milliseconds. */
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
const take = preparedWrite<LeaseClaim>()((tx, at) =>
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
const renew = preparedWrite<LeaseRow>()((tx, at) =>
  tx
    .update(leases)
    .set({ until: sql`${at.until}` })
    .where(and(eq(leases.name, at.name), eq(leases.holder, at.holder)))
    .returning({ name: leases.name }),
);
const release = preparedWrite<LeaseHolder>()((tx, at) =>
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

/** Somebody who may hold leases, and whose leases end when their program starts anew. */
export function newHolder({ home }: Pick<Database, "home">): string {
  return `${home}/${newRequestId()}`;
}

/** Afterwards whoever comes next has what programs of this home had; call it while none runs. */
export async function dropLeasesOf(tx: Tx, home: string): Promise<void> {
  await dropHeldBetween(tx, { from: `${home}/`, to: `${home}0` });
}

/** Afterwards it is the holder's until then; false, and nothing changed, while it is another's. */
export async function takeLease(tx: Tx, claim: LeaseClaim): Promise<boolean> {
  return (await take(tx, claim)).length === 1;
}

/**
 * Afterwards it is the holder's until then, as it was all the time; false where it is not, or another
 * had it since. One that ended and that nobody wanted goes on.
 */
export async function renewLease(tx: Tx, lease: LeaseRow): Promise<boolean> {
  return (await renew(tx, lease)).length === 1;
}

/** Whether it is the holder's; if so, nobody else takes it before this transaction ends. */
export async function lockLease(tx: Tx, lease: LeaseHolder): Promise<boolean> {
  return (await leaseOf(tx, lease)).length === 1;
}

/** Afterwards whoever comes next has it; false where it was not the holder's any more. */
export async function releaseLease(tx: Tx, lease: LeaseHolder): Promise<boolean> {
  return (await release(tx, lease)).length === 1;
}

/** The lease as it was left; it may have ended. */
export async function findLease(db: Reader, name: string): Promise<LeaseRow | undefined> {
  return (await leaseByName(db, { name }))[0];
}

/** Afterwards nothing is kept of leases that ended before; their holders did not release them. */
export async function forgetEndedLeases(tx: Tx, before: number): Promise<void> {
  await dropEnded(tx, { before });
}
