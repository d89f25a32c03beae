// SQL of payouts and their lines, and of the payments that they have.

import { and, asc, desc, eq, inArray, lt, sql } from "drizzle-orm";

import type { Id } from "#kernel/id.ts";
import type { PageRequest } from "#kernel/page.ts";
import type { Reader, Tx } from "#platform/database/database.ts";
import {
  prepared,
  preparedByFilters,
  preparedInsert,
  preparedLock,
  preparedWrite,
} from "#platform/database/prepared.ts";
import { versionedStatements } from "#platform/database/statements.ts";

import { type Payout, type PayoutLine, payoutNotFound, type WholePayout } from "./payout.ts";
import { payments, payoutLines, payouts } from "./tables.ts";

/** Statements of the payout's row. `get` and `lock` refuse with `payout_not_found`. */
export const payoutRows = versionedStatements(payouts, payoutNotFound);

export const insertPayoutLine = preparedInsert(payoutLines);

const byName = prepared<{ source: string; name: string }>()((db, at) =>
  db
    .select()
    .from(payouts)
    .where(and(eq(payouts.source, at.source), eq(payouts.name, at.name))),
);
const byNameToLock = preparedLock<{ source: string; name: string }>()((db, at) =>
  db
    .select()
    .from(payouts)
    .where(and(eq(payouts.source, at.source), eq(payouts.name, at.name))),
);
const linesOf = prepared<{ payoutId: string }>()((db, at) =>
  db
    .select()
    .from(payoutLines)
    .where(eq(payoutLines.payoutId, at.payoutId))
    .orderBy(asc(payoutLines.position)),
);
const dropLines = preparedWrite<{ payoutId: string }>()((tx, at) =>
  tx.delete(payoutLines).where(eq(payoutLines.payoutId, at.payoutId)),
);
const lastArrival = prepared<{ source: string }>()((db, at) =>
  db
    .select({ day: sql<string | null>`max(${payouts.arrivedOn})` })
    .from(payouts)
    .where(eq(payouts.source, at.source)),
);

const claim = preparedWrite<{ id: string; payoutId: string }>()((tx, at) =>
  tx
    .update(payments)
    .set({ payoutId: sql`${at.payoutId}`, version: sql`${payments.version} + 1` })
    .where(and(eq(payments.id, at.id), sql`${payments.payoutId} IS NULL`))
    .returning({ id: payments.id }),
);
const release = preparedWrite<{ id: string; payoutId: string }>()((tx, at) =>
  tx
    .update(payments)
    .set({ payoutId: sql`NULL`, version: sql`${payments.version} + 1` })
    .where(and(eq(payments.id, at.id), eq(payments.payoutId, at.payoutId))),
);

/** The payout that its source calls so. */
export async function findPayoutNamed(
  db: Reader,
  source: string,
  name: string,
): Promise<Payout | undefined> {
  return (await byName(db, { source, name }))[0];
}

/** The same, which no other transaction changes until this one ends. */
export async function lockPayoutNamed(
  tx: Tx,
  source: string,
  name: string,
): Promise<Payout | undefined> {
  return (await byNameToLock(tx, { source, name }))[0];
}

/** Refuses with `payout_not_found`. */
export async function getWholePayout(db: Reader, id: Id<"payout">): Promise<WholePayout> {
  return { payout: await payoutRows.get(db, id), lines: await linesOf(db, { payoutId: id }) };
}

/** The lines of the payout, in the order of its source. */
export function findPayoutLinesOf(db: Reader, payoutId: Id<"payout">): Promise<PayoutLine[]> {
  return linesOf(db, { payoutId });
}

/** Afterwards the payout has no lines. */
export async function dropPayoutLines(tx: Tx, payoutId: Id<"payout">): Promise<void> {
  await dropLines(tx, { payoutId });
}

/** The day on which the last payout of the source arrived, such as 2026-01-31; null without any. */
export async function findLastArrival(db: Reader, source: string): Promise<string | null> {
  return (await lastArrival(db, { source }))[0]?.day ?? null;
}

/** Afterwards the payment is in the payout. Returns false, and changes nothing, if it is in one already. */
export async function claimForPayout(
  tx: Tx,
  id: Id<"payment">,
  payoutId: Id<"payout">,
): Promise<boolean> {
  return (await claim(tx, { id, payoutId })).length === 1;
}

/** Afterwards the payment is in no payout, if it was in this one. */
export async function releaseFromPayout(
  tx: Tx,
  id: Id<"payment">,
  payoutId: Id<"payout">,
): Promise<void> {
  await release(tx, { id, payoutId });
}

export interface PayoutFilters {
  readonly source?: string | undefined;
  readonly status?: readonly string[] | undefined;
}

const listed = preparedByFilters<PayoutFilters & { after?: string | undefined; rows: number }>()(
  (db, given) =>
    db
      .select()
      .from(payouts)
      .where(
        and(
          given.has("source") ? eq(payouts.source, given.one("source")) : undefined,
          given.has("status") ? inArray(payouts.status, given.each("status")) : undefined,
          given.has("after") ? lt(payouts.id, given.one("after")) : undefined,
        ),
      )
      .orderBy(desc(payouts.id))
      .limit(given.one("rows")),
);

/** Returns payouts, newest first: one row more than the page holds. */
export function listPayoutRows(
  db: Reader,
  filters: PayoutFilters,
  page: PageRequest,
): Promise<Payout[]> {
  return listed(db, { ...filters, after: page.after ?? undefined, rows: page.limit + 1 });
}
