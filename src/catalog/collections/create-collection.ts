// Story: create a collection.

import { freeSlug } from "#catalog/listing/free-slug.ts";
import { placeImage } from "#catalog/media/place-image.ts";
import { slugOf } from "#catalog/products/product.ts";
import { defined } from "#kernel/change.ts";
import { newId } from "#kernel/id.ts";
import { Faults } from "#kernel/refusal.ts";
import type { Tx } from "#platform/database/database.ts";
import { lockSettings } from "#shop/store/lookups.ts";

import { checkParent } from "./check-parent.ts";
import {
  checkRule,
  type Collection,
  collectionLimitReached,
  COLLECTIONS_MAX,
  collectionSlugTaken,
  type NewCollection,
  plainCollection,
  plainSort,
} from "./collection.ts";
import { collectionFact } from "./events.ts";
import { withMedia } from "./lookups.ts";
import { collectionRows, insertCollection, isSlugTaken } from "./queries.ts";

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
