// Lookup: the emails to customers.

import { type Page, type PageRequest, toPage } from "#kernel/page.ts";
import type { Reader } from "#platform/database/database.ts";

import type { Email } from "./email.ts";
import { type EmailFilters, listEmailRows } from "./queries.ts";

/** Returns a page of emails, newest first. */
export async function listEmails(
  db: Reader,
  filters: EmailFilters,
  page: PageRequest,
): Promise<Page<Email>> {
  return toPage(await listEmailRows(db, filters, page), page.limit);
}
