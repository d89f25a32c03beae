// Story: the merchant says that the owner of an email gives consent again.

import type { Tx } from "#platform/database/database.ts";

import { contactHashOf } from "./contact-vault.ts";
import { findContactVault } from "./lookups.ts";
import { deleteWithdrawal } from "./queries.ts";

/** Afterwards an earlier withdrawal for the email does not count any more. */
export async function liftWithdrawal(tx: Tx, email: string): Promise<void> {
  const contacts = await findContactVault(tx);
  if (contacts !== undefined) await deleteWithdrawal(tx, contactHashOf(contacts, email));
}
