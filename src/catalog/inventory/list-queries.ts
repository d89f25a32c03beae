// The SQL that lists stock levels.

import { and, desc, gt, inArray, isNull, lt, sql } from "drizzle-orm";

import { inventoryLevels as levels, isLowRow } from "#catalog/rows/tables.ts";
import type { Id } from "#kernel/id.ts";
import type { PageRequest } from "#kernel/page.ts";
import type { Reader } from "#platform/database/database.ts";
import { prepared, preparedByFilters } from "#platform/database/prepared.ts";

import type { InventoryLevel } from "./queries.ts";

export interface LevelFilters {
  readonly low?: boolean | undefined;
  /** Any of these. */
  readonly skus?: readonly string[] | undefined;
  /** Any of these products. */
  readonly productIds?: readonly Id<"product">[] | undefined;
}

/** A product that is archived is not sold any more, so its stock is neither low nor enough. */
const isOfOffered = sql`NOT EXISTS (SELECT 1 FROM products WHERE products.id = product_id AND products.status = 'archived')`;

const listLevels = preparedByFilters<{
  low?: true | undefined;
  notLow?: true | undefined;
  skus?: readonly string[] | undefined;
  productIds?: readonly string[] | undefined;
  after?: string | undefined;
  rows: number;
}>()((db, given) =>
  db
    .select()
    .from(levels)
    .where(
      and(
        isNull(levels.archivedAt),
        given.has("low") ? and(isLowRow, isOfOffered) : undefined,
        given.has("notLow") ? and(sql`NOT (${isLowRow})`, isOfOffered) : undefined,
        given.has("skus") ? inArray(levels.sku, given.each("skus")) : undefined,
        given.has("productIds") ? inArray(levels.productId, given.each("productIds")) : undefined,
        given.has("after") ? lt(levels.variantId, given.one("after")) : undefined,
      ),
    )
    .orderBy(desc(levels.variantId))
    .limit(given.one("rows")),
);

/** Levels in the order of their variants, from after `variantId`. */
export const levelRowsAfter = prepared<{ variantId: string; rows: number }>()((db, at) =>
  db
    .select({
      variantId: levels.variantId,
      onHand: levels.onHand,
      reserved: levels.reserved,
      lastMovementId: levels.lastMovementId,
    })
    .from(levels)
    .where(gt(levels.variantId, at.variantId))
    .orderBy(levels.variantId)
    .limit(at.rows),
);

/** Returns levels of variants that are not deleted, newest first: one row more than the page holds. */
export function listLevelRows(
  db: Reader,
  filters: LevelFilters,
  page: PageRequest,
): Promise<InventoryLevel[]> {
  return listLevels(db, {
    low: filters.low === true ? true : undefined,
    notLow: filters.low === false ? true : undefined,
    skus: filters.skus,
    productIds: filters.productIds,
    after: page.after ?? undefined,
    rows: page.limit + 1,
  });
}
