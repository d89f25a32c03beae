// Stories: create, change and delete a collection. One may stand below another, but not below itself.

import { freeSlug } from "#catalog/listing/free-slug.ts";
import { placeImage } from "#catalog/media/place-images.ts";
import {
  checkRule,
  type Collection,
  type CollectionChange,
  collectionLimitReached,
  COLLECTIONS_MAX,
  collectionSlugTaken,
  LEVELS_MAX,
  type NewCollection,
  plainCollection,
  plainSort,
} from "#catalog/rows/collection.ts";
import { slugOf } from "#catalog/rows/product.ts";
import type { CollectionRow } from "#catalog/rows/tables.ts";
import { defined, type ExpectedVersion, requireVersion } from "#kernel/change.ts";
import { type Id, newId } from "#kernel/id.ts";
import { Faults } from "#kernel/refusal.ts";
import type { Reader, Tx } from "#platform/database/database.ts";
import { lockSettings } from "#shop/store/lookups.ts";

import { collectionFact } from "./events.ts";
import { lockCollection, withMedia } from "./lookups.ts";
import {
  claimSlug,
  collectionRows,
  insertCollection,
  isSlugTaken,
  listCollectionRows,
  retireSlug,
} from "./queries.ts";

/**
 * Writes the given fields and emits `collection.updated`; does neither if no value differs. A former slug leads on to
 * the collection. Refuses with `collection_not_found`, `stale_version`, `validation_failed` and `collection_slug_taken`.
 */
export async function updateCollection(
  tx: Tx,
  id: Id<"collection">,
  { change, expected }: { readonly change: CollectionChange; readonly expected: ExpectedVersion },
): Promise<Collection> {
  await lockSettings(tx);
  const before = await lockCollection(tx, id);
  requireVersion(before.version, expected);
  const faults = new Faults();
  const image = change.image && (await placeImage(tx, change.image, faults));
  const after: Collection = { ...before, ...defined({ ...change, image }) };
  if ((before.rule === null) === (after.rule === null)) checkRule(after, faults);
  else faults.add("/rule", "rule_kept", "Create another collection: this one keeps its kind.");
  if (after.parentId !== before.parentId) await checkParent(tx, after, faults);
  faults.refuseIfAny();
  if (Bun.deepEquals(before, after)) return before;
  if (after.slug !== before.slug) {
    if ((await claimSlug(tx, after)).length === 0) throw collectionSlugTaken();
    await retireSlug(tx, { slug: before.slug, collectionId: id });
  }
  const collection = await collectionRows.save(tx, before, after);
  await tx.emit(collectionFact("collection.updated", collection));
  return collection;
}

/**
 * Inserts the collection and emits `collection.created`. Without a slug it gets a free one made of its title. The
 * settings are locked, so that collections are counted and put below others one at a time. Refuses with
 * `validation_failed`, `collection_slug_taken` and `collection_limit_reached`.
 */
export async function createCollection(tx: Tx, given: NewCollection): Promise<Collection> {
  await lockSettings(tx);
  const { slug, ...others } = defined(given);
  const { title } = given;
  const id = newId("collection", tx.now);
  const fields = { ...plainCollection, sort: plainSort(given.rule ?? null), ...others, title };
  const faults = new Faults();
  checkRule(fields, faults);
  await checkParent(tx, { id, parentId: fields.parentId }, faults);
  const image = await placeImage(tx, given.image ?? null, faults);
  faults.refuseIfAny();
  if ((await collectionRows.count(tx)) >= COLLECTIONS_MAX) throw collectionLimitReached();
  const collection = {
    ...fields,
    image,
    id,
    slug: slug ?? (await freeSlug(slugOf(title, "collection"), (one) => isSlugTaken(tx, one))),
    version: 1,
    createdAt: tx.now,
    updatedAt: tx.now,
  };
  if (!(await insertCollection(tx, collection))) throw collectionSlugTaken();
  const created = await withMedia(tx, collection);
  await tx.emit(collectionFact("collection.created", created));
  return created;
}

/**
 * Deletes the collection and emits `collection.deleted`; its products stay. Collections below it move to where it stood,
 * each with an event. A discount that names it keeps doing so, as with a deleted product, and no product is in it. Refuses
 * with `collection_not_found` and `stale_version`.
 */
export async function deleteCollection(
  tx: Tx,
  id: Id<"collection">,
  expected: ExpectedVersion,
): Promise<undefined> {
  await lockSettings(tx);
  const collection = await lockCollection(tx, id);
  requireVersion(collection.version, expected);
  const { parentId, mediaUrl } = collection;
  for (const child of await listCollectionRows(tx, { parentId: id, rows: COLLECTIONS_MAX })) {
    const moved = await collectionRows.save(tx, { ...child, mediaUrl }, { parentId });
    await tx.emit(collectionFact("collection.updated", moved));
  }
  await collectionRows.drop(tx, id);
  await tx.emit(collectionFact("collection.deleted", collection));
}

/**
 * Adds a fault for a parent that does not exist, that is the collection itself or stands below it, and for one that
 * would make more levels than a menu has. The settings must be locked: two changes at a time could make a circle.
 */
async function checkParent(
  db: Reader,
  { id, parentId }: Pick<CollectionRow, "id" | "parentId">,
  faults: Faults,
): Promise<void> {
  if (parentId === null) return;
  const above = await lineOf(db, parentId);
  if (above.length === 0) {
    faults.add("/parent_id", "unknown_collection", "There is no such collection.");
  } else if (above.includes(id)) {
    const detail = "A collection does not stand below itself.";
    faults.add("/parent_id", "collection_levels", detail);
  } else if (above.length + (await levelsOf(db, [id])) > LEVELS_MAX) {
    const detail = `Collections stand below one another in at most ${LEVELS_MAX} levels.`;
    faults.add("/parent_id", "collection_levels", detail);
  }
}

/** The collection and those above it. */
async function lineOf(db: Reader, id: Id<"collection">): Promise<Id<"collection">[]> {
  const line: Id<"collection">[] = [];
  for (let next: Id<"collection"> | null = id; next !== null && line.length <= LEVELS_MAX;) {
    const found: CollectionRow | undefined = await collectionRows.find(db, next);
    if (found === undefined) return line;
    line.push(found.id);
    next = found.parentId;
  }
  return line;
}

/** The levels of these collections with those below them. */
async function levelsOf(db: Reader, ids: readonly Id<"collection">[]): Promise<number> {
  const below: Id<"collection">[] = [];
  for (const parentId of ids) {
    const rows = await listCollectionRows(db, { parentId, rows: COLLECTIONS_MAX });
    below.push(...rows.map(({ id }) => id));
  }
  return below.length === 0 ? 1 : 1 + (await levelsOf(db, below));
}
