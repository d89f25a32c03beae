// What is to be delivered, every attempt, and replays under way. Deliveries refer to their endpoint by
// id alone: deleting one with a month of history is one row, and what it leaves is pruned in small
// batches.

import { sql } from "drizzle-orm";

import type { Id } from "#kernel/id.ts";
import {
  bool,
  check,
  index,
  int,
  json,
  primaryKey,
  sequence,
  table,
  text,
  time,
} from "#platform/database/kit.ts";

import type { AttemptOutcome, AttemptTrigger, DeliveryStatus, FailureClass } from "./delivery.ts";

export const deliveries = table(
  "webhook_deliveries",
  {
    id: text().$type<Id<"delivery">>().primaryKey(),
    endpointId: text("endpoint_id").$type<Id<"webhook">>().notNull(),
    eventId: text("event_id").$type<Id<"event">>().notNull(),
    eventName: text("event_name").notNull(),
    /** The event's; null for a ping, which is in no log. */
    sequence: sequence(),
    isReplay: bool("is_replay").notNull(),
    status: text().$type<DeliveryStatus>().notNull(),
    /** Attempts by schedule, the one under way included. */
    attempts: int().notNull(),
    /** When it is due, on the shop's clock; while pending. */
    nextAt: time("next_at"),
    /** Which start of the program has it under way, and since when on the shop's clock. */
    claim: text(),
    claimedAt: time("claimed_at"),
    createdAt: time("created_at").notNull(),
    finishedAt: time("finished_at"),
  },
  (row) => [
    index("webhook_deliveries_endpoint_index").on(row.endpointId, row.id),
    index("webhook_deliveries_event_index").on(row.endpointId, row.eventId),
    index("webhook_deliveries_due_index")
      .on(row.endpointId, row.isReplay, row.nextAt, row.id)
      .where(sql`status = 'pending'`),
    index("webhook_deliveries_claim_index")
      .on(row.claim)
      .where(sql`status = 'sending'`),
    check(
      "webhook_deliveries_due_while_pending",
      sql`(${row.status} = 'pending') = (${row.nextAt} IS NOT NULL)`,
    ),
    check(
      "webhook_deliveries_claimed_while_sending",
      sql`(${row.status} = 'sending') = (${row.claim} IS NOT NULL)`,
    ),
  ],
);

export const attempts = table(
  "webhook_attempts",
  {
    deliveryId: text("delivery_id").$type<Id<"delivery">>().notNull(),
    /** In the order in which they ended; the first is 1. */
    number: int().notNull(),
    trigger: text().$type<AttemptTrigger>().notNull(),
    outcome: text().$type<AttemptOutcome>().notNull(),
    /** On the shop's clock. */
    startedAt: time("started_at").notNull(),
    durationMs: int("duration_ms"),
    responseStatus: int("response_status"),
    failure: text().$type<FailureClass>(),
    address: text(),
    /** The first 16 KB of what was answered. */
    excerpt: text().notNull(),
    nextAt: time("next_at"),
  },
  (row) => [primaryKey({ columns: [row.deliveryId, row.number] })],
);

/** One replay at a time for an endpoint: its place in the log, and what it looks for there. */
export const replays = table("webhook_replays", {
  endpointId: text("endpoint_id").$type<Id<"webhook">>().primaryKey(),
  /** The next event has a greater sequence. */
  after: sequence().notNull(),
  until: sequence().notNull(),
  names: json().$type<readonly string[]>(),
  failedOnly: bool("failed_only").notNull(),
  createdAt: time("created_at").notNull(),
});
