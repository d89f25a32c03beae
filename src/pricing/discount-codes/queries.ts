// SQL of the codes of discounts.

import { and, asc, eq, getTableColumns, gt, inArray, sql } from "drizzle-orm";

import type { Reader, Tx } from "#platform/database/database.ts";
import { literal } from "#platform/database/dialect.ts";
import {
  prepared,
  preparedByFilters,
  preparedInsertIfFree,
  preparedLock,
  preparedWrite,
} from "#platform/database/prepared.ts";
import type { Discount } from "#pricing/discounts/discount.ts";
import {
  type DiscountCodeRow,
  discountCodes as codes,
  discountUses,
} from "#pricing/discounts/tables.ts";

// Columns are named in full: drizzle writes those of a statement with one table without it.
const usesOfCode = sql<number>`(SELECT count(*) FROM ${discountUses} AS used
  WHERE used.code = discount_codes.code AND used.counted = ${literal(true)})`;

/** Codes of a discount in alphabetical order. */
export const listCodeRows = preparedByFilters<{
  discountId: string;
  rows: number;
  after?: string | undefined;
}>()((db, given) =>
  db
    .select({ ...getTableColumns(codes), uses: usesOfCode.mapWith(Number).as("uses") })
    .from(codes)
    .where(
      and(
        eq(codes.discountId, given.one("discountId")),
        given.has("after") ? gt(codes.code, given.one("after")) : undefined,
      ),
    )
    .orderBy(asc(codes.code))
    .limit(given.one("rows")),
);

const takenCodes = preparedByFilters<{ codes: readonly string[] }>()((db, given) =>
  db
    .select({ code: codes.code })
    .from(codes)
    .where(inArray(codes.code, given.each("codes"))),
);

/** Returns those of the codes that a discount has. */
export async function findTakenCodes(
  db: Reader,
  wanted: readonly string[],
): Promise<ReadonlySet<string>> {
  if (wanted.length === 0) return new Set();
  return new Set((await takenCodes(db, { codes: wanted })).map(({ code }) => code));
}

/** Returns false, and inserts nothing, if a discount has the code. */
export const insertCode = preparedInsertIfFree(codes);

const anyCode = prepared<{ discountId: string }>()((db, at) =>
  db.select({ code: codes.code }).from(codes).where(eq(codes.discountId, at.discountId)).limit(1),
);

export async function hasCodes(db: Reader, { id }: Discount): Promise<boolean> {
  return (await anyCode(db, { discountId: id })).length > 0;
}

const codeToLock = preparedLock<{ code: string; discountId: string }>()((db, at) =>
  db
    .select()
    .from(codes)
    .where(and(eq(codes.code, at.code), eq(codes.discountId, at.discountId))),
);

/** Locks the code of this discount until the transaction ends and returns it. */
export async function lockCode(
  tx: Tx,
  code: Pick<DiscountCodeRow, "code" | "discountId">,
): Promise<DiscountCodeRow | undefined> {
  return (await codeToLock(tx, code))[0];
}

export const deleteCodeRow = preparedWrite<{ code: string }>()((tx, at) =>
  tx.delete(codes).where(eq(codes.code, at.code)),
);
