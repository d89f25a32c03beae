// The route of what products have in common.

import { productFilterSchema, readSortedFilters } from "#catalog/products/query-schema.ts";
import { readRoute, type Route } from "#platform/http/contract/route.ts";
import { getStore } from "#shop/store/get-store.ts";

import { findFacets } from "./lookups.ts";
import { facetsWire } from "./schema.ts";

export const facetRoutes: readonly Route[] = [
  readRoute({
    method: "GET",
    path: "/v2/products/facets",
    operationId: "retrieveProductFacets",
    tag: "Products",
    summary: "Retrieve the counts of products by category, brand, tag, option and price",
    description:
      "Takes the filters of the list. A group is counted by all filters but its own: with `category`, the other categories keep the counts that they would have. A key with `catalog:read` counts only active products.",
    scopes: ["products:read", "catalog:read"],
    query: productFilterSchema,
    response: facetsWire,
    handler: async (db, { query, caller }) => {
      const page = { limit: 1, after: null };
      return findFacets(
        db,
        readSortedFilters({ query, page, caller }, (await getStore(db)).currency),
      );
    },
  }),
];
