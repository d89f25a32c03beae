// Lookups of API keys for other parts of the shop.

import type { Reader } from "#platform/database/database.ts";

import { listKeyRows } from "./queries.ts";

/** Whether the shop has ever had a key; nothing else lets a request in. */
export async function hasKeys(db: Reader): Promise<boolean> {
  return (await listKeyRows(db, { limit: 1, after: null })).length > 0;
}
