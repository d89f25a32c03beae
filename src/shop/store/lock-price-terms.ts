// Story: the shop's settings are locked, since something that decides on prices is about to change.

import type { Tx } from "#platform/database/database.ts";

import { lockStore, savePriceTermsVersion } from "./queries.ts";
import { newPriceTermsVersion } from "./remembered-terms.ts";

/**
 * Locks the settings as `lockSettings` does. Every story that adds, changes or removes an automatic discount, a tax
 * rate or a shipping option calls it first: sales remember these by the version that is new afterwards.
 */
export async function lockPriceTerms(tx: Tx): Promise<void> {
  await lockStore(tx);
  await savePriceTermsVersion(tx, { priceTermsVersion: newPriceTermsVersion() });
}
