// Lookup: the kinds of contacts that the shop can send codes to, which `findWay` in `request-code.ts` sends. Orders ask
// it as a port of their shop: they stand to the left.

import { findHook } from "#accounts/hook/queries.ts";
import type { CodeContact } from "#customers/sessions/code.ts";
import type { Reader } from "#platform/database/database.ts";

import type { AccountsShop } from "./accounts-shop.ts";

/** Returns them, emails first: by a hook, by the mail server, or in test mode into the inbox. */
export async function findCodeKinds(
  { mail, messageInbox }: Pick<AccountsShop, "mail" | "messageInbox">,
  db: Reader,
): Promise<CodeContact["kind"][]> {
  const hook = await findHook(db);
  const takesEmails = mail !== null || hook?.takesEmails === true;
  const takesPhones = messageInbox !== null || hook !== undefined;
  return [...(takesEmails ? ["email" as const] : []), ...(takesPhones ? ["phone" as const] : [])];
}
