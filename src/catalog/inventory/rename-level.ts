// Story: a variant got another SKU.

import type { Id } from "#kernel/id.ts";
import type { Tx } from "#platform/database/store.ts";

import { renameLevelRow } from "./queries.ts";

/** Afterwards the level is found by the new SKU. */
export async function renameLevel(
  tx: Tx,
  variantId: Id<"variant">,
  sku: string | null,
): Promise<void> {
  await renameLevelRow(tx, variantId, sku);
}
