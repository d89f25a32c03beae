// The SQL that lists products in an order that the caller chose, or by what is searched for or in stock.

import {
  collectionProducts,
  productPrices,
  products,
  productTags,
  variantOptions,
  variants,
} from "#catalog/rows/tables.ts";
import type { Reader } from "#platform/database/database.ts";
import { rememberedAnswer } from "#platform/database/remembered.ts";

import { type SortedRowFilters, STOCK_TABLE } from "./condition-queries.ts";
import {
  inOrder,
  type ListedProduct,
  type Looked,
  readingMatches,
  selected,
} from "./match-queries.ts";
import { LISTS_MAX } from "./queries.ts";

/** The products that match, in the order asked for. */
export type SortedProducts = Looked<readonly ListedProduct[]>;

const findSorted = readingMatches<SortedRowFilters>()((db, given, { from, where }) =>
  db
    .select(selected(given))
    .from(from)
    .where(where)
    .orderBy(...inOrder(given))
    .limit(given.one("rows")),
);

const tables = [products, productTags, variants, variantOptions, productPrices, collectionProducts];

const rememberedSorted = rememberedAnswer(tables, findSorted, { most: LISTS_MAX });
/**
 * Each page of a shop in which all is sold out looks at as many products as it may, and no sale changes what it found.
 */
const rememberedByStock = rememberedAnswer([...tables, STOCK_TABLE], findSorted, {
  most: LISTS_MAX,
});

/** The products that match in the order asked for. What is searched for is asked too seldom to be remembered. */
export function listSortedProducts(db: Reader, filters: SortedRowFilters): Promise<SortedProducts> {
  const { terms, inStock, soldOut } = filters;
  if (terms !== undefined) return findSorted(db, filters);
  const find = (inStock ?? soldOut) === undefined ? rememberedSorted : rememberedByStock;
  return find(db, filters);
}
