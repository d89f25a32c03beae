// People who run the shop. A removed person stays as a row without a name to sign in by, because events and the
// audit log speak of them.

import { sql } from "drizzle-orm";

import { defineKind } from "#kernel/id.ts";
import { json, text, time, uniqueIndex } from "#platform/database/kit.ts";
import { hidden, id, personal, plain, record } from "#platform/database/record.ts";

import type { AlertRulesGiven } from "./alert-rules.ts";
import type { Role } from "./roles.ts";

declare module "#kernel/id.ts" {
  interface IdKinds {
    person: "per";
  }
}
defineKind("person", "per");

export const people = record(
  "people",
  {
    id: id("person").primaryKey(),
    name: plain(text().notNull()),
    /** The key by which names are compared; null once the person was removed, so that another may have the name. */
    nameKey: hidden(plain(text())),
    role: text().$type<Role>().notNull(),
    /** In lower case; null until the person has opened a link that was sent there. */
    email: personal(text()),
    emailVerifiedAt: time(),
    /** The person's choices of what they are told, and how; the rest is by role. */
    alerts: plain(
      json()
        .$type<AlertRulesGiven>()
        .notNull()
        .default(sql`'{}'`),
    ),
    removedAt: time(),
    createdAt: time().notNull(),
  },
  (row) => [
    uniqueIndex("people_name_key_unique").on(row.nameKey),
    uniqueIndex("people_email_unique").on(row.email),
  ],
);
