// The engine for several machines: a PostgreSQL schema that any number of programs share. Reads use
// a pool, one statement at a time. Each story has its own READ COMMITTED transaction, so it must
// lock the rows it decides on, or guard its writes.

import type { Clock } from "#kernel/time.ts";
import type { Commit, Database } from "#platform/database/database.ts";
import { dropLeasesOf } from "#platform/database/leases.ts";
import type { MigrationReport, OnStep } from "#platform/database/migrations.ts";
import type { Mode } from "#platform/database/shop.ts";
import type { Vault } from "#platform/vault/vault.ts";

import type { PostgresAddress } from "./address.ts";
import { AnnouncementPoller, Listeners } from "./announcements.ts";
import { requireMarkKey } from "./key-mark.ts";
import { migratePostgres } from "./migrate.ts";
import { readerOver, readTogether } from "./reading.ts";
import { PostgresServer, requireUsable } from "./server.ts";
import { SEQUENCE } from "./transaction.ts";
import { PostgresWriter } from "./writer.ts";

/** Share of a mode's connections that stories use; the rest is for reads. */
const WRITING_SHARE = 0.6;
const MODES = 2;

export interface PostgresTerms {
  readonly address: PostgresAddress;
  /** The most connections that this program opens, for both modes together. */
  readonly connectionsMax: number;
  readonly mode: Mode;
  readonly home: string;
  readonly clock: Clock;
  readonly vault: Vault;
  readonly isKeyReplaced?: true;
  readonly onCommit?: (commit: Commit) => void;
  /** Called when the server cannot be polled for events. */
  readonly onFault: (error: unknown) => void;
  readonly onMigration?: OnStep | undefined;
}

/**
 * Opens the schema of a mode; creates and migrates it as needed, also while other programs do.
 * Drops the leases of an earlier run from the same home. Throws NoPrimary, UnusableServer,
 * SchemaMismatch or OtherKey.
 */
export async function openPostgresDatabase(
  terms: PostgresTerms,
): Promise<{ readonly database: Database; readonly migrated: MigrationReport }> {
  const { address, mode, vault } = terms;
  const total = Math.max(2, Math.floor(terms.connectionsMax / MODES));
  const writing = Math.max(1, Math.floor(total * WRITING_SHARE));
  const writers = await PostgresServer.open({ address, schema: mode, connectionsMax: writing });
  const readers = await PostgresServer.open({
    address,
    schema: mode,
    connectionsMax: total - writing,
  });
  const listeners = new Listeners();
  const announce = () => listeners.announce();
  try {
    await requireUsable(writers);
    const migrated = await migratePostgres(writers, mode, {
      clock: terms.clock,
      onStep: terms.onMigration,
    });
    await writers.ask(
      "INSERT INTO counters (name, value) VALUES ($1, 0) ON CONFLICT (name) DO NOTHING",
      [SEQUENCE],
    );
    const writer = new PostgresWriter(writers, { ...terms, onAnnounced: announce });
    const poller = new AnnouncementPoller(readers, {
      announce,
      onFault: terms.onFault,
      onSilence: () => Promise.all([writers.checkPrimary(), readers.checkPrimary()]),
      onDemoted: () => Promise.all([writers.reconnect(), readers.reconnect()]),
    });
    const database: Database = {
      vault,
      isShared: true,
      home: terms.home,
      inProgress: new Map(),
      read: readerOver((text, values) => readers.ask(text, values), vault),
      readTogether: (reads) => readTogether(readers, vault, reads),
      write: (story, options) => writer.write(story, options),
      sizes: () => schemaSize(readers, mode),
      isWritable: () => !writer.isClosed && poller.isAnswering,
      onAnnounced: (listener) => listeners.add(listener),
      close: async () => {
        poller.stop();
        await writer.close();
        listeners.close();
        await Promise.all([writers.close(), readers.close()]);
      },
    };
    await database.write(async (tx) => {
      if (terms.isKeyReplaced !== true) await requireMarkKey(tx);
      await dropLeasesOf(tx, terms.home);
    });
    poller.start();
    return { database, migrated };
  } catch (error) {
    await Promise.all([writers.close(), readers.close()]);
    throw error;
  }
}

/** Includes indexes and TOAST tables. */
async function schemaSize(server: PostgresServer, schema: string) {
  const [row] = await server.ask(
    `SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0)
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = $1 AND c.relkind = 'r'`,
    [schema],
  );
  return { database: Number(row?.[0] ?? 0), log: 0 };
}
