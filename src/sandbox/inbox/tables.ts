// Messages that arrived at the receiver inside of the test shop.

import { bool, index, int, json, text, time } from "#platform/database/kit.ts";
import { id, personal, plain, record, type RowOf } from "#platform/database/record.ts";

import type { SignatureVerdict } from "./inbox.ts";

export const inboxMessages = record(
  "inbox_messages",
  {
    /** Rises with each message, until the shop is reset. */
    id: int().primaryKey(),
    /** The inbox it was sent to. */
    name: plain(text().notNull()),
    receivedAt: time().notNull(),
    /** Names in lower case; values of secret headers are redacted. */
    headers: personal(json().$type<Readonly<Record<string, string>>>().notNull(), () => ({})),
    body: personal(text().notNull(), () => ""),
    signature: text().$type<SignatureVerdict>().notNull(),
    /** The webhook whose secret made the signature. */
    webhookId: id("webhook"),
    answeredStatus: int().notNull(),
    /** True if it came from outside, and no webhook of the shop signed it. */
    isStrangers: bool().notNull().default(false),
  },
  (row) => [index("inbox_messages_name_index").on(row.name, row.id)],
);

export type InboxMessage = RowOf<typeof inboxMessages>;
