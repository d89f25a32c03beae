// Lookup: pages of the ledger of one variant.

import type { Id } from "#kernel/id.ts";
import { type Page, type PageRequest, toPage } from "#kernel/page.ts";
import type { Reader } from "#platform/database/store.ts";

import { getLevel } from "./get-level.ts";
import { listMovementRows, type Movement } from "./queries.ts";

/** The ledger of a variant, newest first. Refuses with `inventory_not_found`. */
export async function listMovements(
  db: Reader,
  variantId: Id<"variant">,
  page: PageRequest,
): Promise<Page<Movement>> {
  await getLevel(db, variantId);
  return toPage(await listMovementRows(db, variantId, page), page.limit);
}
