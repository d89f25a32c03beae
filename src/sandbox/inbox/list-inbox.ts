// Lookup: the messages in the test shop's inbox.

import type { Customer } from "#customers/customer.ts";
import { type Page, type PageRequest, toPage } from "#kernel/page.ts";
import type { Reader, Tx } from "#platform/database/database.ts";
import { cursorInvalid } from "#platform/http/contract/refusals.ts";

import {
  deleteMessages,
  deleteMessagesTo,
  deleteMessagesWith,
  findMessages,
  type InboxFilters,
} from "./queries.ts";
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

/** Deletes the messages of the inbox with this name, or of all inboxes if undefined. */
export async function emptyInbox(tx: Tx, name: string | undefined): Promise<undefined> {
  await deleteMessages(tx, name);
}

/** Deletes the messages that name the customer, by id, email or phone, and the emails to them. */
export async function forgetMessages(
  tx: Tx,
  { id, email, phone }: Pick<Customer, "id" | "email" | "phone">,
): Promise<void> {
  for (const name of [id, email, phone]) {
    // In quotes, as JSON has it: an email can be the end of another one.
    if (name !== null) await deleteMessagesWith(tx, JSON.stringify(name));
  }
  if (email !== null) await deleteMessagesTo(tx, email);
  tx.scrub();
}
