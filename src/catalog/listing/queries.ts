// The SQL that lists products, newest first.

import { and, desc, eq, gte, inArray, lt, ne } from "drizzle-orm";

import type { ProductStatus } from "#catalog/rows/column-types.ts";
import { collectionProducts, products, productTags, variants } from "#catalog/rows/tables.ts";
import type { Builder } from "#platform/database/database.ts";
import { type GivenFilters, preparedByFilters } from "#platform/database/prepared.ts";
import { rememberedAnswer } from "#platform/database/remembered.ts";

import type { OptionFilter } from "./options.ts";

/** The filters of a list. `terms` is the result of `searchTerms`. */
export interface ProductRowFilters extends OptionFilter {
  readonly ids?: readonly string[] | undefined;
  readonly status?: ProductStatus | undefined;
  /** Two of three statuses as "all but one": the statement then reads in the order of ids without sorting. */
  readonly statusNot?: ProductStatus | undefined;
  readonly slug?: string | undefined;
  /** Any of these, as with brands and tags. */
  readonly category?: readonly string[] | undefined;
  readonly brand?: readonly string[] | undefined;
  readonly tag?: readonly string[] | undefined;
  /** The tags of a collection's rule: a product has at least one of them, and one of those that are asked for. */
  readonly tags?: readonly string[] | undefined;
  /** One whose products are picked by hand. */
  readonly collection?: string | undefined;
  /** Any of these. */
  readonly skus?: readonly string[] | undefined;
  readonly terms?: string | undefined;
  /** The lowest id, inclusive, and the highest, exclusive. */
  readonly from?: string | undefined;
  readonly before?: string | undefined;
  readonly rows: number;
}

/** A list that is searched, or filtered by options, has an order of its own: `sorted-queries.ts`. */
type ListedRowFilters = Omit<ProductRowFilters, "terms" | keyof OptionFilter>;

type Selecting = Pick<Builder, "select" | "selectDistinct">;

const productIds = preparedByFilters<ListedRowFilters>()((db, given) =>
  db
    .select({ id: products.id })
    .from(products)
    .where(
      and(
        given.has("status") ? eq(products.status, given.one("status")) : undefined,
        matching(db, given),
        given.has("before") ? lt(products.id, given.one("before")) : undefined,
      ),
    )
    .orderBy(desc(products.id))
    .limit(given.one("rows")),
);

/** Lists that are remembered in each way. A page may have some 15 KB, and a stranger can ask for any page. */
export const LISTS_MAX = 1_000;

/** The ids of the products that match, newest first. */
export const listProductIds = rememberedAnswer(
  [products, productTags, variants, collectionProducts],
  productIds,
  { most: LISTS_MAX },
);

/** All conditions but those on the status and on where the list ends. */
function matching(db: Selecting, given: GivenFilters<ListedRowFilters>) {
  const anyOf = (name: "brand" | "category") =>
    given.has(name) ? inArray(products[name], given.each(name)) : undefined;
  const withTag = (name: "tag" | "tags") => {
    const tagged = db
      .select({ id: productTags.productId })
      .from(productTags)
      .where(inArray(productTags.tag, given.each(name)));
    return given.has(name) ? inArray(products.id, tagged) : undefined;
  };
  const ofCollection = db
    .select({ id: collectionProducts.productId })
    .from(collectionProducts)
    .where(eq(collectionProducts.collectionId, given.one("collection")));
  const ofSku = db
    .select({ id: variants.productId })
    .from(variants)
    .where(inArray(variants.sku, given.each("skus")));
  return and(
    given.has("ids") ? inArray(products.id, given.each("ids")) : undefined,
    given.has("statusNot") ? ne(products.status, given.one("statusNot")) : undefined,
    given.has("slug") ? eq(products.slug, given.one("slug")) : undefined,
    anyOf("category"),
    anyOf("brand"),
    withTag("tag"),
    withTag("tags"),
    given.has("collection") ? inArray(products.id, ofCollection) : undefined,
    given.has("skus") ? inArray(products.id, ofSku) : undefined,
    given.has("from") ? gte(products.id, given.one("from")) : undefined,
  );
}
