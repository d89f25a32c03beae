// Story: what arrived at the receiver inside of the test shop is thrown away.

import type { Tx } from "#platform/database/database.ts";

import { deleteMessages } from "./queries.ts";

/** Afterwards the inbox of this name holds nothing; where none is named, none does. */
export async function emptyInbox(tx: Tx, name: string | undefined): Promise<undefined> {
  await deleteMessages(tx, name);
}
