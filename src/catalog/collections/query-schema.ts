// The filters of the lists of collections, and of the products of one, on the wire.

import Type, { type Static } from "typebox";

import { isSorted } from "#catalog/listing/query-schema.ts";
import type { ProductFilters } from "#catalog/products/lookups.ts";
import {
  type ListOfProducts,
  productParameters,
  readProductFilters,
  readSortedFilters,
} from "#catalog/products/query-schema.ts";
import { NAME_LENGTH_MAX } from "#catalog/products/schema.ts";
import { type Collection, memberFilters, seesPublishedOnly } from "#catalog/rows/collection.ts";
import type { MemberOrder } from "#catalog/rows/column-types.ts";
import { defined } from "#kernel/change.ts";
import type { CurrencyCode } from "#kernel/currency.ts";
import type { PageRequest } from "#kernel/page.ts";
import { publicFields } from "#platform/http/audience/audience.ts";
import type { Caller } from "#platform/http/contract/caller.ts";
import { queryInvalid } from "#platform/http/contract/refusals.ts";
import { about, idOf, line, object, optional } from "#platform/http/contract/words.ts";

import type { CollectionFilters } from "./lookups.ts";
import { memberOrder } from "./schema.ts";

export const collectionQuerySchema = object({
  ...publicFields({
    slug: optional(
      line(NAME_LENGTH_MAX, {
        description:
          "The collection that has this slug in its address, or else the one that had it before; its own `slug` is the current one.",
      }),
    ),
    parent_id: optional(idOf("collection")),
    product_id: optional(idOf("product")),
    published: optional(Type.Boolean()),
  }),
});

interface ListOfCollections {
  readonly query: Static<typeof collectionQuerySchema>;
  readonly page: PageRequest;
  readonly caller: Caller;
}

/** Reads what is asked of a list, limited to what the caller may see. */
export function readCollectionFilters({
  query,
  page,
  caller,
}: ListOfCollections): CollectionFilters {
  const isStranger = seesPublishedOnly(caller.scopes);
  const isPublished = isStranger ? true : query.published;
  return {
    slug: query.slug,
    parentId: query.parent_id,
    productId: query.product_id,
    isPublished,
    seesPublishedOnly: isStranger,
    before: page.after ?? undefined,
    limit: page.limit,
  };
}

export const memberQuerySchema = object(
  publicFields({
    ...productParameters,
    sort: optional(
      about(
        memberOrder,
        "The `sort` of the collection by default. By `position`, products that were picked by hand have the order of the merchant.",
      ),
    ),
  }),
);

/** Reads what is asked of the products of a collection; its rule is one more filter of the list of products. */
export function readMemberFilters(
  asked: ListOfProducts,
  collection: Collection,
  storeCurrency: CurrencyCode,
): ProductFilters {
  const sort = orderOf(asked, collection);
  const list = { ...asked, query: { ...asked.query, sort } };
  const filters = isSorted(list.query)
    ? readSortedFilters(list, storeCurrency)
    : readProductFilters(list);
  return withinCollection(filters, collection);
}

function orderOf({ query }: ListOfProducts, { sort: usual, rule }: Collection): MemberOrder {
  const { sort = usual } = query;
  if (sort !== "position" || rule === null) return sort;
  const detail = "Only products that are picked by hand have places.";
  throw queryInvalid({ faults: [{ parameter: "sort", code: "invalid_choice", detail }] });
}

/** The filters of both the caller and the collection, of which a product passes either. */
function withinCollection(asked: ProductFilters, collection: Collection): ProductFilters {
  const own = memberFilters(collection);
  const both = { ...asked, ...defined(own) };
  const isWithin = (["category", "brand"] as const).every((name) => {
    const [only] = own[name] ?? [];
    return only === undefined || (asked[name]?.includes(only) ?? true);
  });
  return isWithin ? both : { ...both, statuses: [] };
}
