// The filters of the list of products on the wire.

import Type, { type Static } from "typebox";

import { boundParameters, readSorting, sortingParameters } from "#catalog/listing/query-schema.ts";
import type { MemberOrder } from "#catalog/rows/column-types.ts";
import { visibleStatuses } from "#catalog/rows/product.ts";
import type { CurrencyCode } from "#kernel/currency.ts";
import type { PageRequest } from "#kernel/page.ts";
import { publicFields } from "#platform/http/audience/audience.ts";
import type { Caller } from "#platform/http/contract/caller.ts";
import { createdAtFilters, idSpan } from "#platform/http/contract/created-at.ts";
import { identifying, line, object, optional } from "#platform/http/contract/words.ts";

import type { ProductFilters } from "./lookups.ts";
import { NAME_LENGTH_MAX, status, TAG_LENGTH_MAX, WORD_LENGTH_MAX } from "./schema.ts";

/** As many as a page has at most. */
const IDS_MAX = 100;

/** The filters of a list of products, to be spread into its query. */
const productFilters = {
  status: optional(
    Type.Array(status, { maxItems: 20, description: "One or more, separated by commas." }),
  ),
  id: optional(
    Type.Array(line(64), {
      minItems: 1,
      maxItems: IDS_MAX,
      description: "Any of these products, separated by commas.",
    }),
  ),
  slug: optional(
    line(NAME_LENGTH_MAX, {
      description:
        "The product that has this slug in its address, or else the one that had it before; its own `slug` is the current one.",
    }),
  ),
  category: optional(line(WORD_LENGTH_MAX)),
  brand: optional(line(WORD_LENGTH_MAX)),
  tag: optional(line(TAG_LENGTH_MAX)),
  sku: optional(line(WORD_LENGTH_MAX, identifying)),
  q: optional(line(200, { description: "Words or prefixes of words, all of which must match." })),
  ...createdAtFilters,
};

/** The same with an order. */
export const productParameters = { ...productFilters, ...sortingParameters };

export const productQuerySchema = object(publicFields(productParameters));

/** The filters without an order. */
export const productFilterSchema = object(publicFields({ ...productFilters, ...boundParameters }));

export interface ListOfProducts {
  readonly query: Omit<Static<typeof productQuerySchema>, "sort"> & {
    readonly sort?: MemberOrder | undefined;
  };
  readonly page: PageRequest;
  readonly caller: Caller;
}

/** Reads what is asked of a list, limited to the statuses that the caller may see. */
export function readProductFilters({ query, page, caller }: ListOfProducts): ProductFilters {
  const span = idSpan("product", query);
  return {
    statuses: visibleStatuses(caller.scopes, query.status),
    ids: query.id,
    slug: query.slug,
    category: query.category,
    brand: query.brand,
    tag: query.tag,
    sku: query.sku,
    q: query.q,
    from: span.from,
    before: earliest(span.below, page.after),
    limit: page.limit,
  };
}

/** The same of a list in another order, or with bounds; amounts are in the store's currency unless another is named. */
export function readSortedFilters(
  { query, page, caller }: ListOfProducts,
  storeCurrency: CurrencyCode,
): ProductFilters {
  const sorting = readSorting(query, page, storeCurrency);
  // The place of a page by ids alone is one of its filters.
  const filtered = sorting.afterId === undefined ? page : { ...page, after: null };
  return { ...readProductFilters({ query, page: filtered, caller }), sorting };
}

/** The page ends where the requested range or the previous page's cursor ends it first. */
function earliest(below: string | undefined, after: string | null): string | undefined {
  if (below === undefined || after === null) return below ?? after ?? undefined;
  return below < after ? below : after;
}
