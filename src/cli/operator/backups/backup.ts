// `duka backup`, `duka backup verify` and `duka backup list`. Invariant: the databases are only read, and a
// running server is not blocked.

import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";

import { requireShop } from "#cli/operator/require-shop.ts";
import { type JsonOptions, readSettings } from "#cli/operator/settings.ts";
import { renderTable } from "#cli/operator/table.ts";
import { listBackups, pruneBackups, type StoredBackup } from "#platform/backup/backup-folder.ts";
import { takeBackup, type TakenBackup } from "#platform/backup/backup.ts";
import { COPY_SCHEME } from "#platform/backup/copies.ts";
import { backedUpModes, BackupFault } from "#platform/backup/files.ts";
import { lowerPriority } from "#platform/backup/steps.ts";
import { verifyBackup } from "#platform/backup/verify.ts";
import type { Config } from "#platform/config/config.ts";
import { requireOwner } from "#platform/data-directory/own-files.ts";
import { bucketLabel } from "#platform/files/s3-call.ts";
import { print } from "#platform/process/output.ts";
import { KEY_FILE } from "#platform/vault/keys.ts";
import { openVault } from "#platform/vault/vault.ts";

import {
  type BackupOptions,
  describeProof,
  megabytes,
  presentFilesOf,
  readKeep,
  terminalWork,
  trustedVault,
  type TrustOptions,
} from "./backup-work.ts";
import { copiesAtTerminal, copyToBucket, findBackup, placesOf } from "./copy-backup.ts";

/**
 * Prints the path of a new backup on stdout, and its verification on stderr. True when all figures in it
 * agree and the bucket has it, too; else older backups are not deleted, since one of them may be the last sound one.
 */
export async function backUpAtTerminal(options: BackupOptions): Promise<boolean> {
  const config = readSettings(options);
  const { dataDirectory } = config;
  const { folder, copies, isOnlyCopied } = placesOf(options.to, config);
  const keep = readKeep(options.keep);
  await requireShop(config);
  requireOwner(dataDirectory);
  using work = terminalWork(openVault(dataDirectory, config.secretKey));
  const media = await presentFilesOf(config);
  const taken = await takeBackup(dataDirectory, folder, {
    ...work,
    ...(media === null ? {} : { media }),
    onCopied: lowerPriority,
  });
  work[Symbol.dispose]();
  printProof(taken, config);
  const isCopied =
    copies === null || (await copyToBucket(taken, copies, { ...work, dataDirectory, keep }));
  const isGone = isOnlyCopied && isCopied;
  if (isGone) rmSync(taken.path, { recursive: true });
  else letGo(taken, keep);
  print(isGone ? `${COPY_SCHEME}${basename(taken.path)}` : taken.path);
  return taken.manifest.differences === 0 && isCopied;
}

function printProof({ manifest, proven }: TakenBackup, config: Config): void {
  for (const line of describeProof(manifest, proven)) console.error(line);
  printContents(config);
  if (manifest.differences > 0) {
    console.error("The backup was kept, and no older one was deleted.");
  }
}

/** Deletes the oldest backups beside one in which all figures agree. */
function letGo({ path, manifest }: TakenBackup, keep: number | null): void {
  if (keep === null || manifest.differences > 0) return;
  const terms = { keep, spare: path, storeId: manifest.storeId };
  for (const old of pruneBackups(dirname(path), terms)) console.error(`Deleted ${old}`);
}

/** Prints what is in the backup from elsewhere, and what is not in it. */
function printContents({ media, dataDirectory }: Config): void {
  if (media !== null && "bucket" in media) {
    console.error(`The backup has the pictures of ${bucketLabel(media.bucket)}.`);
  }
  // A stolen backup must not be able to sign webhooks.
  if (existsSync(join(dataDirectory, KEY_FILE))) {
    console.error(
      `The backup does not contain ${KEY_FILE}: keep a copy of that file in another place.`,
    );
  }
}

/** Restores the backup into a temporary folder and prints its verification; true when all figures agree. */
export async function verifyBackupAtTerminal(
  path: string,
  options: TrustOptions,
): Promise<boolean> {
  const config = readSettings(options);
  using terminal = terminalWork(trustedVault(options));
  const work = { ...terminal, isUnverifiedAllowed: options.unverified === true };
  const scratch = mkdtempSync(join(tmpdir(), "duka-verify-"));
  try {
    using found = await findBackup(path, config, { ...work, folder: scratch, finished: null });
    const { manifest, proven } = await verifyBackup(found.path, join(scratch, "shop"), work);
    terminal[Symbol.dispose]();
    for (const line of describeProof(manifest, proven)) print(line);
    const isSound = backedUpModes.every((mode) => proven[mode].differences === 0);
    if (isSound) print(`The backup restores the shop of ${manifest.createdAt}.`);
    return isSound;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Prints the backups of the folder, newest first, and then those of the bucket; false where that does not answer. */
export async function listBackupsAtTerminal(
  options: BackupOptions & JsonOptions,
): Promise<boolean> {
  const { folder, copies, isOnlyCopied } = placesOf(options.to, readSettings(options));
  const found = isOnlyCopied ? [] : listBackups(folder);
  const copied = copies === null ? [] : await copiesAtTerminal(copies);
  const rows = [...found, ...(copied ?? [])].map(rowOf);
  print(
    options.json === true
      ? JSON.stringify(rows, null, 2)
      : renderTable(
          ["MADE", "SIZE", "STATE", "PATH"],
          rows.map((row) => [row.created_at ?? "-", megabytes(row.bytes), row.state, row.path]),
        ),
  );
  return copied !== null;
}

function rowOf({ path, bytes, manifest }: StoredBackup) {
  if (manifest instanceof BackupFault) {
    return {
      path,
      bytes,
      state: "unusable",
      created_at: null,
      store_id: null,
      duka_version: null,
      differences: null,
    };
  }
  const { createdAt, storeId, dukaVersion, differences } = manifest;
  return {
    path,
    bytes,
    state: differences === 0 ? "complete" : "differs",
    created_at: createdAt,
    store_id: storeId,
    duka_version: dukaVersion,
    differences,
  };
}
