// The copies of backups in a bucket, at a terminal: `duka backup upload`, and what the other commands do there.

import { rmSync } from "node:fs";
import { basename, join, resolve } from "node:path";

import { readSettings, UsageFault } from "#cli/operator/settings.ts";
import { toIso } from "#kernel/time.ts";
import {
  listBackups,
  NAME,
  type StoredBackup,
  unfinishedName,
} from "#platform/backup/backup-folder.ts";
import type { TakenBackup } from "#platform/backup/backup.ts";
import { noteCopied } from "#platform/backup/copied-mark.ts";
import {
  COPY_SCHEME,
  type CopyPlace,
  downloadCopy,
  listCopies,
  openCopies,
  readCopy,
  uploadCopy,
} from "#platform/backup/copies.ts";
import { BackupFault } from "#platform/backup/files.ts";
import { isSignedManifest } from "#platform/backup/manifest.ts";
import { pruneCopies } from "#platform/backup/prune-copies.ts";
import type { Swap } from "#platform/backup/swap.ts";
import { requireAcceptable, type VerifyingWork } from "#platform/backup/verify.ts";
import type { BackupWork } from "#platform/backup/work.ts";
import type { Config } from "#platform/config/config.ts";
import { requireOwner } from "#platform/data-directory/own-files.ts";
import { print } from "#platform/process/output.ts";
import { openVault, type Vault } from "#platform/vault/vault.ts";

import { type BackupOptions, readKeep, terminalWork } from "./backup-work.ts";

/** Printed before a download that takes long. */
const UNPROVED =
  "This backup is not proven to be of your shop. All of it is restored but the secrets of webhooks, gateways and links.";

/** The places that a command works on: a folder, and the bucket unless the folder was named. */
export interface BackupPlaces {
  readonly folder: string;
  readonly copies: CopyPlace | null;
  /** True if the folder keeps nothing that the bucket has. */
  readonly isOnlyCopied: boolean;
}

export function placesOf(to: string | undefined, { backup }: Config): BackupPlaces {
  const { folder, copies } = backup;
  if (to === undefined) return { folder, copies, isOnlyCopied: false };
  if (to === COPY_SCHEME) return { folder, copies: requirePlace(copies), isOnlyCopied: true };
  return { folder: resolve(to), copies: null, isOnlyCopied: false };
}

function requirePlace(copies: CopyPlace | null): CopyPlace {
  if (copies !== null) return copies;
  throw new UsageFault("There is no bucket of backups: set DUKA_BACKUP_S3_ENDPOINT.");
}

interface CopyTerms {
  readonly dataDirectory: string;
  /** Null deletes none. */
  readonly keep: number | null;
}

/** Copies the backup to the bucket, and deletes old ones there. Prints why it cannot, and returns false. */
export async function copyToBucket(
  { path, manifest }: Pick<TakenBackup, "path" | "manifest">,
  place: CopyPlace,
  { dataDirectory, keep, ...work }: CopyTerms & BackupWork & { readonly vault: Vault },
): Promise<boolean> {
  const store = openCopies(place);
  try {
    await uploadCopy(store, { path, manifest }, work);
  } catch (error) {
    work.signal.throwIfAborted();
    if (!(error instanceof BackupFault)) throw error;
    console.error(
      `The backup was not copied: ${error.message} It stays in ${path}; a running server tries each hour to copy it, and so does \`duka backup upload\`.`,
    );
    return false;
  }
  console.error(`Copied to ${store.label}.`);
  if (manifest.differences > 0) return true;
  noteCopied(dataDirectory, place, manifest);
  if (keep === null) return true;
  const { storeId } = manifest;
  const { vault, clock } = work;
  const terms = { keep, spare: basename(path), storeId, vault, nowMs: clock.now() };
  const { deleted, refused } = await pruneCopies(store, terms);
  for (const name of deleted) console.error(`Deleted ${COPY_SCHEME}${name}`);
  if (refused !== null) console.error(`Warning: what is old stays in the bucket. ${refused}`);
  return true;
}

/** Copies the newest backup that was proved, if the bucket lacks it; true when it has it. */
export async function uploadAtTerminal(options: BackupOptions): Promise<boolean> {
  const config = readSettings(options);
  const { dataDirectory, backup, secretKey } = config;
  const place = requirePlace(backup.copies);
  const keep = readKeep(options.keep);
  requireOwner(dataDirectory);
  using work = terminalWork(openVault(dataDirectory, secretKey));
  const found = newestIn(listBackups(backup.folder), work);
  if (found === undefined) {
    console.error(`There is no verified backup in ${backup.folder}.`);
    return true;
  }
  const copied = newestIn(await listCopies(openCopies(place)), work);
  if (copied !== undefined && copied.manifest.createdAt >= found.manifest.createdAt) {
    noteCopied(dataDirectory, place, copied.manifest);
    return true;
  }
  const isCopied = await copyToBucket(found, place, { ...work, dataDirectory, keep });
  if (isCopied) print(`${COPY_SCHEME}${basename(found.path)}`);
  return isCopied;
}

/**
 * The first that this shop's key signed, and in which all figures agree. One of the future was made while the clock was
 * wrong, and would stand before all others until then.
 */
function newestIn(
  backups: readonly StoredBackup[],
  { vault, clock }: Pick<BackupWork, "clock"> & { readonly vault: Vault },
) {
  const now = toIso(clock.now());
  return backups
    .flatMap(({ path, manifest }) => (manifest instanceof BackupFault ? [] : [{ path, manifest }]))
    .filter(({ manifest }) => manifest.differences === 0 && manifest.createdAt <= now)
    .find(({ manifest }) => isSignedManifest(manifest, vault));
}

/** A backup in a folder of this machine; disposing it deletes what was downloaded. */
interface FoundBackup extends Disposable {
  readonly path: string;
}

interface FindingTerms extends VerifyingWork {
  /** The folder in which the download of a copy is put. */
  readonly folder: string;
  /** The restore that was interrupted and is finished; it needs no download of its copy. */
  readonly finished: Swap | null;
}

/** Finds the backup of a path, or downloads that of a name such as `s3:duka-2026-11-21T033000.000Z` once it is acceptable. */
export async function findBackup(
  named: string,
  { backup }: Config,
  work: FindingTerms,
): Promise<FoundBackup> {
  if (!named.startsWith(COPY_SCHEME)) return { path: resolve(named), [Symbol.dispose]: () => {} };
  const name = named.slice(COPY_SCHEME.length);
  if (!NAME.test(name)) {
    throw new UsageFault(`${named} is no name of a backup: \`duka backup list\` has them.`);
  }
  const path = join(work.folder, unfinishedName(name));
  const found = { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
  if (work.finished?.backup === path) return found;
  const store = openCopies(requirePlace(backup.copies));
  const manifest = await readCopy(store, name);
  if (!requireAcceptable(manifest, named, work)) console.error(UNPROVED);
  try {
    await downloadCopy(store, { name, manifest }, { ...work, folder: path });
    return found;
  } catch (error) {
    found[Symbol.dispose]();
    throw error;
  }
}

/** The copies of the bucket, newest first; null where it does not answer, which is printed. */
export async function copiesAtTerminal(place: CopyPlace): Promise<readonly StoredBackup[] | null> {
  try {
    return await listCopies(openCopies(place));
  } catch (error) {
    if (!(error instanceof BackupFault)) throw error;
    console.error(error.message);
    return null;
  }
}
