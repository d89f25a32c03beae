// The SQL that lists products in an order that the caller chose, or by what is searched for or in stock.

import { productPrices, products, productTags, variants } from "#catalog/products/tables.ts";
import type { Reader } from "#platform/database/database.ts";
import { rememberedAnswer } from "#platform/database/memory/remembered.ts";

import type { SortedRowFilters } from "./conditions.ts";
import {
  inOrder,
  type ListedProduct,
  type Looked,
  readingMatches,
  selected,
} from "./match-queries.ts";

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

const rememberedSorted = rememberedAnswer(
  [products, productTags, variants, productPrices],
  findSorted,
);

/** The products that match in the order asked for. What is in stock changes with every sale. */
export function listSortedProducts(db: Reader, filters: SortedRowFilters): Promise<SortedProducts> {
  const { terms, inStock, soldOut } = filters;
  const isFleeting = (terms ?? inStock ?? soldOut) !== undefined;
  return isFleeting ? findSorted(db, filters) : rememberedSorted(db, filters);
}
