// Story: change a collection.

import { placeImage } from "#catalog/media/place-image.ts";
import { defined, type ExpectedVersion, requireVersion } from "#kernel/change.ts";
import type { Id } from "#kernel/id.ts";
import { Faults } from "#kernel/refusal.ts";
import type { Tx } from "#platform/database/database.ts";
import { lockSettings } from "#shop/store/lookups.ts";

import { checkParent } from "./check-parent.ts";
import {
  checkRule,
  type Collection,
  type CollectionChange,
  collectionSlugTaken,
} from "./collection.ts";
import { collectionFact } from "./events.ts";
import { lockCollection } from "./lookups.ts";
import { claimSlug, collectionRows, retireSlug } from "./queries.ts";

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
