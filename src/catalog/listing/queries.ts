// The SQL that lists products: newest first, or in an order that the caller chose.

import { and, desc, eq, gte, inArray, lt, lte, ne, sql, type SQLWrapper } from "drizzle-orm";

import type { ProductStatus } from "#catalog/products/product-values.ts";
import { productPrices, products, productTags, variants } from "#catalog/products/tables.ts";
import type { CurrencyCode } from "#kernel/currency.ts";
import type { Id } from "#kernel/id.ts";
import type { Builder, Reader } from "#platform/database/database.ts";
import { isTrue } from "#platform/database/kit.ts";
import { rememberedAnswer } from "#platform/database/memory/remembered.ts";
import { type GivenFilters, preparedByFilters } from "#platform/database/prepared.ts";
import { matchingSubjects } from "#platform/database/search/search.ts";

/** The filters of a list. `terms` is the result of `searchTerms`. */
export interface ProductRowFilters {
  readonly ids?: readonly string[] | undefined;
  readonly status?: ProductStatus | undefined;
  /** Two of three statuses as "all but one": the statement then reads in the order of ids without sorting. */
  readonly statusNot?: ProductStatus | undefined;
  readonly slug?: string | undefined;
  readonly category?: string | undefined;
  readonly brand?: string | undefined;
  readonly tag?: string | undefined;
  readonly sku?: string | undefined;
  readonly terms?: string | undefined;
  /** The lowest id, inclusive, and the highest, exclusive. */
  readonly from?: string | undefined;
  readonly before?: string | undefined;
  readonly rows: number;
}

/** What a list has besides, that is sorted or bounded by prices, by names or by what is in stock. */
export interface SortedRowFilters extends ProductRowFilters {
  /** By ids where neither is given. */
  readonly byPrice?: true | undefined;
  readonly byName?: true | undefined;
  /** Exactly one of the two is given. */
  readonly ascending?: true | undefined;
  readonly descending?: true | undefined;
  /** Where the page before ended. */
  readonly afterValue?: string | number | undefined;
  readonly afterId?: string | undefined;
  /** Of the prices; products without a price in it are left out. */
  readonly currency?: CurrencyCode | undefined;
  readonly priceLeast?: number | undefined;
  readonly priceMost?: number | undefined;
  readonly inStock?: true | undefined;
  readonly soldOut?: true | undefined;
}

/** One product of a sorted list, with the value that it is sorted by. */
export interface ListedProduct {
  readonly id: Id<"product">;
  readonly value: string | number;
}

type Selecting = Pick<Builder, "select" | "selectDistinct">;

