// The emails of test mode: they are in the inbox `mail`, and leave the program never.

import type { Mail } from "#emails/emails-shop.ts";
import type { Shop } from "#platform/database/shop.ts";
import type { Mailbox } from "#platform/net/mail-addresses.ts";
import { type MailMessage, unsubscribeHeaders } from "#platform/net/smtp.ts";

import { recordMessage } from "./record-message.ts";

/** The name of the inbox. */
const MAIL_INBOX = "mail";
/** Whom they are from where the operator named no one. */
const TEST_SENDER: Mailbox = { name: null, address: "shop@localhost" };
/** "Requested mail action okay, completed" (RFC 5321, 4.2.3). */
const OKAY = 250;

/** Opens the way into the inbox; each email is accepted. */
export function openInboxMail(shop: Pick<Shop, "database">, from: Mailbox | null): Mail {
  return {
    from: from ?? TEST_SENDER,
    send: async (message) => {
      await recordMessage(shop, {
        name: MAIL_INBOX,
        headers: Object.entries(headersOf(message)),
        bytes: new TextEncoder().encode(message.text),
        signature: "unsigned",
        webhookId: null,
        answeredStatus: OKAY,
      });
      return { kind: "accepted", response: `${OKAY} The email is in the inbox ${MAIL_INBOX}.` };
    },
  };
}

function headersOf(message: MailMessage): Record<string, string> {
  const { to, from, subject, messageId, replyTo, unsubscribeUrl, language } = message;
  return {
    to: printed(to),
    from: printed(from),
    ...(replyTo === null ? {} : { "reply-to": replyTo }),
    subject,
    "message-id": messageId,
    "content-language": language,
    ...unsubscribeHeaders(unsubscribeUrl),
  };
}

function printed({ name, address }: Mailbox): string {
  return name === null ? address : `${name} <${address}>`;
}
