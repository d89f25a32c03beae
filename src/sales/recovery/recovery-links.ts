// The recovery links of a shop: the secret and the address they are made with, issuing one, and
// resolving one. The link itself names its cart or order; the shop's secret proves that it is
// genuine.

import type { Id } from "#kernel/id.ts";
import { randomBytes } from "#kernel/random.ts";
import type { Reader, Tx } from "#platform/database/database.ts";
import { findRecoveryTerms, putRecoveryTerms } from "#sales/carts/queries.ts";
import { getStore } from "#shop/store/get-store.ts";

import {
  LINK_VALID_MS,
  readToken,
  recoveryLinkInvalid,
  recoveryUrl,
  SECRET_BYTES,
  signToken,
} from "./recovery.ts";

/**
 * Saves the address that new links start with. The secret is made once, so earlier links stay
 * valid.
 */
export async function openRecovery(tx: Tx, publicUrl: string): Promise<void> {
  const saved = await findRecoveryTerms(tx);
  if (saved?.publicUrl === publicUrl) return;
  const secret = saved?.secret ?? Buffer.from(randomBytes(SECRET_BYTES)).toString("base64url");
  await putRecoveryTerms(tx, { secret, publicUrl });
}

/**
 * Returns a link that is valid for `LINK_VALID_MS`: to the merchant's own page if the shop's
 * settings name one, else to the page of this server.
 */
export async function issueRecoveryUrl(tx: Tx, subject: Id<"cart"> | Id<"order">): Promise<string> {
  const terms = await findRecoveryTerms(tx);
  if (terms === undefined) throw new Error("The shop was opened without its recovery terms.");
  const { recoveryUrlTemplate } = await getStore(tx);
  const token = signToken(subject, tx.now + LINK_VALID_MS, terms.secret);
  return recoveryUrl(recoveryUrlTemplate, terms.publicUrl, token);
}

/**
 * Returns the cart or order of a link. Refuses with `recovery_link_invalid` unless this shop signed
 * it, and with `recovery_link_expired`.
 */
export async function getLinkSubject(
  db: Reader,
  { token, now }: { readonly token: string; readonly now: number },
): Promise<Id<"cart"> | Id<"order">> {
  const terms = await findRecoveryTerms(db);
  if (terms === undefined) throw recoveryLinkInvalid();
  return readToken(token, { secret: terms.secret, now });
}
