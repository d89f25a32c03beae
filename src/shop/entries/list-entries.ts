// Lookups of the audit log.

import type { Id } from "#kernel/id.ts";
import { type Page, type PageRequest, toPage } from "#kernel/page.ts";
import type { Reader } from "#platform/database/database.ts";
import {
  type AuditFilters,
  entriesOfActions,
  entryById,
  listEntryRows,
} from "#shop/audit/queries.ts";
import { FAILED_SIGN_IN, failuresOf } from "#shop/audit/record-act.ts";
import type { AuditEntry } from "#shop/audit/tables.ts";

/** Returns a page of entries, newest first. */
export async function listEntries(
  db: Reader,
  filters: AuditFilters,
  page: PageRequest,
): Promise<Page<AuditEntry>> {
  return toPage(await listEntryRows(db, filters, page), page.limit);
}

/** An entry, for folders that tell of it. */
export type ToldEntry = AuditEntry;

/** The entries of these actions from the id on, oldest first. */
export function findEntriesToTell(
  db: Reader,
  terms: { readonly actions: readonly string[]; readonly from: Id<"audit">; readonly rows: number },
): Promise<ToldEntry[]> {
  return entriesOfActions(db, terms);
}

/** The entry; undefined of one that is kept no longer. */
export async function findEntry(db: Reader, id: Id<"audit">): Promise<ToldEntry | undefined> {
  return (await entryById(db, { id }))[0];
}

/** More rows than the failures of a name have in a day. */
const ROWS_MAX = 2_000;

/** How often the name of the person was tried in vain from the id on. */
export async function countFailures(
  db: Reader,
  subject: string,
  from: Id<"audit">,
): Promise<number> {
  const filters = { action: FAILED_SIGN_IN, subject, from };
  const rows = await listEntryRows(db, filters, { after: null, limit: ROWS_MAX });
  return rows.reduce((sum, entry) => sum + failuresOf(entry), 0);
}
