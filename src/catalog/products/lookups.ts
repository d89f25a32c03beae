// Reads of products for other folders and routes.

import { type Availability, findAvailability } from "#catalog/inventory/lookups.ts";
import { requireIndexed } from "#catalog/listing/index-products.ts";
import type { ListedProduct } from "#catalog/listing/match-queries.ts";
import { listProductIds, type ProductRowFilters } from "#catalog/listing/queries.ts";
import { productOfFormerSlug } from "#catalog/listing/row-queries.ts";
import { listSortedProducts, type SortedProducts } from "#catalog/listing/sorted-queries.ts";
import { newestFirst, placeAfter, type Sorting } from "#catalog/listing/sorting.ts";
import { type Price, type ProductStatus, productStatuses } from "#catalog/rows/column-types.ts";
import { onlyProduct, type Product, productNotFound } from "#catalog/rows/product.ts";
import type { ProductRow } from "#catalog/rows/tables.ts";
import { saleName, type ShownVariant, skuTaken, type Variant } from "#catalog/rows/variant.ts";
import type { Change } from "#kernel/change.ts";
import type { Id } from "#kernel/id.ts";
import { type Page, type PageRequest, toPage } from "#kernel/page.ts";
import type { Faults, Refusal } from "#kernel/refusal.ts";
import { identifier } from "#kernel/text.ts";
import type { Reader, Tx } from "#platform/database/database.ts";
import { bothTerms } from "#platform/database/search.ts";
import { termsFor } from "#platform/database/search/rebuild.ts";

import {
  anyShipped,
  findDescribed,
  findExisting,
  findSkuOwner,
  findVariantsForSale,
  productRows,
} from "./queries.ts";

export interface ProductFilters extends Omit<
  ProductRowFilters,
  "rows" | "terms" | "status" | "statusNot"
> {
  /** Any of these statuses; an empty list matches no product. */
  readonly statuses?: readonly ProductStatus[] | undefined;
  /** Words that must all occur. */
  readonly q?: string | undefined;
  /** True if each of them may also be its singular. */
  readonly orSingular?: boolean | undefined;
  /** Further words that must all occur, as they are. */
  readonly ruleWords?: string | undefined;
  /** An order other than newest first, and bounds on prices and stock. */
  readonly sorting?: Sorting | undefined;
  /** Products on the page; the default is one. */
  readonly limit?: number;
}

/**
 * Returns a page of the products that match, newest first unless they are sorted otherwise. Refuses a filter by options
 * with `still_indexing`.
 */
export async function findProducts(db: Reader, filters: ProductFilters): Promise<Page<Product>> {
  const { statuses, sorting, limit = 1 } = filters;
  if (filters.option1 !== undefined) await requireIndexed(db);
  if (statuses?.length === 0) return { rows: [], hasMore: false };
  const { found, stop } = await findListed(db, await rowFiltersOf(db, filters), sorting);
  const page = toPage(found, limit);
  const rows = await findWhole(
    db,
    page.rows.map(({ id }) => id),
  );
  // One may have been changed since its id was read.
  const isAsked = ({ status }: Product) => statuses?.includes(status) ?? true;
  const last = page.hasMore || stop === undefined ? page.rows.at(-1) : stop;
  const hasMore = page.hasMore || stop !== undefined;
  return { rows: rows.filter(isAsked), hasMore, end: endOf(last) };
}

/** Returns true if the shop has goods that are sent to customers. */
export async function hasShippedGoods(db: Reader): Promise<boolean> {
  return (await anyShipped(db, { requiresShipping: true })).length > 0;
}

/** The same filters for a statement. Some status must be asked for. */
export async function rowFiltersOf(
  db: Reader,
  { q, orSingular = false, ruleWords, ...filters }: ProductFilters,
): Promise<ProductRowFilters> {
  const { statuses, sorting: _, limit = 1, ...rest } = filters;
  const asked = q === undefined ? undefined : await termsFor(db, "products", { q, orSingular });
  const ofRule =
    ruleWords === undefined ? undefined : await termsFor(db, "products", { q: ruleWords });
  const terms =
    asked === undefined || ofRule === undefined ? (asked ?? ofRule) : bothTerms(ofRule, asked);
  return { ...rest, ...withStatus(statuses), terms, rows: limit + 1 };
}

