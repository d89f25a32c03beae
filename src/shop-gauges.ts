// Gauges of both shops, read on each scrape: backlogs and database sizes.

import { CONSUMER as ANALYTICS } from "#analytics/figures.ts";
import type { BackupTimes } from "#checks/backup-times.ts";
import { CONSUMER as EMAILS } from "#emails/email.ts";
import { realClock, SECOND_MS } from "#kernel/time.ts";
import { type Backlog, measureBacklog } from "#messaging/webhooks/worker/lookups.ts";
import type { Config } from "#platform/config/config.ts";
import type { Shop } from "#platform/database/shop.ts";
import { lastSequence } from "#platform/event-log/event-log.ts";
import { countUnread } from "#platform/event-log/log-cursors.ts";
import type { GaugeTerms, Metrics } from "#platform/operator/metrics.ts";
import { countOverdue } from "#platform/scheduler/timer-queries.ts";
import { CONSUMER as LINE_TERMS } from "#sales/rows/line-index-queries.ts";

import type { Shops } from "./open-shops.ts";

/** Those of the log of events, of which each writes what it derives from it. `duka_webhook_unread_events` tells of webhooks. */
async function logReaders(): Promise<string[]> {
  const { CONSUMER: BOOKS } = await import("#books/tables.ts");
  return [ANALYTICS, BOOKS, EMAILS, LINE_TERMS];
}

/** Registers the gauges. */
export function addShopGauges(metrics: Metrics, shops: Shops, config: Config): void {
  metrics.addGauge({
    name: "duka_mode_served",
    help: "1 while the server answers keys of this mode; 0 for test where DUKA_TEST_MODE is off.",
    read: async (mode) => (config.modes.includes(mode) ? 1 : 0),
  });
  for (const gauge of gauges(shops)) metrics.addGauge(gauge);
  metrics.addReaderGauge({
    name: "duka_log_reader_behind",
    help: "Events that a reader of the log has still to read.",
    read: async (mode) => countUnread(shops[mode].database.read, await logReaders()),
  });
  metrics.addPlaceGauge({
    name: "duka_backup_age_seconds",
    help: "Time since the last proved backup that the place has.",
    read: () => backupAges(config, shops),
  });
}

/** The seconds since the last proved backup, by the place that has it. */
export async function backupAges(config: Config, { live }: Shops): Promise<BackupTimes> {
  if (!live.database.isWritable()) return {};
  const { findBackupAges } = await import("#checks/backup-times.ts");
  return findBackupAges(config, live.database.read, realClock.now());
}

function gauges(shops: Shops): GaugeTerms[] {
  return [
    {
      name: "duka_store_writable",
      help: "1 while the database accepts writes; 0 after a disk failure or while its server is unreachable.",
      read: async (mode) => (shops[mode].database.isWritable() ? 1 : 0),
    },
    {
      name: "duka_events_last_sequence",
      help: "The sequence of the last event.",
      read: (mode) => lastSequence(shops[mode].database.read),
    },
    {
      name: "duka_webhook_deliveries_waiting",
      help: "Deliveries waiting for their next attempt or for a free slot.",
      read: async (mode) => (await backlogOf(shops[mode])).waiting,
    },
    {
      name: "duka_webhook_oldest_waiting_seconds",
      help: "Age of the oldest waiting delivery.",
      read: async (mode) => (await backlogOf(shops[mode])).oldestMs / SECOND_MS,
    },
    {
      name: "duka_webhook_unread_events",
      help: "Events for which no deliveries have been made yet.",
      read: async (mode) => (await backlogOf(shops[mode])).unread,
    },
    {
      name: "duka_timers_overdue",
      help: "Timers past their due time that have not fired, up to 10,000.",
      read: (mode) => countOverdue(shops[mode].database.read, shops[mode].clock.now()),
    },
    {
      name: "duka_database_bytes",
      help: "Size of the database in bytes.",
      read: async (mode) => (await shops[mode].database.sizes()).database,
    },
    {
      name: "duka_wal_bytes",
      help: "Size of the SQLite write-ahead log in bytes; 0 on PostgreSQL.",
      read: async (mode) => (await shops[mode].database.sizes()).log,
    },
  ];
}

function backlogOf({ database, clock }: Shop): Promise<Backlog> {
  return measureBacklog(database.read, clock.now());
}
