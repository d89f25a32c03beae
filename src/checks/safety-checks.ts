// Checks of what is left after a disaster, and of who can read the files.

import { existsSync } from "node:fs";

import { firstIdAt } from "#kernel/id.ts";
import { DAY_MS, HOUR_MS, toIso } from "#kernel/time.ts";
import { requireEndpointKey } from "#messaging/webhooks/endpoints/lookups.ts";
import { findForeign } from "#platform/data-directory/own-files.ts";
import type { Reader } from "#platform/database/database.ts";
import { KEY_FILE } from "#platform/vault/keys.ts";
import { OtherKey } from "#platform/vault/vault.ts";
import { listOrders } from "#sales/history/list-orders.ts";
import { requireLinkKey } from "#sales/links/link-terms.ts";

import { type BackupTimes, findBackupTimes } from "./backup-times.ts";
import { type Check, fail, ok, type Place, type Stored, todo, unknown } from "./check.ts";

const GUIDE = "/guides/go-live#files-backups-and-keys";
/** A backup each night, and two hours to make it in. */
const BACKUP_DUE_MS = 26 * HOUR_MS;
const BACKUP_LATE_MS = 7 * DAY_MS;
const NAMED_MAX = 3;
const UNCOPIED = "See in the log why it cannot be copied, or run duka backup upload.";

export const files: Check<Place> = {
  name: "files",
  area: "safety",
  href: GUIDE,
  look: ({ config: { dataDirectory, allowSharedFiles } }) => {
    if (!existsSync(dataDirectory)) return unknown(`There is no ${dataDirectory}.`);
    const { wide, others } = findForeign(dataDirectory);
    if (others.length > 0) {
      return fail(
        `Other users own ${named(others)}.`,
        "Give the files to the user of the server: chown -R.",
      );
    }
    if (wide.length === 0) return ok("Its user alone can read the files of the shop.");
    if (allowSharedFiles) return ok("Others can read files of the shop, as the settings allow.");
    return fail(
      `Other users of the machine can read ${named(wide)}.`,
      "Take their access: chmod -R go= on the data directory.",
    );
  },
};

function named(paths: readonly string[]): string {
  const rest = paths.length - NAMED_MAX;
  return paths.slice(0, NAMED_MAX).join(", ") + (rest > 0 ? ` and ${rest} more` : "");
}

export const backup: Check<Stored> = {
  name: "backup",
  area: "safety",
  href: GUIDE,
  look: async ({ config, live, now }) => {
    const { server, backup: plan } = config;
    if (server !== null) {
      return unknown(
        "The databases are on a PostgreSQL server.",
        "Back them up there, and try one out.",
      );
    }
    const times = await findBackupTimes(config, live);
    const newest = Math.max(0, ...Object.values(times).map((at) => at ?? 0));
    const age = newest === 0 ? Infinity : now() - newest;
    const found = foundOf(newest, times);
    if (age < BACKUP_DUE_MS) return isCopied(times, now()) ? ok(found) : fail(found, UNCOPIED);
    const remedy =
      plan.schedule === null
        ? "Set DUKA_BACKUP_SCHEDULE, or run duka backup every night."
        : "See in the log why the scheduled backups fail.";
    const before = newest === 0 ? now() - BACKUP_LATE_MS : now();
    const isLate = age >= BACKUP_LATE_MS && (await hasOrders(live, before));
    return isLate ? fail(`${found} Orders would be lost.`, remedy) : todo(found, remedy);
  },
};

/** The sentences about the last backup, and about the copy of the bucket where there is one. */
function foundOf(newest: number, { folder, bucket }: BackupTimes): string {
  if (newest === 0) return "There is no backup.";
  const last = `The last verified backup is of ${minuteOf(newest)}.`;
  if (bucket === undefined || (bucket === newest && folder === null)) return last;
  if (bucket === null) return `${last} The bucket has none.`;
  return `${last} The bucket has ${bucket === newest ? "it" : `that of ${minuteOf(bucket)}`}.`;
}

/** Returns true if a bucket that is to have the backups has one of these days. */
function isCopied({ bucket }: BackupTimes, nowMs: number): boolean {
  return bucket === undefined || nowMs - (bucket ?? 0) < BACKUP_DUE_MS;
}

function minuteOf(at: number): string {
  return `${toIso(at).slice(0, 16).replace("T", " ")} UTC`;
}

/** Returns true if the live shop had an order before this time. */
async function hasOrders(live: Reader, beforeMs: number): Promise<boolean> {
  const below = firstIdAt("order", beforeMs);
  return (await listOrders(live, { below }, { limit: 1, after: null })).rows.length > 0;
}

export const secretKey: Check<Stored> = {
  name: "secret_key",
  area: "safety",
  href: GUIDE,
  look: async ({ config, live }) => {
    try {
      if (!(await requireLinkKey(live))) await requireEndpointKey(live);
    } catch (error) {
      if (!(error instanceof OtherKey)) throw error;
      return fail(
        "The secrets of the shop are sealed with another key than this program's.",
        "Give it the key of the shop, in DUKA_SECRET_KEY or as secret.key.",
      );
    }
    if (config.secretKey !== null) return ok("DUKA_SECRET_KEY opens the secrets of the shop.");
    return todo(
      `The key of the secrets is in ${KEY_FILE} of the data directory, and in no backup.`,
      `Copy ${KEY_FILE} to another place, or set DUKA_SECRET_KEY.`,
    );
  },
};
