// Story: remember where the media of the shop are served.

import type { Tx } from "#platform/database/database.ts";
import { getStore } from "#shop/store/lookups.ts";

import { getMediaUrl } from "./lookups.ts";
import { mediaKeys, mediaPath, type MediaShop } from "./media-shop.ts";
import { putMediaAddress } from "./queries.ts";

/**
 * Afterwards the addresses of files begin with that of the shop's bucket for browsers, or else with this server's, which
 * has no final slash.
 */
export async function saveMediaAddress(
  tx: Tx,
  { mode, media: { publicUrl } }: MediaShop,
  serverUrl: string,
): Promise<void> {
  const url =
    publicUrl === null
      ? serverUrl + mediaPath(mode)
      : `${publicUrl}/${mediaKeys((await getStore(tx)).id, mode)}`;
  if ((await getMediaUrl(tx)) !== url) await putMediaAddress(tx, { id: 1, url });
}
