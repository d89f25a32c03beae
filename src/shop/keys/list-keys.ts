// Lookup: the shop's keys, including revoked and expired ones.

import { type Page, type PageRequest, toPage } from "#kernel/page.ts";
import type { Reader } from "#platform/database/database.ts";

import { listKeyRows } from "./queries.ts";
import type { ApiKey } from "./tables.ts";

/** Returns a page of keys, newest first. */
export async function listKeys(db: Reader, page: PageRequest): Promise<Page<ApiKey>> {
  return toPage(await listKeyRows(db, page), page.limit);
}
