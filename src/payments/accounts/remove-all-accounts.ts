// Story: a backup of another shop is restored without its accounts at vendors.

import type { Tx } from "#platform/database/database.ts";

import { deleteAccountRows } from "./queries.ts";

/** Afterwards no secret of any gateway is stored. */
export async function removeAllAccounts(tx: Tx): Promise<void> {
  await deleteAccountRows(tx);
}
