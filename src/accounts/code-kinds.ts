// Lookup: how codes leave the shop, by the kind of contact. Orders ask as a port of their shop which kinds there are: they
// stand to the left.

import type { SealedHook } from "#accounts/hook/hook.ts";
import { findHook } from "#accounts/hook/queries.ts";
import type { CodeContact } from "#customers/sessions/code.ts";
import type { Reader } from "#platform/database/database.ts";

import type { AccountsShop } from "./accounts-shop.ts";

type Kind = CodeContact["kind"];
type Outlets = Pick<AccountsShop, "mail" | "messageInbox">;

type Outlet =
  | { readonly by: "hook"; readonly hook: SealedHook }
  | { readonly by: "mail"; readonly mail: NonNullable<Outlets["mail"]> }
  | { readonly by: "inbox"; readonly take: NonNullable<Outlets["messageInbox"]> };

/** How codes to contacts of the kind are sent: by the hook, the mail server, or in test mode into the inbox; null if not. */
export function outletOf(
  { mail, messageInbox }: Outlets,
  hook: SealedHook | undefined,
  kind: Kind,
): Outlet | null {
  if (hook !== undefined && (kind === "phone" || hook.takesEmails)) return { by: "hook", hook };
  if (kind === "email") return mail === null ? null : { by: "mail", mail };
  return messageInbox === null ? null : { by: "inbox", take: messageInbox };
}

/** The kinds of contacts that the shop can send codes to, emails first. */
export async function findCodeKinds(outlets: Outlets, db: Reader): Promise<Kind[]> {
  const hook = await findHook(db);
  return (["email", "phone"] as const).filter((kind) => outletOf(outlets, hook, kind) !== null);
}
