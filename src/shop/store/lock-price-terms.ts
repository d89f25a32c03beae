// Story: the shop's settings are locked, since something that decides on prices is about to be added.

import type { Tx } from "#platform/database/database.ts";

import { lockStore, noteTerms } from "./queries.ts";

/**
 * Locks the settings as `lockSettings` does. Afterwards every sale looks for discounts, taxes and shipping options;
 * a shop that never had any looks for none.
 */
export async function lockPriceTerms(tx: Tx): Promise<void> {
  const { hasPriceTerms } = await lockStore(tx);
  if (!hasPriceTerms) await noteTerms(tx, {});
}
