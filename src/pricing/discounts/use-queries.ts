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
import { remembered } from "#platform/database/remembered.ts";

import {
  discountCodes as codes,
  discountCustomers as customers,
  discounts,
  discountUses as uses,
} from "./tables.ts";

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

/** Returns true if any order used the discount, also one that gave it back. */
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

/** The columns against which a use is checked. */
const limits = {
  id: discounts.id,
  usageLimit: discounts.usageLimit,
  perCustomerLimit: discounts.perCustomerLimit,
  usedCount: discounts.usedCount,
  archivedAt: discounts.archivedAt,
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

const unlimitedById = preparedShare<{ id: string }>()((db, at) =>
  db
    .select(limits)
    .from(discounts)
    .where(and(eq(discounts.id, at.id), isNull(discounts.usageLimit))),
);

/**
 * Finds those of these discounts that have no limit; also archived ones, whose orders give their uses back. Shares the
 * lock of their rows, so that none is set before the use is committed; where one program has the database, each is read
 * once until discounts change.
 */
export const shareUnlimited = remembered(
  [discounts],
  async (db, ids: readonly Id<"discount">[]) => {
    const rows = await Promise.all(ids.map((id) => unlimitedById(db, { id })));
    return new Map(rows.flat().map((row) => [row.id, row]));
  },
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

/** Discounts with a limit per customer, in the order of ids. */
export const personalDiscountsAfter = prepared<{ id: string; rows: number }>()((db, at) =>
  db
    .select({ id: discounts.id })
    .from(discounts)
    .where(and(isNotNull(discounts.perCustomerLimit), gt(discounts.id, at.id)))
    .orderBy(asc(discounts.id))
    .limit(at.rows),
);

/** Customers of a discount whose uses are kept wrongly; where none are kept, 0 is found. */
export const wrongCustomerUses = prepared<{ discountId: string; rows: number }>()((db, at) => {
  const found = sql<number>`sum(kept)`.mapWith(Number);
  const expected = sql<number>`sum(used)`.mapWith(Number);
  return db
    .select({ customerId: sql<Id<"customer">>`customer_id`, found, expected })
    .from(
      sql`(SELECT customer_id, uses AS kept, 0 AS used FROM ${customers}
          WHERE discount_id = ${at.discountId}
        UNION ALL SELECT customer_id, 0, 1 FROM ${uses}
          WHERE discount_id = ${at.discountId} AND customer_id IS NOT NULL AND ${counted})
        AS counts`,
    )
    .groupBy(sql`customer_id`)
    .having(sql`sum(kept) <> sum(used)`)
    .orderBy(sql`customer_id`)
    .limit(at.rows);
});

/** Uses that are kept of discounts without a limit per customer, where none should be. */
export const needlessUses = prepared<{ rows: number }>()((db, at) =>
  db
    .select({ discountId: customers.discountId, customerId: customers.customerId })
    .from(customers)
    .innerJoin(discounts, eq(discounts.id, customers.discountId))
    .where(isNull(discounts.perCustomerLimit))
    .limit(at.rows),
);

/** Keeps the uses of each customer of a discount that gets a limit per customer, counted from the uses. */
export const saveCustomerUses = preparedWrite<{ discountId: string }>()((tx, at) =>
  tx.insert(customers).select(
    tx
      .select({
        discountId: uses.discountId,
        customerId: sql<Id<"customer">>`${uses.customerId}`.as("customer_id"),
        uses: sql<number>`count(*)`.as("uses"),
      })
      .from(uses)
      .where(and(eq(uses.discountId, at.discountId), isNotNull(uses.customerId), counted))
      .groupBy(uses.discountId, uses.customerId),
  ),
);

/** Keeps them no longer. */
export const forgetCustomerUses = preparedWrite<{ discountId: string }>()((tx, at) =>
  tx.delete(customers).where(eq(customers.discountId, at.discountId)),
);

/** Returns true if the discount has no limit, and gets none until the story ends. */
export async function staysUnlimited(tx: Tx, id: Id<"discount">): Promise<boolean> {
  return (await shareUnlimited(tx, [id])).has(id);
}
