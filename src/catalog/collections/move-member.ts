// Story: put one product into a collection, or take it out.

import { findKnownProducts } from "#catalog/products/lookups.ts";
import { productNotFound } from "#catalog/products/product.ts";
import type { Id } from "#kernel/id.ts";
import type { Tx } from "#platform/database/database.ts";
import { lockSettings } from "#shop/store/lookups.ts";

import {
  type Collection,
  collectionFull,
  collectionIsAutomatic,
  MEMBERS_MAX,
} from "./collection.ts";
import { collectionFact } from "./events.ts";
import { lockCollection } from "./lookups.ts";
import { addMember, collectionRows, membersOf, removeMember } from "./queries.ts";

export interface MemberMove {
  readonly collectionId: Id<"collection">;
  readonly productId: Id<"product">;
  /** True if the product is in the collection afterwards. */
  readonly isIn: boolean;
}

/**
 * Afterwards the product is the last of the collection, or is not in it; others keep their order, and one that was there
 * already keeps its place. Emits `collection.updated` if something changed. Refuses with `collection_not_found`,
 * `product_not_found`, `collection_is_automatic` and `collection_full`.
 */
export async function moveMember(
  tx: Tx,
  { collectionId, productId, isIn }: MemberMove,
): Promise<Collection> {
  await lockSettings(tx);
  const collection = await lockCollection(tx, collectionId);
  if (collection.rule !== null) throw collectionIsAutomatic();
  const members = await membersOf(tx, { id: collectionId });
  const wasIn = members.some((one) => one.productId === productId);
  if (wasIn === isIn) return collection;
  if (isIn) {
    if (!(await findKnownProducts(tx, [productId])).has(productId)) throw productNotFound();
    if (members.length >= MEMBERS_MAX) throw collectionFull();
    const position = (members.at(-1)?.position ?? -1) + 1;
    await addMember(tx, { collectionId, position, productId });
  } else {
    await removeMember(tx, { collectionId, productId });
  }
  const saved = await collectionRows.save(tx, collection, {});
  await tx.emit(collectionFact("collection.updated", saved));
  return saved;
}
