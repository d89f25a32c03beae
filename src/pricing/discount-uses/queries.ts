// SQL of the uses of discounts. A count is raised by a statement that checks the limit as it writes, so that of two
// orders for the last use one gets no row.

import { and, asc, eq, gt, inArray, isNotNull, isNull, type SQL, sql } from "drizzle-orm";

import type { Id } from "#kernel/id.ts";
import type { Reader, Tx } from "#platform/database/database.ts";
import { literal } from "#platform/database/dialect.ts";
import {
  prepared,
  preparedByFilters,
  preparedInsert,
  preparedShare,
  preparedWrite,
} from "#platform/database/prepared.ts";
import {
  discountCodes as codes,
  discountCustomers as customers,
  discounts,
  discountUses as uses,
} from "#pricing/discounts/tables.ts";

const counted = eq(uses.counted, literal(true));

const countedUses = prepared<{ discountId: string }>()((db, at) =>
  db
    .select({ uses: sql`count(*)`.mapWith(Number) })
    .from(uses)
    .where(and(eq(uses.discountId, at.discountId), counted)),
);

/** Counts the orders that use the discount, without those that gave it back. */
export async function countUses(db: Reader, discountId: string): Promise<number> {
  return (await countedUses(db, { discountId }))[0]?.uses ?? 0;
}

const anyUse = prepared<{ discountId: string }>()((db, at) =>
  db.select({ id: uses.orderId }).from(uses).where(eq(uses.discountId, at.discountId)).limit(1),
);
const anyUseOfCode = prepared<{ code: string }>()((db, at) =>
  db.select({ id: uses.orderId }).from(uses).where(eq(uses.code, at.code)).limit(1),
);

/** Whether any order used the discount, also one that gave it back. */
export async function hasUses(db: Reader, discountId: string): Promise<boolean> {
  return (await anyUse(db, { discountId })).length > 0;
}

/** The same of a code. */
export async function hasUsesOfCode(db: Reader, code: string): Promise<boolean> {
  return (await anyUseOfCode(db, { code })).length > 0;
}

/** How often the customer used each of these discounts; one that was never used has no row. */
export const usesOfCustomer = preparedByFilters<{
  customerId: string;
  discountIds: readonly string[];
}>()((db, given) =>
  db
    .select({ discountId: customers.discountId, uses: customers.uses })
    .from(customers)
    .where(
      and(
        eq(customers.customerId, given.one("customerId")),
        inArray(customers.discountId, given.each("discountIds")),
      ),
    ),
);

/** What a use is judged by. */
const limits = {
  id: discounts.id,
  usageLimit: discounts.usageLimit,
  perCustomerLimit: discounts.perCustomerLimit,
  usedCount: discounts.usedCount,
};

/** Takes a use of a discount that has a limit. Returns no row if the limit is reached, or there is none. */
export const raiseUsedCount = preparedWrite<{ id: string }>()((tx, at) =>
  tx
    .update(discounts)
    .set({ usedCount: sql`${discounts.usedCount} + 1` })
    .where(
      and(
        eq(discounts.id, at.id),
        isNull(discounts.archivedAt),
        sql`${discounts.usedCount} < ${discounts.usageLimit}`,
      ),
    )
    .returning(limits),
);

/** Shares the lock of a discount that has no limit, so that none is set before the use is committed. */
export const shareUnlimited = preparedShare<{ id: string }>()((db, at) =>
  db
    .select(limits)
    .from(discounts)
    .where(
      and(eq(discounts.id, at.id), isNull(discounts.usageLimit), isNull(discounts.archivedAt)),
    ),
);

/** The same of a code: its limit never changes, but the code may be deleted. */
export const raiseCodeCount = preparedWrite<{ code: string }>()((tx, at) =>
  tx
    .update(codes)
    .set({ usedCount: sql`${codes.usedCount} + 1` })
    .where(and(eq(codes.code, at.code), sql`${codes.usedCount} < ${codes.usageLimit}`))
    .returning({ code: codes.code }),
);
export const shareUnlimitedCode = preparedShare<{ code: string }>()((db, at) =>
  db
    .select({ code: codes.code })
    .from(codes)
    .where(and(eq(codes.code, at.code), isNull(codes.usageLimit))),
);

