// Story: remember where the media of the shop are served.

import type { Tx } from "#platform/database/database.ts";

import { getMediaUrl } from "./lookups.ts";
import { putMediaAddress } from "./queries.ts";

/** Afterwards the addresses of files begin with this one, without a final slash. */
export async function saveMediaAddress(tx: Tx, url: string): Promise<void> {
  if ((await getMediaUrl(tx)) !== url) await putMediaAddress(tx, { id: 1, url });
}
