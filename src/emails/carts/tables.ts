// When an address had its last email about a cart that was left. A keyed hash stands for the address.

import { index, text, time } from "#platform/database/kit.ts";
import { plain, record } from "#platform/database/record.ts";

export const cartReminders = record(
  "cart_reminders",
  {
    contactHash: plain(text().primaryKey()),
    /** The Message-ID, so that another attempt to send the same one is no second one. */
    messageId: plain(text().notNull()),
    remindedAt: time().notNull(),
  },
  (row) => [index("cart_reminders_reminded_index").on(row.remindedAt)],
);
