// Remembers withdrawals and reminders without keeping addresses: a keyed hash stands for each.

import { sql } from "drizzle-orm";

import { check, int, text, time } from "#platform/database/kit.ts";
import { plain, record } from "#platform/database/record.ts";

/** One row: the sealed secret by which addresses are hashed, and links to withdraw consent are made. */
export const contactSecret = record(
  "contact_secret",
  {
    id: int().primaryKey(),
    secret: plain(text().notNull()),
  },
  (row) => [check("contact_secret_is_one_row", sql`${row.id} = 1`)],
);

/** Addresses whose owner withdrew their consent by a link. */
export const consentWithdrawals = record(
  "consent_withdrawals",
  {
    contactHash: plain(text().primaryKey()),
    withdrawnAt: time().notNull(),
  },
  () => [],
);
