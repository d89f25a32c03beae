// Workflow: delete a medium that no product and no collection shows.

import type { Id } from "#kernel/id.ts";

import { filesOf, type MediaShop, removeFiles } from "./files/media-shop.ts";
import { namesOfFiles } from "./image.ts";
import { findCollectionsShowing } from "./lookups.ts";
import { mediumInUse } from "./medium.ts";
import { mediumRows, productsOfMedium } from "./queries.ts";

/** As many of each as the refusal names. */
const NAMED_MAX = 100;

/**
 * Deletes the row, then the files, so that no row is without its files. Refuses with `medium_not_found`,
 * `medium_in_use` and `media_store_missing`.
 */
export async function deleteMedium(shop: MediaShop, id: Id<"medium">): Promise<void> {
  filesOf(shop);
  const medium = await shop.database.write(async (tx) => {
    // A product or a collection that is given the medium locks it, too.
    const locked = await mediumRows.lock(tx, id);
    const uses = await productsOfMedium(tx, { mediaId: id, rows: NAMED_MAX });
    const collections = await findCollectionsShowing(tx, id);
    if (uses.length + collections.length > 0) {
      const product_ids = uses.map(({ productId }) => productId);
      const collection_ids = collections.slice(0, NAMED_MAX);
      throw mediumInUse({ members: { product_ids, collection_ids } });
    }
    await mediumRows.drop(tx, id);
    return locked;
  });
  await removeFiles(shop, namesOfFiles(medium));
}
