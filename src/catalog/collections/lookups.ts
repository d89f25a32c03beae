// Reads of collections for other folders and routes.

import { listSortedProducts } from "#catalog/listing/sorted-queries.ts";
import { newestFirst } from "#catalog/listing/sorting.ts";
import { getMediaUrl } from "#catalog/media/lookups.ts";
import { productRows } from "#catalog/products/queries.ts";
import {
  type Collection,
  collectionNotFound,
  COLLECTIONS_MAX,
  fitsBesideWords,
  seesPublishedOnly,
} from "#catalog/rows/collection.ts";
import type { CollectionRule } from "#catalog/rows/column-types.ts";
import type { CollectionRow } from "#catalog/rows/tables.ts";
import type { Id } from "#kernel/id.ts";
import { type Page, toPage } from "#kernel/page.ts";
import type { Reader, Tx } from "#platform/database/database.ts";
import { termsFor } from "#platform/database/search/rebuild.ts";

import {
  collectionOfFormerSlug,
  type CollectionRowFilters,
  collectionRows,
  listCollectionRows,
  membershipsAmong,
} from "./queries.ts";

export interface CollectionFilters extends Omit<
  CollectionRowFilters,
  "rows" | "published" | "unpublished"
> {
  readonly isPublished?: boolean | undefined;
  /** True if the caller sees published collections alone, also as parents. */
  readonly seesPublishedOnly: boolean;
  /** Collections that this product is in. */
  readonly productId?: Id<"product"> | undefined;
  readonly limit: number;
}

/**
 * A page of the collections that match, newest first. A slug may be one that a collection had before; a collection that
 * has it now comes first.
 */
export async function findCollections(
  db: Reader,
  { productId, isPublished, seesPublishedOnly: isStranger, limit, ...filters }: CollectionFilters,
): Promise<Page<Collection>> {
  const ids = productId === undefined ? undefined : await idsOfCollectionsWith(db, productId);
  if (ids?.length === 0) return { rows: [], hasMore: false };
  const asked = { ...filters, ...publishedFilter(isPublished), ids, rows: limit + 1 };
  const found = await listCollectionRows(db, asked);
  const { rows, ...rest } = toPage(found.length > 0 ? found : await byFormerSlug(db, asked), limit);
  const shown = isStranger ? await withPublishedParents(db, rows) : rows;
  const mediaUrl = await getMediaUrl(db);
  return { ...rest, rows: shown.map((row) => ({ ...row, mediaUrl })) };
}

function publishedFilter(
  isPublished: boolean | undefined,
): Pick<CollectionRowFilters, "published" | "unpublished"> {
  if (isPublished === undefined) return {};
  return isPublished ? { published: true } : { unpublished: true };
}

async function byFormerSlug(
  db: Reader,
  { slug, ids, ...others }: CollectionRowFilters,
): Promise<CollectionRow[]> {
  if (slug === undefined) return [];
  const [former] = await collectionOfFormerSlug(db, { slug });
  if (former === undefined || ids?.includes(former.id) === false) return [];
  return listCollectionRows(db, { ...others, ids: [former.id] });
}

/** The collection if a key with these scopes may see it. Refuses with `collection_not_found`. */
export async function getVisible(
  db: Reader,
  id: Id<"collection">,
  scopes: ReadonlySet<string>,
): Promise<Collection> {
  const collection = await collectionRows.get(db, id);
  if (!seesPublishedOnly(scopes)) return withMedia(db, collection);
  if (!collection.isPublished) throw collectionNotFound();
  const [shown = collection] = await withPublishedParents(db, [collection]);
  return withMedia(db, shown);
}

/** The collections, of which those below one that is not published stand below none. */
async function withPublishedParents(
  db: Reader,
  rows: readonly CollectionRow[],
): Promise<CollectionRow[]> {
  const ids = [...new Set(rows.flatMap(({ parentId }) => parentId ?? []))];
  const parents =
    ids.length === 0
      ? []
      : await listCollectionRows(db, { ids, published: true, rows: ids.length });
  const published = new Set(parents.map(({ id }) => id));
  return rows.map((row) =>
    row.parentId === null || published.has(row.parentId) ? row : { ...row, parentId: null },
  );
}

/** Locks the collection. Refuses with `collection_not_found`. */
export async function lockCollection(tx: Tx, id: Id<"collection">): Promise<Collection> {
  return withMedia(tx, await collectionRows.lock(tx, id));
}

/** The collection with what the addresses of its picture begin with. */
export async function withMedia(db: Reader, row: CollectionRow): Promise<Collection> {
  return { ...row, mediaUrl: await getMediaUrl(db) };
}

/** Returns the ids of the collections that exist among these. */
export async function findKnownCollections(
  db: Reader,
  ids: readonly Id<"collection">[],
): Promise<ReadonlySet<Id<"collection">>> {
  if (ids.length === 0) return new Set();
  return new Set((await collectionRows.findAll(db, ids)).map(({ id }) => id));
}

/** The collections of each product that is in any. */
export type Memberships = ReadonlyMap<Id<"product">, readonly Id<"collection">[]>;

interface MembershipSearch {
  readonly collectionIds: readonly Id<"collection">[];
  readonly productIds: readonly Id<"product">[];
}

/**
 * Which of the products are in which of the collections now, published or not. Costs three statements at most, and one
 * for each rule that has words and that one of the products fits otherwise.
 */
export async function findMemberships(
  db: Reader,
  { collectionIds, productIds }: MembershipSearch,
): Promise<Memberships> {
  const found = new Map<Id<"product">, Id<"collection">[]>();
  if (collectionIds.length === 0 || productIds.length === 0) return found;
  const rows = await listCollectionRows(db, { ids: collectionIds, rows: collectionIds.length });
  const put = (productId: Id<"product">, collectionId: Id<"collection">) => {
    found.set(productId, [...(found.get(productId) ?? []), collectionId]);
  };
  const picked = rows.filter(({ rule }) => rule === null).map(({ id }) => id);
  if (picked.length > 0) {
    const members = await membershipsAmong(db, { collectionIds: picked, productIds });
    for (const { productId, collectionId } of members) put(productId, collectionId);
  }
  const ruled = rows.flatMap(({ id, rule }) => (rule === null ? [] : [{ id, rule }]));
  const products = ruled.length === 0 ? [] : await productRows.findAll(db, productIds);
  for (const { id, rule } of ruled) {
    const fitting = products.filter((product) => fitsBesideWords(rule, product));
    for (const productId of await withWords(db, rule, fitting)) put(productId, id);
  }
  return found;
}

/** Those of the products that have the words of the rule. */
async function withWords(
  db: Reader,
  { q }: CollectionRule,
  products: readonly { readonly id: Id<"product"> }[],
): Promise<Id<"product">[]> {
  const ids = products.map(({ id }) => id);
  if (q === null || ids.length === 0) return ids;
  const terms = await termsFor(db, "products", { q });
  const { found } = await listSortedProducts(db, { ...newestFirst, ids, terms, rows: ids.length });
  return found.map(({ id }) => id);
}

async function idsOfCollectionsWith(
  db: Reader,
  productId: Id<"product">,
): Promise<readonly Id<"collection">[]> {
  const all = await listCollectionRows(db, { rows: COLLECTIONS_MAX });
  const collectionIds = all.map(({ id }) => id);
  const found = await findMemberships(db, { collectionIds, productIds: [productId] });
  return found.get(productId) ?? [];
}
