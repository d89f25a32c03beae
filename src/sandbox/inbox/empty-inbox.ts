// Story: empties the test shop's inbox.

import type { Tx } from "#platform/database/database.ts";

import { deleteMessages } from "./queries.ts";

/** Deletes the messages of the inbox with this name, or of all inboxes if undefined. */
export async function emptyInbox(tx: Tx, name: string | undefined): Promise<undefined> {
  await deleteMessages(tx, name);
}
