// Lookup: when the last proved backup was made that a place has. No bucket is asked: what was copied is remembered.

import { SECOND_MS } from "#kernel/time.ts";
import { listBackups } from "#platform/backup/backup-folder.ts";
import { findCopied } from "#platform/backup/copied-mark.ts";
import { BackupFault } from "#platform/backup/files.ts";
import { isSignedManifest } from "#platform/backup/manifest.ts";
import type { Config } from "#platform/config/config.ts";
import type { Reader } from "#platform/database/database.ts";
import { findStoreId } from "#shop/store/lookups.ts";

/** Epoch milliseconds; null for a place that has none. On PostgreSQL there is no place. */
export type BackupTimes = Partial<Record<"folder" | "bucket", number | null>>;

/** Returns the times by the places that the settings name. */
export async function findBackupTimes(
  { server, backup, dataDirectory }: Config,
  live: Reader,
): Promise<BackupTimes> {
  if (server !== null) return {};
  const folder = await findLastBackup(backup.folder, live);
  const { copies } = backup;
  return { folder, ...(copies === null ? {} : { bucket: findCopied(dataDirectory, copies) }) };
}

/** The same as ages in seconds. */
export async function findBackupAges(
  config: Config,
  live: Reader,
  nowMs: number,
): Promise<BackupTimes> {
  const times = Object.entries(await findBackupTimes(config, live));
  return Object.fromEntries(
    times.map(([place, at]) => [place, at === null ? null : Math.round((nowMs - at) / SECOND_MS)]),
  );
}

async function findLastBackup(folder: string, live: Reader): Promise<number | null> {
  const storeId = await findStoreId(live);
  const found = listBackups(folder).find(
    ({ manifest }) =>
      !(manifest instanceof BackupFault) &&
      manifest.storeId === storeId &&
      manifest.differences === 0 &&
      isSignedManifest(manifest, live.vault),
  );
  if (found === undefined || found.manifest instanceof BackupFault) return null;
  return Date.parse(found.manifest.createdAt);
}
