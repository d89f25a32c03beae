// Workflow: a code for a contact. It does the same whether a customer has the contact or not, and sends after it has
// answered, so that neither the answer nor its time tells.

import { issueCode } from "#customers/sessions/issue-code.ts";
import { type CodeContact, newCode } from "#customers/sessions/session.ts";
import { getStore } from "#shop/store/get-store.ts";

import type { AccountsShop } from "./accounts-shop.ts";
import { findWay } from "./find-way.ts";

export interface RequestedCode {
  readonly expiresAt: number;
}

/** Returns when the code expires that is sent. Refuses with `codes_not_configured` and `rate_limited`. */
export async function requestCode(
  shop: AccountsShop,
  contact: CodeContact,
): Promise<RequestedCode> {
  const send = await findWay(shop, contact.kind);
  const { enforceLimits } = await getStore(shop.database.read);
  const magic = shop.magicCodeOf(contact);
  const code = magic ?? newCode();
  const isLimited = shop.mode === "live" || enforceLimits;
  const expiresAt = await shop.database.write((tx) => issueCode(tx, contact, { code, isLimited }));
  if (magic === null) shop.sendLater(() => send({ contact, code }));
  return { expiresAt };
}
