// Lookup: what the products of a list have in common.

import type { SortedRowFilters } from "#catalog/listing/condition-queries.ts";
import { isIndexing, requireIndexed } from "#catalog/listing/index-products.ts";
import { chosenOptions, optionFilter } from "#catalog/listing/options.ts";
import { listSortedProducts } from "#catalog/listing/sorted-queries.ts";
import { newestFirst } from "#catalog/listing/sorting.ts";
import { type ProductFilters, rowFiltersOf } from "#catalog/products/lookups.ts";
import type { MemberFilters } from "#catalog/rows/collection.ts";
import type { CurrencyCode } from "#kernel/currency.ts";
import type { Reader } from "#platform/database/database.ts";

import { sumRows } from "./facets.ts";
import {
  countAvailable,
  countGroups,
  type FacetRowFilters,
  type GroupCounts,
  rememberedAvailable,
  rememberedCurrencies,
  rememberedGroups,
} from "./queries.ts";

/** The newest matches of a search that are counted: as many as a page of one is taken from. */
const MATCHES_MAX = 1_000;

export interface Facets extends GroupCounts {
  /** Products that can be ordered now. */
  readonly available: number;
}

/**
 * Counts the products that match by what they have in common, those of a collection alone if its filters are given.
 * Without a status that may be seen there are none. Refuses a filter by options with `still_indexing`.
 */
export async function findFacets(
  db: Reader,
  filters: ProductFilters,
  collection: MemberFilters = {},
): Promise<Facets> {
  if (filters.option1 !== undefined) await requireIndexed(db);
  const facets = await countMatches(db, filters, collection);
  return (await isIndexing(db)) ? { ...facets, complete: false } : facets;
}

async function countMatches(
  db: Reader,
  filters: ProductFilters,
  { ruleWords, ...within }: MemberFilters,
): Promise<Facets> {
  const { statuses, sorting } = filters;
  if (statuses?.length === 0) return { ...sumRows([]), available: 0, complete: true };
  const rows = await rowFiltersOf(db, { ...filters, ruleWords });
  const asked = { ...withChoices({ ...rows, ...(sorting ?? newestFirst) }), ...within };
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
  const { category, brand, tag, ...sorted } = filters;
  const { currency, priceLeast, priceMost, inStock, soldOut, ...others } = sorted;
  return {
    ...others,
    ...optionFilter({}),
    ...chosenOptions(filters),
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

/** Returns the currencies in which active products have prices, in the order of their codes. */
export async function listPriceCurrencies(db: Reader): Promise<readonly CurrencyCode[]> {
  return rememberedCurrencies(db, "");
}
