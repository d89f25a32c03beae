// States are copies of a file: a shop in PostgreSQL has none.

import type { Database } from "#platform/database/database.ts";
import type { Shop } from "#platform/database/shop.ts";

/** Returns what runs work on the closed file of the shop. Throws where the shop is in no file. */
export function requireFile({ database }: Shop): NonNullable<Database["whileClosed"]> {
  if (database.whileClosed === undefined) throw new Error("The shop is not in a file.");
  return database.whileClosed;
}
