// Lookup: the audit log.

import { type Page, type PageRequest, toPage } from "#kernel/page.ts";
import type { Reader } from "#platform/database/database.ts";
import { type AuditFilters, listEntryRows } from "#shop/audit/queries.ts";
import type { AuditEntry } from "#shop/audit/tables.ts";

/** Returns a page of entries, newest first. */
export async function listEntries(
  db: Reader,
  filters: AuditFilters,
  page: PageRequest,
): Promise<Page<AuditEntry>> {
  return toPage(await listEntryRows(db, filters, page), page.limit);
}
