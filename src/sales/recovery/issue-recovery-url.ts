// Lookup: the way back to a cart or order that was left.

import type { Id } from "#kernel/id.ts";
import type { Tx } from "#platform/database/database.ts";
import { findRecoveryTerms } from "#sales/carts/queries.ts";
import { getStore } from "#shop/store/get-store.ts";

import { LINK_VALID_MS, recoveryUrl, signToken } from "./recovery.ts";

/** A link for a month from now, to the merchant's own page where the shop's settings name one. */
export async function issueRecoveryUrl(tx: Tx, subject: Id<"cart"> | Id<"order">): Promise<string> {
  const terms = await findRecoveryTerms(tx);
  if (terms === undefined) throw new Error("The shop was opened without its recovery terms.");
  const { recoveryUrlTemplate } = await getStore(tx);
  const token = signToken(subject, tx.now + LINK_VALID_MS, terms.secret);
  return recoveryUrl(recoveryUrlTemplate, terms.publicUrl, token);
}
