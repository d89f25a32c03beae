// The routes of what products have in common.

import type { Static } from "typebox";

import { getVisible } from "#catalog/collections/lookups.ts";
import { findFacets } from "#catalog/facets/lookups.ts";
import { type CorrectedFacets, facetsWire } from "#catalog/facets/schema.ts";
import { stillIndexing } from "#catalog/listing/index-products.ts";
import { findSearched } from "#catalog/products/find-searched.ts";
import { productFilterSchema, readSortedFilters } from "#catalog/products/query-schema.ts";
import { collectionNotFound, type MemberFilters, memberFilters } from "#catalog/rows/collection.ts";
import { MINUTE_MS } from "#kernel/time.ts";
import type { Reader } from "#platform/database/database.ts";
import type { Budget } from "#platform/http/contract/budget-terms.ts";
import type { Caller } from "#platform/http/contract/caller.ts";
import { pathId } from "#platform/http/contract/path.ts";
import { rateLimited } from "#platform/http/contract/refusals.ts";
import { readRoute, type Route } from "#platform/http/contract/route.ts";
import { getStore } from "#shop/store/lookups.ts";

import { shownTables } from "./shown-queries.ts";

/**
 * An answer that is not remembered takes up to 60 ms in a large shop, and any bound on prices makes another question. A
 * page asks for it once beside several lists, so the limit of all reads is met first.
 */
const budgets: readonly Budget[] = [
  {
    name: "facets",
    unit: "narrow",
    limit: 120,
    perMs: MINUTE_MS,
    abuse: "requests",
    refusal: rateLimited,
  },
];

interface Asked {
  readonly query: Static<typeof productFilterSchema>;
  readonly caller: Caller;
}

/** The facets of a collection if its filters are given, of words that are corrected as those of a list are. */
async function findAsked(
  db: Reader,
  asked: Asked,
  collection?: MemberFilters,
): Promise<CorrectedFacets> {
  const page = { limit: 1, after: null };
  const { currency } = await getStore(db);
  const list = { ...asked, page };
  const { found, correctedQ } = await findSearched(db, list, {
    find: (searched) => findFacets(db, readSortedFilters(searched, currency), collection),
    count: ({ total }) => total,
  });
  return { ...found, correctedQ };
}

export const facetRoutes: readonly Route[] = [
  readRoute({
    method: "GET",
    path: "/v2/products/facets",
    operationId: "retrieveProductFacets",
    tag: "Products",
    summary: "Retrieve the counts of products by category, brand, tag, option and price",
    description:
      "Takes the filters of the list. A group is counted by all filters but its own: with `category`, the other categories keep the counts that they would have. A key with `catalog:read` counts only active products.",
    budgets,
    scopes: ["products:read", "catalog:read"],
    query: productFilterSchema,
    response: facetsWire,
    edge: shownTables,
    refusals: [stillIndexing],
    handler: (db, asked) => findAsked(db, asked),
  }),
  readRoute({
    method: "GET",
    path: "/v2/collections/{id}/facets",
    operationId: "retrieveCollectionFacets",
    tag: "Collections",
    summary: "Retrieve the counts of a collection by category, brand, tag, option and price",
    description:
      "As the counts of all products, and with the same filters, within the collection. What its rule names is no choice: with a rule for a category, no other category is counted.",
    budgets,
    scopes: ["products:read", "catalog:read"],
    params: { id: pathId("collection", collectionNotFound) },
    query: productFilterSchema,
    response: facetsWire,
    edge: shownTables,
    refusals: [collectionNotFound, stillIndexing],
    handler: async (db, { params: { id }, ...asked }) => {
      const found = await getVisible(db, id, asked.caller.scopes);
      return findAsked(db, asked, memberFilters(found));
    },
  }),
];
