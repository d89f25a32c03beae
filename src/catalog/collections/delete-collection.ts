// Story: delete a collection.

import { type ExpectedVersion, requireVersion } from "#kernel/change.ts";
import type { Id } from "#kernel/id.ts";
import type { Tx } from "#platform/database/database.ts";
import { lockSettings } from "#shop/store/lookups.ts";

import { COLLECTIONS_MAX } from "./collection.ts";
import { collectionFact } from "./events.ts";
import { lockCollection } from "./lookups.ts";
import { collectionRows, listCollectionRows } from "./queries.ts";

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
