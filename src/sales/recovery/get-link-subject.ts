// Lookup: what a recovery link leads to. The link says it itself; the shop's secret vouches for it.

import type { Id } from "#kernel/id.ts";
import type { Reader } from "#platform/database/database.ts";
import { findRecoveryTerms } from "#sales/carts/queries.ts";

import { readToken, recoveryLinkInvalid } from "./recovery.ts";

/**
 * The cart or order of a link that this shop signed. Refuses with `recovery_link_invalid` what it did
 * not, and with `recovery_link_expired`.
 */
export async function getLinkSubject(
  db: Reader,
  { token, now }: { readonly token: string; readonly now: number },
): Promise<Id<"cart"> | Id<"order">> {
  const terms = await findRecoveryTerms(db);
  if (terms === undefined) throw recoveryLinkInvalid();
  return readToken(token, { secret: terms.secret, now });
}