async function findListed(
  db: Reader,
  asked: ProductRowFilters,
  sorting: Sorting | undefined,
): Promise<Listing> {
  if (sorting === undefined && !isWalked(asked)) {
    return { found: await listProductIds(db, asked), stop: undefined };
  }
  return listSortedProducts(db, { ...asked, ...(sorting ?? newestFirst) });
}

/** Returns true if no index has the products in the order of the list: one of several values would be read whole. */
function isWalked({ terms, option1, ...asked }: ProductRowFilters): boolean {
  const choices = [asked.category, asked.brand, asked.tag];
  return (terms ?? option1) !== undefined || choices.some((values = []) => values.length > 1);
}

type Listing =
  | SortedProducts
  | { readonly found: readonly Pick<ListedProduct, "id">[]; readonly stop: undefined };

/** The end of a sorted page: the product may have another value by the time that it is told. */
function endOf(last: ListedProduct | Pick<ListedProduct, "id"> | undefined) {
  return last !== undefined && "value" in last ? placeAfter(last) : undefined;
}

/** The same, where a slug may be one that the product had before. A product that has it now comes first. */
export async function findByAnySlug(db: Reader, filters: ProductFilters): Promise<Page<Product>> {
  const { slug, ids, ...others } = filters;
  const page = await findProducts(db, filters);
  if (page.rows.length > 0 || slug === undefined) return page;
  const [former] = await productOfFormerSlug(db, { slug });
  if (former === undefined || ids?.includes(former.id) === false) return page;
  return findProducts(db, { ...others, ids: [former.id] });
}

function withStatus(
  statuses: readonly ProductStatus[] = productStatuses,
): Pick<ProductRowFilters, "status" | "statusNot"> {
  const [status, second] = productStatuses.filter((one) => statuses.includes(one));
  if (second === undefined) return { status };
  return { statusNot: productStatuses.find((one) => !statuses.includes(one)) };
}

/** Products that one search for orders follows. A search for one product has words that fewer than this share. */
const MATCHES_MAX = 50;

/** Returns the ids of the newest products, at most 50 and of any status, that have all words. */
export async function findProductsMatching(db: Reader, query: string): Promise<Id<"product">[]> {
  const terms = await termsFor(db, "products", { q: query });
  const asked = { ...newestFirst, terms, rows: MATCHES_MAX };
  return (await listSortedProducts(db, asked)).found.map(({ id }) => id);
}

type Described = Omit<Product, "variants"> & {
  readonly variants: readonly Omit<Variant, keyof Availability>[];
};

/** As each was told last: it is the same object as long as nothing of it changes. */
const told = new WeakMap<Described, Product>();

/** The products that there are of these, in this order. */
async function findWhole(db: Reader, ids: readonly Id<"product">[]): Promise<Product[]> {
  const known: ReadonlyMap<string, Described> = await findDescribed(db, ids);
  const described = ids.flatMap((id) => known.get(id) ?? []);
  const availability = await findAvailability(
    db,
    described.flatMap(({ variants }) => variants.map(({ id }) => id)),
  );
  return described.map((product) => {
    const last = told.get(product);
    if (last?.variants.every((variant) => isAvailable(variant, availability)) === true) return last;
    const variants = product.variants.map((variant) => ({
      ...variant,
      ...(availability.get(variant.id) ?? untracked),
    }));
    const whole = { ...product, variants };
    told.set(product, whole);
    return whole;
  });
}

const untracked: Availability = { available: null, inStock: true };

function isAvailable(
  { id, available, inStock }: Variant,
  availability: ReadonlyMap<string, Availability>,
): boolean {
  const now = availability.get(id) ?? untracked;
  return now.available === available && now.inStock === inStock;
}

export interface SellableVariant {
  readonly variantId: Id<"variant">;
  readonly productId: Id<"product">;
  readonly sku: string | null;
  /** The product's name, followed by the variant's title unless that is the default. */
  readonly name: string;
  /** The tags of the product. */
  readonly tags: readonly string[];
  /** True if the variant is not archived and its product is active. */
  readonly isForSale: boolean;
  readonly prices: readonly Price[];
  readonly taxClass: string;
  /** The weight of one unit; null if the merchant gave none. */
  readonly weightGrams: number | null;
  readonly requiresShipping: boolean;
  readonly wasSold: boolean;
  readonly shown: ShownVariant;
}

