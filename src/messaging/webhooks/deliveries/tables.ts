// The tables of deliveries, their attempts, and running replays. Deliveries have no foreign key to
// their endpoint: deleting an endpoint deletes one row, and its history is pruned in small batches.

import { sql } from "drizzle-orm";

import { defineKind } from "#kernel/id.ts";
import {
  bool,
  check,
  index,
  int,
  json,
  primaryKey,
  sequence,
  text,
  time,
} from "#platform/database/kit.ts";
import { id, personal, plain, record, type RowOf } from "#platform/database/record.ts";

import type {
  AttemptOutcome,
  AttemptTrigger,
  DeliveryStatus,
  FailureClass,
} from "./delivery-life.ts";

declare module "#kernel/id.ts" {
  interface IdKinds {
    delivery: "dlv";
  }
}
defineKind("delivery", "dlv");

export const deliveries = record(
  "webhook_deliveries",
  {
    id: id("delivery").primaryKey(),
    endpointId: id("webhook").notNull(),
    eventId: id("event").notNull(),
    eventName: plain(text().notNull()),
    /** The event's sequence; null for a ping, which is not in the log. */
    sequence: sequence(),
    isReplay: bool().notNull(),
    status: text().$type<DeliveryStatus>().notNull(),
    /** Scheduled attempts, including one in flight. */
    attempts: int().notNull(),
    /** When a pending delivery is due, on the shop's clock. */
    nextAt: time(),
    /** The start of the program that is sending it, and since when on the shop's clock. */
    claim: plain(text()),
    claimedAt: time(),
    createdAt: time().notNull(),
    finishedAt: time(),
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

export const attempts = record(
  "webhook_attempts",
  {
    deliveryId: id("delivery").notNull(),
    /** From 1, in the order of the attempts' ends. */
    number: int().notNull(),
    trigger: text().$type<AttemptTrigger>().notNull(),
    outcome: text().$type<AttemptOutcome>().notNull(),
    /** On the shop's clock. */
    startedAt: time().notNull(),
    durationMs: int(),
    responseStatus: int(),
    failure: text().$type<FailureClass>(),
    address: plain(text()),
    /** The first 16 KB of the response, which may repeat what it was told. */
    excerpt: personal(text().notNull(), () => ""),
    nextAt: time(),
  },
  (row) => [primaryKey({ columns: [row.deliveryId, row.number] })],
);

/** The running replay of an endpoint, at most one: its position in the log and its filters. */
export const replays = record(
  "webhook_replays",
  {
    endpointId: id("webhook").primaryKey(),
    /** The next event has a greater sequence. */
    after: sequence().notNull(),
    until: sequence().notNull(),
    names: plain(json().$type<readonly string[]>()),
    failedOnly: bool().notNull(),
    createdAt: time().notNull(),
  },
  () => [],
);

export type DeliveryRow = RowOf<typeof deliveries>;
export type AttemptRow = RowOf<typeof attempts>;
export type ReplayRow = RowOf<typeof replays>;
