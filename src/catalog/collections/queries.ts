// All SQL of collections and their members.

import { and, desc, eq, getTableColumns, inArray, lt, sql } from "drizzle-orm";

import { collectionNotFound } from "#catalog/rows/collection.ts";
import {
  collectionProducts as members,
  collections,
  collectionSlugs,
} from "#catalog/rows/tables.ts";
import type { Id } from "#kernel/id.ts";
import type { Reader, Tx } from "#platform/database/database.ts";
import { literal } from "#platform/database/dialect.ts";
import {
  hasRow,
  prepared,
  preparedByFilters,
  preparedInsert,
  preparedInsertIfFree,
  preparedWrite,
} from "#platform/database/prepared.ts";
import { rememberedAnswer } from "#platform/database/remembered.ts";
import { versionedStatements } from "#platform/database/statements.ts";

/** Statements of the collection's row. `get` and `lock` refuse with `collection_not_found`. */
export const collectionRows = versionedStatements(collections, collectionNotFound);

/** Returns false, and inserts nothing, if another collection has the slug. */
export const insertCollection = preparedInsertIfFree(collections);

/** The filters of a list. */
export interface CollectionRowFilters {
  readonly ids?: readonly string[] | undefined;
  readonly slug?: string | undefined;
  readonly parentId?: string | undefined;
  readonly published?: true | undefined;
  readonly unpublished?: true | undefined;
  /** The highest id, exclusive. */
  readonly before?: string | undefined;
  readonly rows: number;
}

const filteredRows = preparedByFilters<CollectionRowFilters>()((db, given) =>
  db
    .select(getTableColumns(collections))
    .from(collections)
    .where(
      and(
        given.has("ids") ? inArray(collections.id, given.each("ids")) : undefined,
        given.has("slug") ? eq(collections.slug, given.one("slug")) : undefined,
        given.has("parentId") ? eq(collections.parentId, given.one("parentId")) : undefined,
        given.has("published") ? eq(collections.isPublished, literal(true)) : undefined,
        given.has("unpublished") ? eq(collections.isPublished, literal(false)) : undefined,
        given.has("before") ? lt(collections.id, given.one("before")) : undefined,
      ),
    )
    .orderBy(desc(collections.id))
    .limit(given.one("rows")),
);

/** A page of collections with long descriptions may have 1 MB, and a stranger can ask for any page. */
const ANSWERS_MAX = 50;

/** The collections that match, newest first. */
export const listCollectionRows = rememberedAnswer([collections], filteredRows, {
  most: ANSWERS_MAX,
});

const ownerOfSlug = prepared<{ slug: string }>()((db, at) =>
  db.select({ id: collections.id }).from(collections).where(eq(collections.slug, at.slug)),
);

export async function isSlugTaken(db: Reader, slug: string): Promise<boolean> {
  return hasRow(await ownerOfSlug(db, { slug }));
}

/** Writes the slug. Returns no row, and writes nothing, if another collection has it. */
export const claimSlug = preparedWrite<{ id: string; slug: string }>()((tx, at) =>
  tx
    .update(collections)
    .set({ slug: sql`${at.slug}` })
    .where(
      and(
        eq(collections.id, at.id),
        sql`NOT EXISTS (SELECT 1 FROM ${collections} AS other WHERE other.slug = ${at.slug})`,
      ),
    )
    .returning({ id: collections.id }),
);

/** Remembers that the collection had the slug, in place of another one that had it before. */
export const retireSlug = preparedWrite<{ slug: string; collectionId: string }>()((tx, at) =>
  tx
    .insert(collectionSlugs)
    .values({ slug: sql`${at.slug}`, collectionId: sql`${at.collectionId}` })
    .onConflictDoUpdate({
      target: collectionSlugs.slug,
      set: { collectionId: sql`excluded.collection_id` },
    }),
);

/** The collection that had the slug last. */
export const collectionOfFormerSlug = prepared<{ slug: string }>()((db, at) =>
  db
    .select({ id: collectionSlugs.collectionId })
    .from(collectionSlugs)
    .where(eq(collectionSlugs.slug, at.slug)),
);

/** The products that were picked by hand, in their order. */
export const membersOf = prepared<{ id: string }>()((db, at) =>
  db
    .select({ productId: members.productId, position: members.position })
    .from(members)
    .where(eq(members.collectionId, at.id))
    .orderBy(members.position),
);

/** Which of the products were picked for which of the collections. */
export const membershipsAmong = preparedByFilters<{
  collectionIds?: readonly string[] | undefined;
  productIds: readonly string[];
}>()((db, given) =>
  db
    .select({ collectionId: members.collectionId, productId: members.productId })
    .from(members)
    .where(
      and(
        inArray(members.productId, given.each("productIds")),
        given.has("collectionIds")
          ? inArray(members.collectionId, given.each("collectionIds"))
          : undefined,
      ),
    ),
);

export const addMember = preparedInsert(members);

/** Returns no row if the product is not in the collection. */
export const removeMember = preparedWrite<{ collectionId: string; productId: string }>()((tx, at) =>
  tx
    .delete(members)
    .where(and(eq(members.collectionId, at.collectionId), eq(members.productId, at.productId)))
    .returning({ position: members.position }),
);

const removeMembers = preparedWrite<{ collectionId: string }>()((tx, at) =>
  tx.delete(members).where(eq(members.collectionId, at.collectionId)),
);

/** Puts these products in the place of all that were picked before. */
export async function replaceMembers(
  tx: Tx,
  collectionId: Id<"collection">,
  productIds: readonly Id<"product">[],
): Promise<void> {
  await removeMembers(tx, { collectionId });
  for (const [position, productId] of productIds.entries()) {
    await addMember(tx, { collectionId, position, productId });
  }
}

/** Counts the products that were picked by hand for each collection; a collection without them has no row. */
export const memberCounts = prepared()((db) =>
  db
    .select({ collectionId: members.collectionId, count: sql`count(*)`.mapWith(Number) })
    .from(members)
    .groupBy(members.collectionId),
);
