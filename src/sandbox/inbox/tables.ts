// What arrived at the receiver inside of the test shop.

import type { Id } from "#kernel/id.ts";
import { index, int, json, table, text, time } from "#platform/database/kit.ts";

import type { SignatureVerdict } from "./inbox.ts";

export const inboxMessages = table(
  "inbox_messages",
  {
    id: int().primaryKey(),
    name: text().notNull(),
    receivedAt: time("received_at").notNull(),
    headers: json().$type<Readonly<Record<string, string>>>().notNull(),
    body: text().notNull(),
    signature: text().$type<SignatureVerdict>().notNull(),
    /** Whose secret the signature was made with. */
    webhookId: text("webhook_id").$type<Id<"webhook">>(),
    answeredStatus: int("answered_status").notNull(),
  },
  (row) => [index("inbox_messages_name_index").on(row.name, row.id)],
);