const productIds = preparedByFilters<ProductRowFilters>()((db, given) =>
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

const rememberedIds = rememberedAnswer([products, productTags, variants], productIds);

/** The ids of the products that match, newest first. What is searched for is asked too seldom to be remembered. */
export function listProductIds(db: Reader, filters: ProductRowFilters) {
  return filters.terms === undefined ? rememberedIds(db, filters) : productIds(db, filters);
}

/** All conditions but those on the status and on where the list ends. */
function matching(db: Selecting, given: GivenFilters<ProductRowFilters>) {
  const equal = (name: "brand" | "category" | "slug") =>
    given.has(name) ? eq(products[name], given.one(name)) : undefined;
  const ofTag = db
    .select({ id: productTags.productId })
    .from(productTags)
    .where(eq(productTags.tag, given.one("tag")));
  const ofSku = db
    .select({ id: variants.productId })
    .from(variants)
    .where(eq(variants.sku, given.one("sku")));
  return and(
    given.has("ids") ? inArray(products.id, given.each("ids")) : undefined,
    given.has("statusNot") ? ne(products.status, given.one("statusNot")) : undefined,
    equal("slug"),
    equal("category"),
    equal("brand"),
    given.has("tag") ? inArray(products.id, ofTag) : undefined,
    given.has("sku") ? inArray(products.id, ofSku) : undefined,
    given.has("terms") ? inArray(products.id, matchingSubjects(db, given.one("terms"))) : undefined,
    given.has("from") ? gte(products.id, given.one("from")) : undefined,
  );
}

/** Filters that few products pass: these are found first and then sorted. Otherwise an index is walked in its order. */
const NARROW = ["ids", "slug", "category", "brand", "tag", "sku", "terms", "soldOut"] as const;

/** Whether a unit can be ordered now of one of the variants: `inStock` of a variant, as SQL. */
const hasStock = sql`EXISTS (SELECT 1 FROM inventory_levels WHERE inventory_levels.product_id = ${products.id}
  AND archived_at IS NULL AND (NOT (${isTrue("tracked")}) OR backorder = 'allow' OR on_hand > reserved))`;

type SortedFilters = GivenFilters<SortedRowFilters>;

const sortedIds = preparedByFilters<SortedRowFilters>()((db, given) => {
  const source = sourceOf(given);
  const value = sortedBy(given);
  const order = given.has("descending") ? sql`DESC` : sql`ASC`;
  return db
    .select({
      id: sql<Id<"product">>`${products.id}`,
      value: sql<string | number>`${value}`.mapWith(given.has("byPrice") ? Number : String),
    })
    .from(source.tables)
    .where(
      and(
        matching(db, given),
        onOffer(given),
        given.has("currency") ? pricesWithin(given) : undefined,
        given.has("before") ? lt(products.id, given.one("before")) : undefined,
        given.has("afterId") ? isAfter(given, { id: source.id, value }) : undefined,
      ),
    )
    .orderBy(sql`${value} ${order}`, sql`${source.id} ${order}`)
    .limit(given.one("rows"));
});

/** SQLite reads what is written first in the outer loop; PostgreSQL decides by its statistics. */
function sourceOf(given: SortedFilters) {
  const isNarrow = NARROW.some((name) => given.has(name));
  if (given.has("byPrice") && !isNarrow) {
    return { tables: sql`${productPrices} CROSS JOIN ${products}`, id: productPrices.productId };
  }
  const tables = given.has("currency")
    ? sql`${products} CROSS JOIN ${productPrices}`
    : sql`${products}`;
  return { tables, id: products.id };
}

function sortedBy(given: SortedFilters) {
  if (given.has("byPrice")) return productPrices.amountMinor;
  if (!given.has("byName")) return products.id;
  // As an expression where few products are found first: their index would be walked to its end.
  return given.has("soldOut") ? sql`${products.nameKey} || ''` : products.nameKey;
}

/** The conditions on status and stock. An index by status would have all its products read and sorted. */
function onOffer(given: SortedFilters) {
  return and(
    given.has("status") ? sql`${products.status} || '' = ${given.one("status")}` : undefined,
    given.has("inStock") ? hasStock : undefined,
    given.has("soldOut") ? sql`NOT ${hasStock}` : undefined,
  );
}

function pricesWithin(given: SortedFilters) {
  const { amountMinor } = productPrices;
  return and(
    eq(productPrices.productId, products.id),
    eq(productPrices.currency, given.one("currency")),
    given.has("priceLeast") ? gte(amountMinor, given.one("priceLeast")) : undefined,
    given.has("priceMost") ? lte(amountMinor, given.one("priceMost")) : undefined,
  );
}

/** In the form that an index of both columns answers. */
function isAfter(
  given: SortedFilters,
  { id, value }: { readonly id: SQLWrapper; readonly value: SQLWrapper },
) {
  const beyond = given.has("descending") ? sql`<` : sql`>`;
  return sql`(${value}, ${id}) ${beyond} (${given.one("afterValue")}, ${given.one("afterId")})`;
}

const rememberedSorted = rememberedAnswer(
  [products, productTags, variants, productPrices],
  sortedIds,
);

/** The ids of the products that match in the order asked for. What is in stock changes with every sale. */
export function listSortedProducts(
  db: Reader,
  filters: SortedRowFilters,
): Promise<readonly ListedProduct[]> {
  const { terms, inStock, soldOut } = filters;
  const isFleeting = (terms ?? inStock ?? soldOut) !== undefined;
  return isFleeting ? sortedIds(db, filters) : rememberedSorted(db, filters);
}
