// The recovery links of a shop: issuing one, and resolving one.

import { type Id, isId } from "#kernel/id.ts";
import type { Reader, Tx } from "#platform/database/database.ts";
import { recoveryUrl } from "#sales/links/link-addresses.ts";
import { getLinkTerms } from "#sales/links/link-terms.ts";
import { linkInvalid, linkValidMs, readToken, signToken } from "#sales/links/link-token.ts";
import { getStore } from "#shop/store/lookups.ts";

const purpose = "recovery link";

/**
 * Returns a link that is valid for a month: to the merchant's own page if the shop's
 * settings name one, else to the page of this server.
 */
export async function issueRecoveryUrl(tx: Tx, subject: Id<"cart"> | Id<"order">): Promise<string> {
  const { secret, publicUrl } = await getLinkTerms(tx);
  const { recoveryUrlTemplate } = await getStore(tx);
  const token = signToken({ purpose, subject, until: tx.now + linkValidMs[purpose] }, secret);
  return recoveryUrl(recoveryUrlTemplate, publicUrl, token);
}

/**
 * Returns the cart or order of a link. Refuses with `recovery_link_invalid` unless this shop signed
 * it, and with `recovery_link_expired`.
 */
export async function getLinkSubject(
  db: Reader,
  { token, now }: { readonly token: string; readonly now: number },
): Promise<Id<"cart"> | Id<"order">> {
  const { secret } = await getLinkTerms(db);
  const { subject } = readToken(token, { purposes: [purpose], secret, now });
  if (isId("payment", subject)) throw linkInvalid();
  return subject;
}
