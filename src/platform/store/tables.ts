// The machinery's own tables: the event log, counters and stored answers. No noun reads or writes
// them except through this folder. The search index is not here: each engine has its own.

import { sql } from "drizzle-orm";

import type { Id } from "#kernel/id.ts";

import { check, index, int, json, money, table, text, time, uniqueIndex } from "./kit.ts";
import type { Actor } from "./store.ts";

/** Append-only. Invariant: `sequence` has no gaps and is the order of commits. */
export const events = table(
  "events",
  {
    id: text().$type<Id<"event">>().primaryKey(),
    sequence: int().notNull(),
    name: text().notNull(),
    /** The id of what the event is about, for its timeline. */
    subject: text().notNull(),
    actor: json().$type<Actor>().notNull(),
    requestId: text("request_id"),
    /** The payload's exact JSON text, frozen when the event happened. */
    data: text().notNull(),
    createdAt: time("created_at").notNull(),
  },
  (row) => [
    uniqueIndex("events_sequence_unique").on(row.sequence),
    index("events_name_index").on(row.name, row.sequence),
    index("events_subject_index").on(row.subject, row.sequence),
  ],
);

/** Numbers handed out one by one, such as an order's. */
export const counters = table(
  "counters",
  { name: text().primaryKey(), value: money().notNull() },
  (row) => [check("counters_value_not_negative", sql`${row.value} >= 0`)],
);

/** The answer each idempotency key got, in the same commit as the work. */
export const storedAnswers = table(
  "stored_answers",
  {
    key: text().primaryKey(),
    /** SHA-256 of method, path, query and canonical body. */
    fingerprint: text().notNull(),
    status: int().notNull(),
    headers: json().$type<Readonly<Record<string, string>>>().notNull(),
    body: text().notNull(),
    createdAt: time("created_at").notNull(),
  },
  (row) => [index("stored_answers_created_index").on(row.createdAt)],
);
