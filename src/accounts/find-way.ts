// Lookup: how a code leaves the shop.

import type { CodeContact } from "#customers/sessions/session.ts";
import { localizeEmails, type MailingStore } from "#emails/words/localize.ts";
import { newRequestId } from "#kernel/id.ts";
import { defineRefusal } from "#kernel/refusal.ts";
import { getLinkTerms } from "#sales/links/link-terms.ts";
import { getStore } from "#shop/store/lookups.ts";

import type { AccountsShop, SendFault } from "./accounts-shop.ts";
import { type CodeToSend, emailOf, hookMessageOf } from "./code-message.ts";
import { findHook } from "./hook/queries.ts";
import { sendToHook } from "./hook/send-to-hook.ts";

export const codesNotConfigured = defineRefusal("codes_not_configured", "conflict", {
  title: "The shop cannot send codes to contacts of this kind.",
  cause:
    "Codes to emails need `DUKA_SMTP_URL`, or a message hook with `takes_emails`; those to phones need a message hook.",
  remedy: "Set `DUKA_SMTP_URL` and `DUKA_MAIL_FROM`, or a hook by `PUT /v2/message-hook`.",
});

/** Sends a code. Returns why it was not taken; null if it was. */
export type SendCode = (sent: CodeToSend) => Promise<SendFault | null>;

/** How codes to contacts of this kind are sent. Refuses with `codes_not_configured`. */
export async function findWay(shop: AccountsShop, kind: CodeContact["kind"]): Promise<SendCode> {
  const hook = await findHook(shop.database.read);
  if (hook !== undefined && (kind === "phone" || hook.takesEmails)) {
    return async (sent) => sendToHook(shop, hook, hookMessageOf(sent, await getMailingStore(shop)));
  }
  const { mail, messageInbox } = shop;
  if (kind === "email" && mail !== null) return (sent) => sendEmail(shop, mail, sent);
  if (kind === "phone" && messageInbox !== null) {
    return async (sent) => {
      await messageInbox(hookMessageOf(sent, await getMailingStore(shop)));
      return null;
    };
  }
  const setting =
    kind === "email" ? "`DUKA_SMTP_URL`" : "the message hook (`PUT /v2/message-hook`)";
  throw codesNotConfigured({ detail: `Codes to this contact need ${setting}, which is not set.` });
}

async function sendEmail(
  shop: AccountsShop,
  mail: NonNullable<AccountsShop["mail"]>,
  sent: CodeToSend,
): Promise<SendFault | null> {
  const store = await getMailingStore(shop);
  const { hostname } = new URL((await getLinkTerms(shop.database.read)).publicUrl);
  const outcome = await mail.send({
    ...emailOf(sent, store),
    from: { name: mail.from.name ?? store.name, address: mail.from.address },
    messageId: `<${newRequestId()}@${hostname}>`,
  });
  return outcome.kind === "accepted" ? null : `${outcome.fault} ${outcome.codes}`.trimEnd();
}

async function getMailingStore({ database }: AccountsShop): Promise<MailingStore> {
  return localizeEmails(await getStore(database.read));
}
