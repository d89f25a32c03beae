// Story: removes the messages about a customer from the test shop's inbox, also those that a stranger sent.

import type { Customer } from "#customers/customer.ts";
import type { Tx } from "#platform/database/database.ts";

import { deleteMessagesTo, deleteMessagesWith } from "./queries.ts";

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
