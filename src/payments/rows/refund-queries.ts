// SQL of refunds beside the statements of every record.

import { and, asc, desc, eq, gt, gte, inArray, lt, or, sql } from "drizzle-orm";

import type { Id } from "#kernel/id.ts";
import type { PageRequest } from "#kernel/page.ts";
import type { Reader } from "#platform/database/database.ts";
import { prepared, preparedByFilters } from "#platform/database/prepared.ts";
import { newestOfEach, versionedStatements } from "#platform/database/statements.ts";
import {
  type IdempotentRequest,
  type KeyOfRequest,
  madeBefore,
} from "#platform/http/contract/idempotent.ts";

import { type Refund, refundNotFound } from "./refund.ts";
import { refunds } from "./tables.ts";

/** Statements of the refund's row. `get` and `lock` refuse with `refund_not_found`. */
export const refundRows = versionedStatements(refunds, refundNotFound);

const refundsByPayments = preparedByFilters<{ paymentIds: readonly string[] }>()((db, given) =>
  db
    .select()
    .from(refunds)
    .where(inArray(refunds.paymentId, given.each("paymentIds")))
    .orderBy(asc(refunds.paymentId), asc(refunds.id)),
);
const refundsByOrder = prepared<{ orderId: string }>()((db, at) =>
  db
    .select()
    .from(refunds)
    .where(and(eq(refunds.orderId, at.orderId), sql`order_id IS NOT NULL`))
    .orderBy(asc(refunds.id)),
);
const refundsByOrders = preparedByFilters<{ orderIds: readonly string[] }>()((db, given) =>
  db
    .select()
    .from(refunds)
    .where(and(inArray(refunds.orderId, given.each("orderIds")), sql`order_id IS NOT NULL`))
    .orderBy(asc(refunds.orderId), asc(refunds.id)),
);
const refundsByKey = prepared<KeyOfRequest>()((db, at) =>
  db
    .select()
    .from(refunds)
    .where(
      and(
        eq(refunds.idempotencyKey, at.key),
        sql`${refunds.lineage} IN (${at.lineage}, ${at.elsewhere})`,
        sql`idempotency_key IS NOT NULL`,
      ),
    )
    .orderBy(asc(refunds.id)),
);

/**
 * The refunds that an earlier run of the request made, oldest first. Refuses with
 * `idempotency_key_reused`.
 */
export async function findRefundsByKey(
  db: Reader,
  request: IdempotentRequest | null,
): Promise<readonly Refund[]> {
  if (request === null) return [];
  const { key, lineage, elsewhere } = request;
  return madeBefore(await refundsByKey(db, { key, lineage, elsewhere }), request);
}

/** The refunds of these payments, those of each oldest first. */
export async function findRefundsOfPayments(
  db: Reader,
  paymentIds: readonly string[],
): Promise<Refund[]> {
  return paymentIds.length === 0 ? [] : refundsByPayments(db, { paymentIds });
}

/** The refunds of an order, oldest first. */
export function findRefundsOfOrder(db: Reader, orderId: string): Promise<Refund[]> {
  return refundsByOrder(db, { orderId });
}

/** The refunds of these orders, those of each oldest first. */
export async function findRefundsOfOrders(
  db: Reader,
  orderIds: readonly string[],
): Promise<Refund[]> {
  return orderIds.length === 0 ? [] : refundsByOrders(db, { orderIds });
}

const givenBack = prepared<{ actorId: string; currency: string; after: number }>()((db, at) =>
  db
    .select({ minor: sql<number>`coalesce(sum(amount_minor), 0)`.mapWith(Number) })
    .from(refunds)
    .where(
      and(
        eq(refunds.actorId, at.actorId),
        sql`actor_id IS NOT NULL`,
        or(
          gt(refunds.createdAt, at.after),
          and(gt(refunds.reopenedAt, at.after), sql`reopened_at IS NOT NULL`),
        ),
        sql`${refunds.currency} = ${at.currency}`,
        sql`status NOT IN ('failed', 'cancelled', 'needs_approval')`,
      ),
    ),
);

/** The sum that someone gave back after an instant: refunds that did not fail, were not cancelled, and need no approval. */
export async function sumGivenBack(
  db: Reader,
  given: { readonly actorId: string; readonly currency: string; readonly after: number },
): Promise<number> {
  return (await givenBack(db, given))[0]?.minor ?? 0;
}

/** The filters of the list of refunds; a list of values means any of them. */
export interface RefundFilters {
  readonly status?: readonly string[] | undefined;
  readonly orderId?: string | undefined;
  readonly paymentId?: Id<"payment"> | undefined;
  /** From this id, below that one. */
  readonly from?: Id<"refund"> | undefined;
  readonly below?: Id<"refund"> | undefined;
}

const listRefunds = preparedByFilters<{
  status?: readonly string[] | undefined;
  orderId?: string | undefined;
  paymentId?: string | undefined;
  from?: string | undefined;
  below?: string | undefined;
  after?: string | undefined;
  rows: number;
}>()((db, given) =>
  db
    .select()
    .from(refunds)
    .where(
      and(
        given.has("status") ? inArray(refunds.status, given.each("status")) : undefined,
        given.has("orderId")
          ? and(eq(refunds.orderId, given.one("orderId")), sql`order_id IS NOT NULL`)
          : undefined,
        given.has("paymentId") ? eq(refunds.paymentId, given.one("paymentId")) : undefined,
        given.has("from") ? gte(refunds.id, given.one("from")) : undefined,
        given.has("below") ? lt(refunds.id, given.one("below")) : undefined,
        given.has("after") ? lt(refunds.id, given.one("after")) : undefined,
      ),
    )
    .orderBy(desc(refunds.id))
    .limit(given.one("rows")),
);

/** Refunds, newest first; one row more than the page has. */
export function listRefundRows(
  db: Reader,
  filters: RefundFilters,
  { after, limit }: PageRequest,
): Promise<Refund[]> {
  const values = { ...filters, after: after ?? undefined, rows: limit + 1 };
  return newestOfEach(values, ["status"], (one) => listRefunds(db, one));
}

const refundIdsOf = prepared<{ customerId: string }>()((db, at) =>
  db
    .select({ id: refunds.id })
    .from(refunds)
    .where(
      sql`${refunds.paymentId} IN (SELECT id FROM payments WHERE customer_id = ${at.customerId})`,
    ),
);

/** The refunds of a customer's payments. */
export async function findRefundIdsOf(db: Reader, customerId: string): Promise<Id<"refund">[]> {
  return (await refundIdsOf(db, { customerId })).map(({ id }) => id);
}
