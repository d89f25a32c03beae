// Lookup: the store and the mode that every event carries.

import type { Id } from "#kernel/id.ts";
import type { Reader } from "#platform/database/database.ts";
import type { Mode } from "#platform/database/shop.ts";
import { getStore } from "#shop/store/lookups.ts";

/** The origin of an event. */
export interface Origin {
  readonly storeId: Id<"store">;
  readonly mode: Mode;
}

/** The origin of all events in this database. */
export async function getOrigin(db: Reader, mode: Mode): Promise<Origin> {
  return { storeId: (await getStore(db)).id, mode };
}
