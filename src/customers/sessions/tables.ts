// Sessions of customers, and the codes that begin them. Invariant: of a token only its hash is kept, of a code and its
// contact only HMACs, so that a copy of the database signs in no one.

import { customers } from "#customers/tables.ts";
import { foreignKey, index, int, json, text, time } from "#platform/database/kit.ts";
import { id, plain, record, type RowOf } from "#platform/database/record.ts";

import type { AskedCode } from "./session.ts";

export const customerSessions = record(
  "customer_sessions",
  {
    /** SHA-256 of the token. */
    tokenHash: plain(text().primaryKey()),
    customerId: id("customer").notNull(),
    createdAt: time().notNull(),
    expiresAt: time().notNull(),
  },
  (row) => [
    index("customer_sessions_customer_index").on(row.customerId),
    index("customer_sessions_expires_index").on(row.expiresAt),
    foreignKey({ columns: [row.customerId], foreignColumns: [customers.id] }).onDelete("cascade"),
  ],
);

export const customerCodes = record(
  "customer_codes",
  {
    /** HMAC of the email or the phone. */
    contactHash: plain(text().primaryKey()),
    /** HMAC of the contact with the code; null once it was given back. */
    codeHash: plain(text()),
    /** How often a code was given for it. */
    tries: int().notNull(),
    expiresAt: time().notNull(),
    /** The codes that were asked for in the last hour, the oldest first. */
    askedAt: plain(json().$type<readonly AskedCode[]>().notNull()),
    /** After it nothing of the row counts. */
    forgottenAt: time().notNull(),
  },
  (row) => [index("customer_codes_forgotten_index").on(row.forgottenAt)],
);

/** Codes to phones, which cost the merchant money, by the hour in which they were asked for. */
export const phoneCodes = record(
  "phone_codes",
  {
    /** When the hour began. */
    hour: time().primaryKey(),
    sent: int().notNull(),
    /** Those that were not sent, because of the shop's limit. */
    withheld: int().notNull(),
  },
  () => [],
);

export type CustomerSession = RowOf<typeof customerSessions>;
