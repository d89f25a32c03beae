// Lookup: the messages in the test shop's inbox.

import { type Page, type PageRequest, toPage } from "#kernel/page.ts";
import type { Reader } from "#platform/database/database.ts";
import { cursorInvalid } from "#platform/http/contract/refusals.ts";

import { findMessages, type InboxFilters } from "./queries.ts";
import type { InboxMessage } from "./tables.ts";

/** Returns a page of messages, newest first. Refuses with `invalid_cursor` if `after` is no id. */
export async function listInbox(
  db: Reader,
  filters: InboxFilters,
  { limit, after }: PageRequest,
): Promise<Page<InboxMessage>> {
  const last = after === null ? null : readId(after);
  return toPage(await findMessages(db, filters, { rows: limit + 1, after: last }), limit);
}

function readId(text: string): number {
  if (!/^[1-9][0-9]{0,14}$/.test(text)) throw cursorInvalid();
  return Number(text);
}
