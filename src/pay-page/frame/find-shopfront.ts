// Lookup: the look of a page for a link that opens nothing, so that no shop signed it.

import { localize } from "#pay-page/words/localize.ts";
import type { Shop } from "#platform/database/shop.ts";
import { getStore } from "#shop/store/lookups.ts";
import { newStoreSettings } from "#shop/store/store.ts";

import { noShopfront, type Shopfront } from "./shop-frame.ts";

/**
 * Returns the look of the first shop with a name of its own. A database that fails is reported to `onFault` and
 * does not keep the page from being shown.
 */
export async function findShopfront(
  shops: readonly Pick<Shop, "database">[],
  onFault: (error: unknown) => void,
): Promise<Shopfront> {
  try {
    for (const { database } of shops) {
      const store = await getStore(database.read);
      if (store.name !== newStoreSettings.name) return await localize(store);
    }
  } catch (error) {
    onFault(error);
  }
  return noShopfront;
}
