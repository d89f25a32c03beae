// The table of alerts: what an owner is told of the safety of the shop. It has no personal data: what an alert says, and
// where it goes, is read from the audit log and the owner when it is sent.

import type { EmailStatus } from "#emails/email-life.ts";
import { defineKind } from "#kernel/id.ts";
import { index, int, text, time, uniqueIndex } from "#platform/database/kit.ts";
import { id, plain, record, type RowOf, stamps } from "#platform/database/record.ts";

declare module "#kernel/id.ts" {
  interface IdKinds {
    alert: "alr";
  }
}
defineKind("alert", "alr");

export type AlertKind =
  "device" | "failures" | "key" | "person" | "exported" | "webhook" | "setting";

export const alerts = record(
  "alerts",
  {
    id: id("alert").primaryKey(),
    /** The act that it tells of. */
    entryId: id("audit").notNull(),
    kind: text().$type<AlertKind>().notNull(),
    /** The record, setting or host that it is about. */
    subject: plain(text().notNull()),
    /** Hours since 1970 at the act: what happens again in the same hour is not told again. */
    hour: int().notNull(),
    /** The owner who is told. People are in the live store, also those who are told of the test shop. */
    personId: id("person").notNull(),
    /** The life of the emails to customers, but that no alert is asked for again. */
    status: text().$type<EmailStatus>().notNull(),
    attempts: int().notNull(),
    /** Why it was not sent: a word, and the codes that the mail server answered. */
    error: plain(text()),
    /** The same for each attempt, so that a receiver knows what it has already; null before the first. */
    messageId: plain(text()),
    sentAt: time(),
    ...stamps(),
  },
  (row) => [
    uniqueIndex("alerts_once_unique").on(row.kind, row.subject, row.hour, row.personId),
    index("alerts_person_index").on(row.personId, row.id),
  ],
);

export type AlertRow = RowOf<typeof alerts>;
