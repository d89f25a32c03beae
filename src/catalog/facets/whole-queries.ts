// Counts a whole list, part by part, and remembers what stays.

import { collectionProducts } from "#catalog/collections/tables.ts";
import { STOCK_TABLE } from "#catalog/listing/condition-queries.ts";
import type { Looked } from "#catalog/listing/match-queries.ts";
import { productPrices, products, productTags, variants } from "#catalog/products/tables.ts";
import { nextTurn } from "#kernel/time.ts";
import type { Reader } from "#platform/database/database.ts";
import { rememberedAnswer } from "#platform/database/remembered.ts";

import { type FacetCounts, sumRows } from "./facets.ts";
import { countInStock, countRows, type FacetRowFilters } from "./queries.ts";

/** Each part of a list is counted in a turn of its own, of some 10 ms; so a shop of 6,000 products is counted whole. */
const PARTS_MAX = 3;

/** Any price can be asked for, and an answer may have some 30 KB. */
const ANSWERS_MAX = 200;

const tables = [products, productTags, variants, productPrices, collectionProducts];

export interface GroupCounts extends FacetCounts {
  /** True if all products of the list were counted, not its newest alone. */
  readonly complete: boolean;
}

export async function countGroups(db: Reader, filters: FacetRowFilters): Promise<GroupCounts> {
  const { found, complete } = await lookOver(db, filters, countRows);
  return { ...sumRows(found), complete };
}

export async function countAvailable(db: Reader, filters: FacetRowFilters): Promise<number> {
  const { found } = await lookOver(db, filters, countInStock);
  return found.reduce((sum, { count }) => sum + count, 0);
}

type ReadPart<Row> = (db: Reader, filters: FacetRowFilters) => Promise<Looked<readonly Row[]>>;

/** Reads the list part by part, newest first, up to so many parts. */
async function lookOver<Row>(db: Reader, filters: FacetRowFilters, readPart: ReadPart<Row>) {
  const found: Row[] = [];
  let { before } = filters;
  for (let part = 0; part < PARTS_MAX; part += 1) {
    if (part > 0) await nextTurn();
    const looked = await readPart(db, { ...filters, before });
    found.push(...looked.found);
    if (looked.stop === undefined) return { found, complete: true };
    before = looked.stop.id;
  }
  return { found, complete: false };
}

export const rememberedGroups = rememberedAnswer(tables, countGroups, { most: ANSWERS_MAX });
export const rememberedAvailable = rememberedAnswer([...tables, STOCK_TABLE], countAvailable, {
  most: ANSWERS_MAX,
});