/** Adds a use of the customer. Returns no row if the customer has `limit` already, which is at least one. */
export const raiseCustomerUses = preparedWrite<{
  discountId: string;
  customerId: string;
  limit: number;
}>()((tx, at) =>
  tx
    .insert(customers)
    .values({
      discountId: sql`${at.discountId}`,
      customerId: sql`${at.customerId}`,
      uses: 1,
    })
    .onConflictDoUpdate({
      target: [customers.discountId, customers.customerId],
      set: { uses: sql`${customers.uses} + 1` },
      setWhere: sql`${customers.uses} < ${at.limit}`,
    })
    .returning({ uses: customers.uses }),
);

export const insertUse = preparedInsert(uses);

/** Uncounts the uses of an order and returns them; those that no longer count are left as they are. */
export const uncountUses = preparedWrite<{ orderId: string }>()((tx, at) =>
  tx
    .update(uses)
    .set({ counted: false })
    .where(and(eq(uses.orderId, at.orderId), counted))
    .returning({ discountId: uses.discountId, code: uses.code, customerId: uses.customerId }),
);

/** Gives back a use of a discount that has a limit. */
export const lowerUsedCount = preparedWrite<{ id: string }>()((tx, at) =>
  tx
    .update(discounts)
    .set({ usedCount: sql`${discounts.usedCount} - 1` })
    .where(and(eq(discounts.id, at.id), isNotNull(discounts.usageLimit)))
    .returning({ id: discounts.id }),
);
export const lowerCodeCount = preparedWrite<{ code: string }>()((tx, at) =>
  tx
    .update(codes)
    .set({ usedCount: sql`${codes.usedCount} - 1` })
    .where(and(eq(codes.code, at.code), isNotNull(codes.usageLimit))),
);
export const lowerCustomerUses = preparedWrite<{ discountId: string; customerId: string }>()(
  (tx, at) =>
    tx
      .update(customers)
      .set({ uses: sql`${customers.uses} - 1` })
      .where(and(eq(customers.discountId, at.discountId), eq(customers.customerId, at.customerId))),
);

/** Counts uses in a statement of one other table, whose columns the condition names in full. */
function countedWhere(condition: SQL) {
  const text = sql<number>`(SELECT count(*) FROM ${uses} AS used
    WHERE ${condition} AND used.counted = ${literal(true)})`;
  return text.mapWith(Number).as("expected");
}

/** Discounts with a limit and what their uses come to, in the order of ids. */
export const limitedDiscountsAfter = prepared<{ id: string; rows: number }>()((db, at) =>
  db
    .select({
      id: discounts.id,
      found: discounts.usedCount,
      expected: countedWhere(sql`used.discount_id = discounts.id`),
    })
    .from(discounts)
    .where(and(isNotNull(discounts.usageLimit), gt(discounts.id, at.id)))
    .orderBy(asc(discounts.id))
    .limit(at.rows),
);

/** The same of codes. */
export const limitedCodesAfter = prepared<{ code: string; rows: number }>()((db, at) =>
  db
    .select({
      code: codes.code,
      found: codes.usedCount,
      expected: countedWhere(sql`used.code = discount_codes.code`),
    })
    .from(codes)
    .where(and(isNotNull(codes.usageLimit), gt(codes.code, at.code)))
    .orderBy(asc(codes.code))
    .limit(at.rows),
);

/** The uses of customers as they are kept, in the order of their key. */
export const customersAfter = prepared<{ discountId: string; customerId: string; rows: number }>()(
  (db, at) =>
    db
      .select({
        discountId: customers.discountId,
        customerId: customers.customerId,
        found: customers.uses,
        expected: countedWhere(
          sql`used.discount_id = discount_buyers.discount_id
            AND used.customer_id = discount_buyers.customer_id`,
        ),
      })
      .from(customers)
      .where(
        sql`(${customers.discountId}, ${customers.customerId}) > (${at.discountId}, ${at.customerId})`,
      )
      .orderBy(asc(customers.discountId), asc(customers.customerId))
      .limit(at.rows),
);

/** Uses of customers of which nothing is kept. */
export const strayUses = prepared<{ rows: number }>()((db, at) =>
  db
    .select({ discountId: uses.discountId, customerId: uses.customerId })
    .from(uses)
    .where(
      and(
        isNotNull(uses.customerId),
        counted,
        sql`NOT EXISTS (SELECT 1 FROM ${customers} AS known
          WHERE known.discount_id = discount_uses.discount_id
            AND known.customer_id = discount_uses.customer_id)`,
      ),
    )
    .limit(at.rows),
);

/** Whether the discount has no limit, and gets none until the story ends. */
export async function staysUnlimited(tx: Tx, id: Id<"discount">): Promise<boolean> {
  return (await shareUnlimited(tx, { id })).length > 0;
}
