// Lookup: what the products of a list have in common.

import { inventoryLevels } from "#catalog/inventory/tables.ts";
import type { SortedRowFilters } from "#catalog/listing/conditions.ts";
import type { Looked } from "#catalog/listing/match-queries.ts";
import { listSortedProducts } from "#catalog/listing/sorted-queries.ts";
import { newestFirst } from "#catalog/listing/sorting.ts";
import { type ProductFilters, rowFiltersOf } from "#catalog/products/lookups.ts";
import { productPrices, products, productTags, variants } from "#catalog/products/tables.ts";
import { nextTurn } from "#kernel/time.ts";
import type { Reader } from "#platform/database/database.ts";
import { rememberedAnswer } from "#platform/database/memory/remembered.ts";

import { type FacetCounts, sumRows } from "./facets.ts";
import { countInStock, countRows, type FacetRowFilters } from "./queries.ts";

/** Each part of a list is counted in a turn of its own, of some 10 ms; so a shop of 6,000 products is counted whole. */
const PARTS_MAX = 3;

/** The newest matches of a search that are counted: as many as a page of one is taken from. */
const MATCHES_MAX = 1_000;

/** Any price can be asked for, and an answer may have some 30 KB. */
const ANSWERS_MAX = 200;

export interface Facets extends FacetCounts {
  /** Products that can be ordered now. */
  readonly available: number;
  /** Whether all products of the list were counted, not its newest alone. */
  readonly complete: boolean;
}

const tables = [products, productTags, variants, productPrices];

const rememberedGroups = rememberedAnswer(tables, countGroups, { most: ANSWERS_MAX });
const rememberedAvailable = rememberedAnswer([...tables, inventoryLevels], countAvailable);

/** Counts the products that match by what they have in common. Without a status that may be seen there are none. */
export async function findFacets(db: Reader, filters: ProductFilters): Promise<Facets> {
  const { statuses, sorting } = filters;
  if (statuses?.length === 0) return { ...sumRows([]), available: 0, complete: true };
  const asked = withChoices({ ...rowFiltersOf(filters), ...(sorting ?? newestFirst) });
  if (asked.terms !== undefined) return findSearched(db, asked);
  const isFleeting = (asked.ofInStock ?? asked.ofSoldOut) !== undefined;
  const counts = await (isFleeting ? countGroups : rememberedGroups)(db, asked);
  return { ...counts, available: await rememberedAvailable(db, asked) };
}

/** The words are looked up once. What is searched for is asked too seldom to be remembered. */
async function findSearched(db: Reader, { terms, ...asked }: FacetRowFilters): Promise<Facets> {
  const { found, stop } = await listSortedProducts(db, { ...asked, terms, rows: MATCHES_MAX });
  const matches = { ...asked, ids: found.map(({ id }) => id) };
  const { complete, ...counts } = await countGroups(db, matches);
  const isWhole = complete && stop === undefined && found.length < MATCHES_MAX;
  return { ...counts, available: await countAvailable(db, matches), complete: isWhole };
}

function withChoices(filters: SortedRowFilters): FacetRowFilters {
  const { category, brand, tag, currency, priceLeast, priceMost, inStock, soldOut, ...others } =
    filters;
  return {
    ...others,
    ofCategory: category,
    ofBrand: brand,
    ofTag: tag,
    ofCurrency: currency,
    ofPriceLeast: priceLeast,
    ofPriceMost: priceMost,
    ofInStock: inStock,
    ofSoldOut: soldOut,
  };
}

async function countGroups(db: Reader, filters: FacetRowFilters) {
  const { found, complete } = await lookOver(db, filters, countRows);
  return { ...sumRows(found), complete };
}

async function countAvailable(db: Reader, filters: FacetRowFilters): Promise<number> {
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
