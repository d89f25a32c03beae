// SQL of discounts and their codes. The status is decided here alone, so that lists, filters, answers and carts
// agree on it.

import {
  and,
  asc,
  desc,
  eq,
  getTableColumns,
  gt,
  inArray,
  isNull,
  lt,
  ne,
  or,
  sql,
} from "drizzle-orm";

import type { Id } from "#kernel/id.ts";
import type { Reader, Tx } from "#platform/database/database.ts";
import { literal } from "#platform/database/dialect.ts";
import {
  type GivenFilters,
  prepared,
  preparedByFilters,
  preparedInsert,
  preparedInsertIfFree,
  preparedLock,
  preparedWrite,
} from "#platform/database/prepared.ts";
import { versionedStatements } from "#platform/database/statements.ts";

import { type Discount, discountNotFound, type DiscountStatus } from "./discount.ts";
import { type DiscountCodeRow, discountCodes as codes, discounts, discountUses } from "./tables.ts";

/**
 * Statements of the discount's row. `get` and `lock` refuse with `discount_not_found`. Lock it before `save`: an order
 * raises `used_count` without a new version.
 */
export const discountRows = versionedStatements(discounts, discountNotFound);

export const insertDiscountRow = preparedInsert(discounts);

type AtInstant = Pick<GivenFilters<{ now: number }>, "one">;

/** The status at the instant `now`. The order of the cases is that of `discountStatuses`. */
const statusAt = (given: AtInstant) =>
  sql<DiscountStatus>`CASE
    WHEN ${discounts.archivedAt} IS NOT NULL THEN 'archived'
    WHEN ${discounts.endsAt} <= ${given.one("now")} THEN 'ended'
    WHEN ${discounts.usedCount} >= ${discounts.usageLimit} THEN 'exhausted'
    WHEN ${discounts.startsAt} > ${given.one("now")} THEN 'scheduled'
    ELSE 'active' END`;

// Columns are named in full: drizzle writes those of a statement with one table without it.
const codeCount = sql<number>`(SELECT count(*) FROM ${codes} AS code
  WHERE code.discount_id = discounts.id)`;
const firstCode = sql<string | null>`(SELECT min(code.code) FROM ${codes} AS code
  WHERE code.discount_id = discounts.id)`;
const usesOfDiscount = sql<number>`(SELECT count(*) FROM ${discountUses} AS used
  WHERE used.discount_id = discounts.id AND used.counted = ${literal(true)})`;

export interface DiscountFilters {
  readonly id?: Id<"discount"> | undefined;
  readonly statuses?: readonly DiscountStatus[] | undefined;
  readonly automatic?: boolean | undefined;
  /** Folded. */
  readonly code?: string | undefined;
}

/** Discounts as they are at the instant, newest first. */
const discountsNow = preparedByFilters<{
  now: number;
  rows: number;
  id?: string | undefined;
  statuses?: readonly string[] | undefined;
  automatic?: true | undefined;
  notAutomatic?: true | undefined;
  code?: string | undefined;
  after?: string | undefined;
}>()((db, given) => {
  const ofCode = db
    .select({ id: codes.discountId })
    .from(codes)
    .where(eq(codes.code, given.one("code")));
  return db
    .select({
      ...getTableColumns(discounts),
      status: statusAt(given).as("status"),
      uses: usesOfDiscount.mapWith(Number).as("uses"),
      codeCount: codeCount.mapWith(Number).as("code_count"),
      firstCode: firstCode.as("first_code"),
    })
    .from(discounts)
    .where(
      and(
        given.has("id") ? eq(discounts.id, given.one("id")) : undefined,
        given.has("statuses") ? inArray(statusAt(given), given.each("statuses")) : undefined,
        given.has("automatic") ? eq(discounts.isAutomatic, literal(true)) : undefined,
        given.has("notAutomatic") ? eq(discounts.isAutomatic, literal(false)) : undefined,
        given.has("code") ? inArray(discounts.id, ofCode) : undefined,
        given.has("after") ? lt(discounts.id, given.one("after")) : undefined,
      ),
    )
    .orderBy(desc(discounts.id))
    .limit(given.one("rows"));
});

/** Returns the discounts that match every filter, newest first. */
export function listDiscountRows(
  db: Reader,
  { automatic, ...filters }: DiscountFilters,
  page: { readonly now: number; readonly rows: number; readonly after?: string | undefined },
) {
  return discountsNow(db, {
    ...filters,
    automatic: automatic === true ? true : undefined,
    notAutomatic: automatic === false ? true : undefined,
    ...page,
  });
}

/** Those that apply without a code, whenever they do, oldest first. */
export const automaticRows = prepared()((db) =>
  db
    .select()
    .from(discounts)
    .where(and(eq(discounts.isAutomatic, literal(true)), isNull(discounts.archivedAt)))
    .orderBy(asc(discounts.id)),
);

/** Those that apply without a code at the instant, oldest first. */
export const activeAutomaticRows = prepared<{ now: number }>()((db, at) =>
  db
    .select()
    .from(discounts)
    .where(
      and(
        eq(discounts.isAutomatic, literal(true)),
        isNull(discounts.archivedAt),
        eq(statusAt({ one: () => at.now }), "active"),
      ),
    )
    .orderBy(asc(discounts.id)),
);

const rowsOfCodes = preparedByFilters<{ now: number; codes: readonly string[] }>()((db, given) =>
  db
    .select({
      ...getTableColumns(discounts),
      status: statusAt(given).as("status"),
      code: codes.code,
      codeLimit: codes.usageLimit,
      codeUsed: codes.usedCount,
    })
    .from(codes)
    .innerJoin(discounts, eq(discounts.id, codes.discountId))
    .where(inArray(codes.code, given.each("codes"))),
);

/** A code that a discount has, and the discount at the instant. */
export interface DiscountOfCode {
  readonly discount: Discount;
  readonly status: DiscountStatus;
  readonly code: string;
  readonly codeLimit: number | null;
  readonly codeUsed: number;
}

/** Returns the discounts of those of the codes that exist, in no order. */
export async function findDiscountsOfCodes(
  db: Reader,
  given: { readonly now: number; readonly codes: readonly string[] },
): Promise<DiscountOfCode[]> {
  if (given.codes.length === 0) return [];
  const rows = await rowsOfCodes(db, given);
  return rows.map(({ status, code, codeLimit, codeUsed, ...discount }) => {
    return { discount, status, code, codeLimit, codeUsed };
  });
}

const automaticBeside = prepared<{ id: string; now: number }>()((db, at) =>
  db
    .select({ id: discounts.id })
    .from(discounts)
    .where(
      and(
        eq(discounts.isAutomatic, literal(true)),
        isNull(discounts.archivedAt),
        or(isNull(discounts.endsAt), gt(discounts.endsAt, at.now)),
        ne(discounts.id, at.id),
      ),
    ),
);

/** Counts the automatic discounts but this one that are neither archived nor ended; scheduled ones count. */
export async function countAutomatic(
  db: Reader,
  but: { readonly id: string; readonly now: number },
): Promise<number> {
  return (await automaticBeside(db, but)).length;
}

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
