// The table of alerts: what a person of the shop is told. It has no personal data: what an alert says, and where it goes,
// is read from the log, the audit log and the person when it is sent.

import type { EmailStatus } from "#emails/email-life.ts";
import { defineKind } from "#kernel/id.ts";
import { index, int, text, time, uniqueIndex } from "#platform/database/kit.ts";
import { id, plain, record, type RowOf, stamps } from "#platform/database/record.ts";
import type { AlertChannel } from "#shop/people/alert-rules.ts";

declare module "#kernel/id.ts" {
  interface IdKinds {
    alert: "alr";
  }
}
defineKind("alert", "alr");

/** Kinds about the safety of the shop, from the audit log. */
const actKinds = ["device", "failures", "key", "person", "exported", "webhook", "setting"] as const;
export type ActKind = (typeof actKinds)[number];
/** Kinds about the shop's day, from the log of events. */
export type NewsKind = "order" | "review" | "low_stock";
export type AlertKind = ActKind | NewsKind | "summary";

export const alerts = record(
  "alerts",
  {
    id: id("alert").primaryKey(),
    /** The act that it tells of; empty where it tells of an event or of a day. */
    entryId: plain(text().notNull()),
    /** The event that it tells of; empty where it tells of an act or of a day. */
    eventId: plain(text().notNull().default("")),
    kind: text().$type<AlertKind>().notNull(),
    /** The record, setting or host that it is about, or the day of a summary. */
    subject: plain(text().notNull()),
    /**
     * Hours since 1970 at the act, or when the summary was due: what happens again in the same hour is not told again. 0
     * for events.
     */
    hour: int().notNull(),
    /** The person who is told. People are in the live store, also those who are told of the test shop. */
    personId: id("person").notNull(),
    channel: text().$type<AlertChannel>().notNull().default("email"),
    /** The browser to which it goes; empty if it is no push message. */
    subscriptionId: plain(text().notNull().default("")),
    /** How many it tells of: where many come at once, the later ones count in one alert. */
    count: int().notNull().default(1),
    /** Until when others of the kind count in it; null where none do. */
    gathersUntil: time(),
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
    uniqueIndex("alerts_once_unique").on(
      row.eventId,
      row.kind,
      row.subject,
      row.hour,
      row.personId,
      row.channel,
      row.subscriptionId,
    ),
    index("alerts_person_index").on(row.personId, row.id),
  ],
);

export type AlertRow = RowOf<typeof alerts>;

/** Returns true if an alert of this kind tells of an act. */
export function isActKind(kind: AlertKind): kind is ActKind {
  return actKinds.some((one) => one === kind);
}
