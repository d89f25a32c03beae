// Story: a variant that was never sold leaves the inventory.

import type { Id } from "#kernel/id.ts";
import type { Tx } from "#platform/database/store.ts";

import { deleteLevel } from "./queries.ts";

/** Afterwards neither the level nor its ledger is there. */
export async function dropLevel(tx: Tx, variantId: Id<"variant">): Promise<void> {
  await deleteLevel(tx, variantId);
}
