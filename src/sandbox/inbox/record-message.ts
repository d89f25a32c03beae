// The inbox of the test shop: what arrived there is saved, as are the emails of test mode and the messages that no hook
// takes, which leave the program never.

import type { HookMessage } from "#accounts/hook/hook.ts";
import type { PushMessage } from "#alerts/alerts-shop.ts";
import type { Mail } from "#emails/emails-shop.ts";
import type { Id } from "#kernel/id.ts";
import { nextNumber } from "#platform/database/held-rows.ts";
import type { Shop } from "#platform/database/shop.ts";
import type { Mailbox } from "#platform/net/mail-addresses.ts";
import { type MailMessage, unsubscribeHeaders } from "#platform/net/smtp.ts";

import {
  OWN_MESSAGES_MAX,
  savedBody,
  savedHeaders,
  type SignatureVerdict,
  STRANGERS_MESSAGES_MAX,
} from "./inbox.ts";
import { insertMessage, trimMessages } from "./queries.ts";

export interface NewMessage {
  readonly name: string;
  readonly headers: Iterable<readonly [name: string, value: string]>;
  readonly bytes: Uint8Array;
  readonly signature: SignatureVerdict;
  /** The webhook whose secret made the signature. */
  readonly webhookId: Id<"webhook"> | null;
  /** The status that its sender receives. */
  readonly answeredStatus: number;
  /** True if it came from outside, and no webhook of the shop signed it. */
  readonly isStrangers: boolean;
}

/** Saves the message, and deletes the oldest of its kind beyond their limit. */
export async function recordMessage(
  { database }: Pick<Shop, "database">,
  { headers, bytes, ...message }: NewMessage,
): Promise<void> {
  await database.write(async (tx) => {
    await insertMessage(tx, {
      ...message,
      id: await nextNumber(tx, "inbox_messages", 1),
      receivedAt: tx.now,
      headers: savedHeaders(headers),
      body: savedBody(bytes),
    });
    const { isStrangers } = message;
    const kept = isStrangers ? STRANGERS_MESSAGES_MAX : OWN_MESSAGES_MAX;
    await trimMessages(tx, { isStrangers, kept });
  });
}

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
        isStrangers: false,
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

const TAKEN = 200;

/** Opens the way into the inbox of messages to customers. */
export function openInboxMessages(
  shop: Pick<Shop, "database">,
): (message: HookMessage) => Promise<void> {
  return openInbox(shop, "messages");
}

/** Opens the way into the inbox of messages to browsers. */
export function openInboxPush(
  shop: Pick<Shop, "database">,
): (message: PushMessage) => Promise<void> {
  return openInbox(shop, "push");
}

function openInbox(shop: Pick<Shop, "database">, name: string): (message: object) => Promise<void> {
  return (message) =>
    recordMessage(shop, {
      name,
      headers: [["content-type", "application/json"]],
      bytes: new TextEncoder().encode(JSON.stringify(message)),
      signature: "unsigned",
      webhookId: null,
      answeredStatus: TAKEN,
      isStrangers: false,
    });
}