/** Returns the variants that exist among these ids, for sale or not. */
export async function findSellableVariants(
  db: Reader,
  ids: readonly Id<"variant">[],
): Promise<ReadonlyMap<Id<"variant">, SellableVariant>> {
  const found = new Map<Id<"variant">, SellableVariant>();
  if (ids.length === 0) return found;
  for (const row of (await findVariantsForSale(db, ids)).values()) {
    found.set(row.variantId, {
      variantId: row.variantId,
      productId: row.productId,
      sku: row.sku,
      name: saleName(row.productName, row.title),
      tags: row.tags,
      isForSale: row.status === "active" && row.archivedAt === null,
      prices: row.prices,
      taxClass: row.taxClass,
      weightGrams: row.weightGrams,
      requiresShipping: row.requiresShipping,
      wasSold: row.firstSoldAt !== null,
      shown: row.shown,
    });
  }
  return found;
}

/** Returns the ids of the products that exist among these. */
export function findKnownProducts(
  db: Reader,
  ids: readonly Id<"product">[],
): Promise<ReadonlySet<Id<"product">>> {
  return findExisting(db, ids);
}

/** Adds a fault for each related product that does not exist, or is the product itself. */
export async function checkRelated(
  db: Reader,
  {
    id: own,
    relatedProductIds: ids = [],
  }: Partial<Pick<ProductRow, "id">> & Change<Pick<ProductRow, "relatedProductIds">>,
  faults: Faults,
): Promise<void> {
  const known = await findKnownProducts(db, ids);
  for (const [index, id] of ids.entries()) {
    const at = `/related_product_ids/${index}`;
    if (id === own) faults.add(at, "related_to_itself", "A product is not related to itself.");
    else if (!known.has(id)) faults.add(at, "unknown_product", "There is no such product.");
  }
}

interface RelatedSearch {
  readonly id: Id<"product">;
  /** The statuses of the product, and of those that are related. */
  readonly statuses: readonly ProductStatus[] | undefined;
  readonly page: PageRequest;
}

/** The products that are related to one, in its order. Refuses with `product_not_found`. */
export async function findRelated(
  db: Reader,
  { id, statuses, page: { after, limit } }: RelatedSearch,
): Promise<Page<Product>> {
  const product = onlyProduct(await findProducts(db, { ids: [id], statuses }));
  const ids = product.relatedProductIds;
  if (ids.length === 0) return { rows: [], hasMore: false };
  const { rows } = await findProducts(db, { ids, statuses, limit: ids.length });
  const byId = new Map(rows.map((one) => [one.id, one]));
  const seen = ids.flatMap((one) => byId.get(one) ?? []);
  // Among those that are seen: a cursor at another one would tell that it is related.
  return toPage(seen.slice(seen.findIndex((one) => one.id === after) + 1), limit);
}

/** Locks the product and returns it with its variants. Refuses with `product_not_found`. */
export async function lockProduct(tx: Tx, id: Id<"product">): Promise<Product> {
  const row = await productRows.lock(tx, id);
  const [product] = await findWhole(tx, [id]);
  if (product === undefined) throw productNotFound();
  const { variants, mediaUrl, relatedProductIds } = product;
  return { ...row, relatedProductIds, variants, mediaUrl };
}

/**
 * Refuses with `sku_taken` a SKU that a variant has as it was sent. One in its form is left to the unique key, which decides
 * as it writes.
 */
export async function requireFreeSku(tx: Tx, sent: string | null): Promise<void> {
  if (sent === null || sent === identifier(sent)) return;
  if ((await findSkuOwner(tx, sent)) !== undefined) throw await takenSku(tx, sent);
}

/** The refusal of a SKU that another variant has. */
export async function takenSku(tx: Tx, sku: string | null): Promise<Refusal> {
  const owner = sku === null ? undefined : await findSkuOwner(tx, sku);
  return skuTaken({ members: { sku, existing_id: owner ?? null } });
}

/** The rows, each with the name that its variant has in carts and orders; null once that was deleted. */
export async function nameVariants<Row extends { readonly variantId: Id<"variant"> }>(
  db: Reader,
  rows: readonly Row[],
): Promise<(Row & { readonly name: string | null })[]> {
  const variants = await findSellableVariants(
    db,
    rows.map(({ variantId }) => variantId),
  );
  return rows.map((row) => ({ ...row, name: variants.get(row.variantId)?.name ?? null }));
}
