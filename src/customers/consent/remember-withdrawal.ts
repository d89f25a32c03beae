// Story: the owner of an email has no consent to marketing any more, which is to hold.

import type { Tx } from "#platform/database/database.ts";

import { contactHashOf } from "./contact-vault.ts";
import { openContactVault } from "./open-contact-vault.ts";
import { insertWithdrawal } from "./queries.ts";

/** Afterwards a withdrawal is kept for the email, by a hash that outlives its customer. */
export async function rememberWithdrawal(tx: Tx, email: string): Promise<void> {
  const contactHash = contactHashOf(await openContactVault(tx), email);
  await insertWithdrawal(tx, { contactHash, withdrawnAt: tx.now });
}
