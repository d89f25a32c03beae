// Lookup: whose events these are.

import type { Id } from "#kernel/id.ts";
import type { Reader } from "#platform/database/database.ts";
import type { Mode } from "#platform/database/shop.ts";
import { getStore } from "#shop/store/get-store.ts";

/** What every event of one store and mode says of where it comes from. */
export interface Origin {
  readonly storeId: Id<"store">;
  readonly mode: Mode;
}

/** The origin that events of this database carry. */
export async function getOrigin(db: Reader, mode: Mode): Promise<Origin> {
  return { storeId: (await getStore(db)).id, mode };
}
