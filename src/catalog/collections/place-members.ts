// Stories: say which products are in a collection and in which order, or put one of them in or take it out.

import { findKnownProducts } from "#catalog/products/lookups.ts";
import {
  type Collection,
  collectionFull,
  collectionIsAutomatic,
  MEMBERS_MAX,
} from "#catalog/rows/collection.ts";
import { productNotFound } from "#catalog/rows/product.ts";
import { type ExpectedVersion, requireVersion } from "#kernel/change.ts";
import type { Id } from "#kernel/id.ts";
import { Faults } from "#kernel/refusal.ts";
import type { Tx } from "#platform/database/database.ts";
import { lockSettings } from "#shop/store/lookups.ts";

import { collectionFact } from "./events.ts";
import { lockCollection } from "./lookups.ts";
import { addMember, collectionRows, membersOf, removeMember, replaceMembers } from "./queries.ts";

interface MembersChange {
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

interface MemberMove {
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
