// Joins the checks to what they look at: the running server, or what is there without one.

import type { CheckRow, Place, Served, Stored } from "#checks/check.ts";
import { Checklist } from "#checks/checklist.ts";
import { allChecks, checksOfPlace, checksOfShop } from "#checks/checks.ts";
import { readOpenFilesMax } from "#checks/open-files.ts";
import { realClock } from "#kernel/time.ts";
import type { Config } from "#platform/config/config.ts";
import { hasDatabases, openSnapshot } from "#platform/database/open-database.ts";
import type { Mode } from "#platform/database/shop.ts";
import type { Log } from "#platform/log/log.ts";
import { type DiskRoom, diskRoomOf } from "#platform/process/disk-reserve.ts";
import { openVault } from "#platform/vault/vault.ts";

import type { Shops } from "./open-shops.ts";

export interface ServerTerms {
  readonly config: Config;
  readonly log: Log;
  /** By default the disk of the data directory. */
  readonly readDisk: (() => DiskRoom) | undefined;
  /** The address at which the server answers. */
  readonly servedAt: () => string;
}

/** The checklists of both shops, as the server that serves them sees them. */
export function openChecklists(
  shops: Shops,
  { config, log, readDisk, servedAt }: ServerTerms,
): Readonly<Record<Mode, Checklist<Served>>> {
  const listOf = (mode: Mode) =>
    new Checklist<Served>({
      checks: allChecks,
      mode,
      see: () => ({
        ...placeOf(config, mode),
        ...(readDisk === undefined ? {} : { readDisk }),
        servedAt: servedAt(),
        isWritable: shops[mode].database.isWritable(),
        db: shops[mode].database.read,
        live: shops.live.database.read,
        openFilesMax: readOpenFilesMax(),
      }),
      onFault: (check, error) => log.error("A check could not look.", { check, error }),
    });
  return { test: listOf("test"), live: listOf("live") };
}

/** Finds out what can be told of the live shop while no server runs. Throws what keeps its databases from being read. */
export async function lookWithoutServer(
  config: Config,
  onFault: (check: string, error: unknown) => void,
): Promise<readonly CheckRow[]> {
  const { dataDirectory: directory, server, secretKey } = config;
  const mode = "live";
  const place = placeOf(config, mode);
  const databases = { directory, server };
  if (!(await hasDatabases(databases))) {
    return new Checklist<Place>({ checks: checksOfPlace, mode, see: () => place, onFault }).rows();
  }
  await using snapshot = await openSnapshot(mode, databases, openVault(directory, secretKey));
  const stored: Stored = { ...place, db: snapshot.reader, live: snapshot.reader };
  return await new Checklist({ checks: checksOfShop, mode, see: () => stored, onFault }).rows();
}

function placeOf(config: Config, mode: Mode): Place {
  return {
    config,
    mode,
    now: () => realClock.now(),
    servedAt: null,
    isWritable: true,
    readDisk: () => diskRoomOf(config.dataDirectory),
  };
}
