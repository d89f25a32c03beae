// Sessions of customers, and the codes that begin them. Invariant: of a token only its hash is kept, of a code and its
// contact only HMACs, so that a copy of the database signs in no one.

import { customers } from "#customers/tables.ts";
import { foreignKey, index, int, json, primaryKey, text, time } from "#platform/database/kit.ts";
import { id, plain, record, type RowOf } from "#platform/database/record.ts";

import type { AskedCode, CodeContact } from "./code.ts";

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

/** Contacts to which codes were asked for, or for which wrong ones were given. */
export const customerCodes = record(
  "customer_codes",
  {
    /** HMAC of the email or the phone. */
    contactHash: plain(text().primaryKey()),
    /** Wrong codes since the last right one. */
    failures: int().notNull().default(0),
    /** How often the newest code was tried without its challenge. */
    bareTries: int().notNull().default(0),
    /** When the last code was given for it; 0 if none was. */
    failedAt: time().notNull().default(0),
    /** The codes that were asked for in the last hour, the oldest first. */
    askedAt: plain(json().$type<readonly AskedCode[]>().notNull()),
    /** After it nothing of the row counts. */
    forgottenAt: time().notNull(),
  },
  (row) => [index("customer_codes_forgotten_index").on(row.forgottenAt)],
);

/** Codes that were sent, each for the browser that asked for it. */
export const customerChallenges = record(
  "customer_challenges",
  {
    /** SHA-256 of the challenge. */
    idHash: plain(text().primaryKey()),
    contactHash: plain(text().notNull()),
    /** HMAC of the contact with the code. */
    codeHash: plain(text().notNull()),
    /** How often a code was given with the challenge. */
    tries: int().notNull(),
    expiresAt: time().notNull(),
    /** Later than that of any other of the contact. */
    createdAt: time().notNull(),
  },
  (row) => [
    index("customer_challenges_contact_index").on(row.contactHash, row.createdAt),
    index("customer_challenges_expires_index").on(row.expiresAt),
  ],
);

/** Codes to contacts of a kind, by the hour in which they were asked for. */
export const codeCounts = record(
  "code_counts",
  {
    kind: plain(text().$type<CodeContact["kind"]>().notNull()),
    /** When the hour began. */
    hour: time().notNull(),
    sent: int().notNull(),
    /** Those of `sent` to contacts that no customer had verified. */
    strangers: int().notNull(),
    /** Those that were not sent, because of the shop's limit. */
    withheld: int().notNull(),
  },
  (row) => [primaryKey({ columns: [row.kind, row.hour] })],
);

export type CustomerCode = RowOf<typeof customerCodes>;
export type CustomerSession = RowOf<typeof customerSessions>;
