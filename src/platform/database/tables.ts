// The platform's own tables: event log, log cursors, counters, stored answers, timers, leases and
// the shop's clock. Nouns use them only through the platform. The tables of the search index differ
// per engine and are declared in search.ts.

import { sql } from "drizzle-orm";

import { defineKind, type Id } from "#kernel/id.ts";

import type { Actor } from "./database.ts";
import {
  bool,
  check,
  index,
  int,
  json,
  money,
  primaryKey,
  sequence,
  table,
  text,
  time,
  uniqueIndex,
} from "./kit.ts";

declare module "#kernel/id.ts" {
  interface IdKinds {
    event: "evt";
  }
}
defineKind("event", "evt");

/** Append-only. Invariant: `sequence` has no gaps and follows the order of commits. */
export const events = table(
  "events",
  {
    id: text().$type<Id<"event">>().primaryKey(),
    sequence: sequence().notNull(),
    name: text().notNull(),
    /** The id of the resource that the event is about, for its timeline. */
    subject: text().notNull(),
    actor: json().$type<Actor>().notNull(),
    requestId: text("request_id"),
    /** The exact JSON text of the payload, stored when the event happened. */
    data: text().notNull(),
    createdAt: time("created_at").notNull(),
  },
  (row) => [
    uniqueIndex("events_sequence_unique").on(row.sequence),
    index("events_name_index").on(row.name, row.sequence),
    index("events_subject_index").on(row.subject, row.sequence),
  ],
);

/** How far each consumer of the event log has read. */
export const logCursors = table(
  "log_cursors",
  { consumer: text().primaryKey(), sequence: sequence().notNull() },
  (row) => [check("log_cursors_sequence_not_negative", sql`${row.sequence} >= 0`)],
);

/** Gapless counters, such as order numbers. */
export const counters = table(
  "counters",
  { name: text().primaryKey(), value: money().notNull() },
  (row) => [check("counters_value_not_negative", sql`${row.value} >= 0`)],
);

/** The response stored for each idempotency key of a lineage, in the same commit as the work. */
export const storedAnswers = table(
  "stored_answers",
  {
    key: text().notNull(),
    /** Whose key it is: the lineage of the API key, or none in answers of before there were lineages. */
    lineage: text().notNull(),
    /** SHA-256 of method, path, query and canonical body. */
    fingerprint: text().notNull(),
    status: int().notNull(),
    headers: json().$type<Readonly<Record<string, string>>>().notNull(),
    body: text().notNull(),
    /** The ids of what it is about that its caller was not told, separated by spaces. */
    about: text(),
    /** True if a publishable key asked: strangers can store as much as they like, so it is kept for less long. */
    isPublic: bool("is_public").notNull().default(false),
    createdAt: time("created_at").notNull(),
  },
  (row) => [
    primaryKey({ columns: [row.key, row.lineage] }),
    index("stored_answers_created_index").on(row.isPublic, row.createdAt),
  ],
);

/** Scheduled work on the shop's clock. A row is deleted when its timer has fired. */
export const timers = table(
  "timers",
  {
    name: text().notNull(),
    /** The id of the resource that the timer is about. */
    subject: text().notNull(),
    dueAt: time("due_at").notNull(),
    /** Failed attempts since the timer was set. */
    attempts: int().notNull(),
    lastError: text("last_error"),
  },
  (row) => [
    primaryKey({ columns: [row.name, row.subject] }),
    index("timers_due_index").on(row.dueAt, row.name, row.subject),
  ],
);

/**
 * A known text sealed with the key of this shop: one row, or none if no other program shares the
 * database.
 */
export const vaultMarks = table(
  "vault_marks",
  { id: int().primaryKey(), sealed: text().notNull() },
  (row) => [check("vault_marks_is_one", sql`${row.id} = 1`)],
);

/** Leases of programs that share the database, on the machines' clocks. */
export const leases = table("leases", {
  name: text().primaryKey(),
  holder: text().notNull(),
  until: time().notNull(),
});

/** Requests answered by each program, per second. */
export const rateUses = table(
  "rate_uses",
  {
    /** The rate limit that is counted: a mode, or an API key with a limit of its own. */
    window: text().notNull(),
    second: time().notNull(),
    holder: text().notNull(),
    count: int().notNull(),
  },
  (row) => [
    primaryKey({ columns: [row.window, row.second, row.holder] }),
    index("rate_uses_second_index").on(row.second),
  ],
);

/** The offset of the shop's clock: one row, or none while it follows the machine's clock. */
export const shopClock = table(
  "shop_clock",
  { id: int().primaryKey(), offsetMs: time("offset_ms").notNull() },
  (row) => [check("shop_clock_is_one", sql`${row.id} = 1`)],
);

/** The programs that served the shop. All builds that are no release share the row of the release before them. */
export const versions = table("versions", {
  /** `0.2.0`, or `0.2.0+` for builds that are no release. */
  version: text().primaryKey(),
  commit: text(),
  /** The number of the newest migration that the program knows. */
  schema: int().notNull(),
  /** The number of the newest migration that a program without it cannot work beside. */
  oldestBeside: int("oldest_beside").notNull(),
  firstServedAt: time("first_served_at").notNull(),
});

/**
 * A row for each kind of text that an older version indexed, while these are indexed anew; afterwards none.
 */
export const searchRebuilds = table("search_rebuilds", {
  kind: text().primaryKey(),
  /** The last subject whose text was indexed. */
  after: text().notNull(),
  /** Texts that were indexed, and how many there were when it began. */
  done: int().notNull(),
  total: int().notNull(),
});
