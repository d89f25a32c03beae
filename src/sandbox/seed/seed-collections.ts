// Story: gives a seeded shop the collections of its menu: two with rules, one that was picked by hand.

import { createCollection } from "#catalog/collections/create-collection.ts";
import { placeMembers } from "#catalog/collections/place-members.ts";
import type { Product } from "#catalog/products/product.ts";
import type { Tx } from "#platform/database/database.ts";

const anything = { category: null, tags: [], brand: null, q: null };

/** In the order in which the merchant shows them, by the beginnings of their SKUs. */
const gifts = ["BAS-BOL", "HON-FOR", "BRA-KRO", "SHE-BUT", "LAN-SOL"];

/** Creates the collections. The products of the seed must be there. */
export async function seedCollections(tx: Tx, products: readonly Product[]): Promise<void> {
  await createCollection(tx, {
    title: "For the home",
    description: "Baskets, batik and enamel.",
    rule: { ...anything, category: "Home" },
  });
  await createCollection(tx, {
    title: "Cotton",
    description: "Woven, dyed and sewn in Ghana.",
    rule: { ...anything, tags: ["cotton"] },
    sort: "price",
  });
  const { id } = await createCollection(tx, {
    title: "Gifts",
    description: "What travels well and is liked by everyone.",
  });
  const productIds = gifts.flatMap((prefix) =>
    products.filter((one) => one.variants[0]?.sku?.startsWith(prefix)).map((one) => one.id),
  );
  await placeMembers(tx, id, { productIds, expected: null });
}
