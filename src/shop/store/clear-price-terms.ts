// Story: the shop notes that nothing decides on prices any more.

import type { Tx } from "#platform/database/database.ts";

import { dropPriceTermsVersion, lockStore } from "./queries.ts";

/** Locks the settings. Afterwards sales look for nothing that decides on prices: the caller removes all of it. */
export async function clearPriceTerms(tx: Tx): Promise<void> {
  await lockStore(tx);
  await dropPriceTermsVersion(tx, {});
}
