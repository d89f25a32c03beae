// Lookup: whose events these are.

import type { Id } from "#kernel/id.ts";
import type { Mode, Reader } from "#platform/database/database.ts";
import { findStore } from "#shop/store/find-store.ts";

/** What every event of one store and mode says of where it comes from. */
export interface Origin {
  readonly storeId: Id<"store">;
  readonly mode: Mode;
}

/** The origin that events of this database carry. */
export async function findOrigin(db: Reader, mode: Mode): Promise<Origin> {
  return { storeId: (await findStore(db)).id, mode };
}
