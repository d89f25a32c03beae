// What is measured of both shops when somebody asks: what waits, and how large the files are.

import { SECOND_MS } from "#kernel/time.ts";
import { type Backlog, measureBacklog } from "#messaging/webhooks/worker/lookups.ts";
import type { Shop } from "#platform/database/shop.ts";
import { lastSequence } from "#platform/event-log/event-log.ts";
import type { GaugeTerms, Metrics } from "#platform/metrics/metrics.ts";
import { countOverdue } from "#platform/scheduler/timer-queries.ts";

import type { Shops } from "./open-shops.ts";

/** Adds the figures of the shops. */
export function addShopGauges(metrics: Metrics, shops: Shops): void {
  for (const gauge of gauges(shops)) metrics.addGauge(gauge);
}

function gauges(shops: Shops): GaugeTerms[] {
  return [
    {
      name: "duka_store_writable",
      help: "1 while writes are taken, 0 after the disk failed or while the server does not answer.",
      read: async (mode) => (shops[mode].database.isWritable() ? 1 : 0),
    },
    {
      name: "duka_events_last_sequence",
      help: "The sequence of the last event.",
      read: (mode) => lastSequence(shops[mode].database.read),
    },
    {
      name: "duka_webhook_deliveries_waiting",
      help: "Deliveries that wait for their time or their turn.",
      read: async (mode) => (await backlogOf(shops[mode])).waiting,
    },
    {
      name: "duka_webhook_oldest_waiting_seconds",
      help: "How long the oldest delivery has been waiting.",
      read: async (mode) => (await backlogOf(shops[mode])).oldestMs / SECOND_MS,
    },
    {
      name: "duka_webhook_unread_events",
      help: "Events that are not on their way to any endpoint yet.",
      read: async (mode) => (await backlogOf(shops[mode])).unread,
    },
    {
      name: "duka_timers_overdue",
      help: "Timers that are due and have not fired.",
      read: (mode) => countOverdue(shops[mode].database.read, shops[mode].clock.now()),
    },
    {
      name: "duka_database_bytes",
      help: "Size of the database.",
      read: async (mode) => (await shops[mode].database.sizes()).database,
    },
    {
      name: "duka_wal_bytes",
      help: "Size of the write-ahead log of a database file; 0 in PostgreSQL, which tells of its own.",
      read: async (mode) => (await shops[mode].database.sizes()).log,
    },
  ];
}

function backlogOf({ database, clock }: Shop): Promise<Backlog> {
  return measureBacklog(database.read, clock.now());
}
