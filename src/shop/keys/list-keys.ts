// Lookup: the shop's keys, including revoked and expired ones.

import { type Page, type PageRequest, toPage } from "#kernel/page.ts";
import type { Reader } from "#platform/database/database.ts";

import { type ApiKey, listKeyRows } from "./queries.ts";

/** Returns a page of keys, newest first. */
export async function listKeys(db: Reader, page: PageRequest): Promise<Page<ApiKey>> {
  return toPage(await listKeyRows(db, page), page.limit);
}
