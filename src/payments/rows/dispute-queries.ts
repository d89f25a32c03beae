// SQL of disputes beside the statements of every record.

import { and, asc, desc, eq, inArray, lt } from "drizzle-orm";

import type { PageRequest } from "#kernel/page.ts";
import type { Reader } from "#platform/database/database.ts";
import { prepared, preparedByFilters } from "#platform/database/prepared.ts";
import { versionedStatements } from "#platform/database/statements.ts";

import type { DisputeStatus } from "./dispute-life.ts";
import { type Dispute, disputeNotFound } from "./dispute.ts";
import { disputes } from "./tables.ts";

/** Statements of the dispute's row. `get` and `lock` refuse with `dispute_not_found`. */
export const disputeRows = versionedStatements(disputes, disputeNotFound);

const ofPayment = prepared<{ paymentId: string }>()((db, at) =>
  db.select().from(disputes).where(eq(disputes.paymentId, at.paymentId)).orderBy(asc(disputes.id)),
);

const ofPayments = preparedByFilters<{ paymentIds: readonly string[] }>()((db, given) =>
  db
    .select()
    .from(disputes)
    .where(inArray(disputes.paymentId, given.each("paymentIds")))
    .orderBy(asc(disputes.id)),
);

export interface DisputeFilters {
  readonly statuses?: readonly DisputeStatus[] | undefined;
  readonly paymentId?: string | undefined;
}

const listed = preparedByFilters<{
  statuses?: readonly string[] | undefined;
  paymentId?: string | undefined;
  after?: string | undefined;
  rows: number;
}>()((db, given) =>
  db
    .select()
    .from(disputes)
    .where(
      and(
        given.has("statuses") ? inArray(disputes.status, given.each("statuses")) : undefined,
        given.has("paymentId") ? eq(disputes.paymentId, given.one("paymentId")) : undefined,
        given.has("after") ? lt(disputes.id, given.one("after")) : undefined,
      ),
    )
    .orderBy(desc(disputes.id))
    .limit(given.one("rows")),
);

/** The disputes of a payment, oldest first. */
export function findDisputesOfPayment(db: Reader, paymentId: string): Promise<Dispute[]> {
  return ofPayment(db, { paymentId });
}

/** The disputes of these payments by the payment, oldest first. */
export async function findDisputesOfPayments(
  db: Reader,
  paymentIds: readonly string[],
): Promise<ReadonlyMap<string, Dispute[]>> {
  const found = paymentIds.length === 0 ? [] : await ofPayments(db, { paymentIds });
  return Map.groupBy(found, ({ paymentId }) => paymentId);
}

/** Returns disputes, newest first: one row more than the page holds. */
export function listDisputeRows(
  db: Reader,
  filters: DisputeFilters,
  page: PageRequest,
): Promise<Dispute[]> {
  return listed(db, { ...filters, after: page.after ?? undefined, rows: page.limit + 1 });
}
