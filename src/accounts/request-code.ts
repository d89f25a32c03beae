// Workflow: a code for a contact. It does the same whether a customer has the contact or not, and sends after it has
// answered, so that neither the answer nor its time tells.

import { countPhoneCode } from "#customers/sessions/count-phone-code.ts";
import { issueCode } from "#customers/sessions/issue-code.ts";
import { type CodeContact, newCode } from "#customers/sessions/session.ts";
import { getStore } from "#shop/store/lookups.ts";
import { publicLimitsOf } from "#shop/store/public-limits.ts";

import type { AccountsShop } from "./accounts-shop.ts";
import { findWay } from "./find-way.ts";

const LIMIT_REACHED = "the store's `limits.phone_codes_per_day` is reached";

export interface RequestedCode {
  readonly expiresAt: number;
}

/**
 * Returns when the code expires that is sent. One to a phone that exceeds the shop's limit of a day is not sent; the
 * answer does not tell. Refuses with `codes_not_configured` and `rate_limited`.
 */
export async function requestCode(
  shop: AccountsShop,
  contact: CodeContact,
  network: string | null,
): Promise<RequestedCode> {
  const send = await findWay(shop, contact.kind);
  const store = await getStore(shop.database.read);
  const magic = shop.magicCodeOf(contact);
  const code = magic ?? newCode();
  const isLimited = shop.mode === "live" || store.enforceLimits;
  const isCounted = isLimited && magic === null && contact.kind === "phone";
  const { phoneCodesPerDay } = publicLimitsOf(store);
  const { expiresAt, fate } = await shop.database.write(async (tx) => ({
    expiresAt: await issueCode(tx, contact, { code, isLimited, network }),
    fate: isCounted ? await countPhoneCode(tx, phoneCodesPerDay) : "sent",
  }));
  if (magic === null && fate === "sent") shop.sendLater(() => send({ contact, code }));
  if (fate === "withheld") shop.sendLater(async () => LIMIT_REACHED);
  return { expiresAt };
}
