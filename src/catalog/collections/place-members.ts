// Story: say which products are in a collection, and in which order.

import { findKnownProducts } from "#catalog/products/lookups.ts";
import { type ExpectedVersion, requireVersion } from "#kernel/change.ts";
import type { Id } from "#kernel/id.ts";
import { Faults } from "#kernel/refusal.ts";
import type { Tx } from "#platform/database/database.ts";
import { lockSettings } from "#shop/store/lookups.ts";

import { type Collection, collectionIsAutomatic } from "./collection.ts";
import { collectionFact } from "./events.ts";
import { lockCollection } from "./lookups.ts";
import { collectionRows, membersOf, replaceMembers } from "./queries.ts";

export interface MembersChange {
  readonly productIds: readonly Id<"product">[];
  readonly expected: ExpectedVersion;
}

/**
 * Afterwards the collection has these products in this order and no other; emits `collection.updated` unless that was so.
 * Refuses with `collection_not_found`, `stale_version`, `collection_is_automatic` and `validation_failed`.
 */
export async function placeMembers(
  tx: Tx,
  id: Id<"collection">,
  { productIds, expected }: MembersChange,
): Promise<Collection> {
  await lockSettings(tx);
  const collection = await lockCollection(tx, id);
  requireVersion(collection.version, expected);
  if (collection.rule !== null) throw collectionIsAutomatic();
  const faults = new Faults();
  const known = await findKnownProducts(tx, productIds);
  productIds.forEach((productId, index) => {
    if (known.has(productId)) return;
    faults.add(`/product_ids/${index}`, "unknown_product", "There is no such product.");
  });
  faults.refuseIfAny();
  const before = (await membersOf(tx, { id })).map(({ productId }) => productId);
  if (Bun.deepEquals(before, [...productIds])) return collection;
  await replaceMembers(tx, id, productIds);
  const saved = await collectionRows.save(tx, collection, {});
  await tx.emit(collectionFact("collection.updated", saved));
  return saved;
}
