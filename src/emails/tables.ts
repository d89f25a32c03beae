// The table of emails to customers. It has no personal data: who gets an email, and what it says, is read from the
// order or the cart when it is sent.

import { sql } from "drizzle-orm";

import { defineKind } from "#kernel/id.ts";
import { check, index, int, sequence, text, time, uniqueIndex } from "#platform/database/kit.ts";
import { id, plain, record, type RowOf, stamps } from "#platform/database/record.ts";
import type { NotificationName } from "#shop/store/notifications.ts";

import type { EmailStatus } from "./email-life.ts";

declare module "#kernel/id.ts" {
  interface IdKinds {
    email: "eml";
  }
}
defineKind("email", "eml");

export const emails = record(
  "emails",
  {
    id: id("email").primaryKey(),
    /** The event that it is about, and its place in the log. */
    eventId: id("event").notNull(),
    sequence: sequence().notNull(),
    template: text().$type<NotificationName>().notNull(),
    /** The subject: an order, or a cart that was left. */
    orderId: id("order"),
    cartId: id("cart"),
    status: text().$type<EmailStatus>().notNull(),
    /** Since it was made, or asked for again. */
    attempts: int().notNull(),
    /** Why it was not sent: a word, and the codes that the mail server answered. */
    error: plain(text()),
    /** The same for each attempt, so that a receiver knows what it has already; null before the first. */
    messageId: plain(text()),
    sentAt: time(),
    /** When the merchant asked for it again: it is then sent however old its event is. */
    resentAt: time(),
    ...stamps(),
  },
  (row) => [
    uniqueIndex("emails_event_unique").on(row.eventId, row.template),
    index("emails_order_index").on(row.orderId, row.id),
    // A cart that is left again has no other one.
    uniqueIndex("emails_cart_unique").on(row.cartId),
    index("emails_status_index").on(row.status, row.id),
    index("emails_template_index").on(row.template, row.id),
    check("emails_about_one", sql`(${row.orderId} IS NULL) <> (${row.cartId} IS NULL)`),
  ],
);

export type EmailRow = RowOf<typeof emails>;
