// Restores a backup over a data directory's databases. Invariant: the directory only changes after
// the backup was verified in it, and the old databases are kept.

import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

import { operator, type Tx } from "#platform/database/database.ts";
import type { Mode } from "#platform/database/shop.ts";
import { openSqliteDatabase } from "#platform/database/sqlite/sqlite.ts";
import { copyFiles, type FileStore, openFolderStore } from "#platform/files/file-store.ts";
import { openVault } from "#platform/vault/vault.ts";

import {
  asWriteFault,
  backedUpModes,
  databaseFile,
  makeFolder,
  mediaOf,
  stampOf,
  syncFolder,
} from "./files.ts";
import { claimDatabases, finishSwap, noteSwap, type Swap } from "./swap.ts";
import { unpackBackup, type VerifiedBackup, verifyBackup, type VerifyingWork } from "./verify.ts";
import type { BackupWork } from "./work.ts";

const STAGED = /^restore-\d{4}-\d\d-\d\dT\d{6}\.\d{3}Z$/;

export interface RestoreTerms {
  /** The data directory, whose lock the caller holds. */
  readonly directory: string;
  /** The files of media of a store; by default those in the data directory. */
  readonly media?: (mode: Mode, storeId: string | null) => FileStore;
  /** The absolute path of the backup. */
  readonly backup: string;
  /** The interrupted restore that was finished when the lock was taken. */
  readonly finished: Swap | null;
  /** True if a shop is restored although its figures do not agree. */
  readonly despiteDifferences: boolean;
  /** Changes the databases of the backup before they are in place; null changes nothing. */
  readonly prepare: ((verified: VerifiedBackup) => Preparation | null) | null;
}

/** A story in each database of a backup. */
export type Preparation = (tx: Tx) => Promise<void>;

export interface RestoreReport {
  /** An interrupted restore that is finished now. */
  readonly finished: Swap | null;
  /** The audit results of the backup; null if the interrupted restore was of the same backup. */
  readonly verified: VerifiedBackup | null;
  /** True if the backup's databases are in place. */
  readonly isRestored: boolean;
  /** The folder of the old databases; null if there were none. */
  readonly aside: string | null;
}

/**
 * Restores the backup, or leaves the databases as they were. Throws BackupFault if the backup is
 * damaged or a backup is running, and SchemaMismatch if a newer program made it.
 */
export async function restoreBackup(
  terms: RestoreTerms,
  work: VerifyingWork,
): Promise<RestoreReport> {
  using claim = claimDatabases(terms.directory);
  const { directory } = claim;
  const { finished } = terms;
  if (finished?.backup === terms.backup) {
    return { finished, verified: null, isRestored: true, aside: asideOf(directory, finished) };
  }
  sweepStaged(directory);
  const stamp = stampOf(work.clock.now());
  const swap = {
    staged: `restore-${stamp}`,
    aside: `before-restore-${stamp}`,
    backup: terms.backup,
  };
  const verified = await stage(terms, join(directory, swap.staged), work);
  const { live, test } = verified.proven;
  const isSound = live.differences + test.differences === 0;
  if (!isSound && !terms.despiteDifferences) {
    rmSync(join(directory, swap.staged), { recursive: true });
    return { finished, verified, isRestored: false, aside: null };
  }
  await restoreMedia(terms, verified);
  noteSwap(directory, swap);
  finishSwap(directory);
  return { finished, verified, isRestored: true, aside: asideOf(directory, swap) };
}

/**
 * Before the rows that need them. Files that the former databases need stay, too: the sweep deletes what none needs any
 * more.
 */
async function restoreMedia(
  { directory, backup, media }: RestoreTerms,
  { proven }: VerifiedBackup,
): Promise<void> {
  for (const mode of backedUpModes) {
    const to = media?.(mode, proven[mode].storeId) ?? openFolderStore(mediaOf(directory, mode));
    try {
      // A file in a bucket is not damaged by a disk, and takes long to be written anew.
      const replaces = to.folder !== null;
      await copyFiles(openFolderStore(mediaOf(backup, mode)), to, { replaces });
    } catch (error) {
      throw asWriteFault(error, to.label);
    }
  }
}

/** Unpacks the databases into the folder, verified and synced. */
async function stage(
  { directory, backup, prepare }: RestoreTerms,
  folder: string,
  work: VerifyingWork,
): Promise<VerifiedBackup> {
  try {
    const verified = await verifyBackup(backup, folder, work);
    makeFolder(folder);
    await unpackBackup(backup, folder, work);
    const preparation = prepare?.(verified) ?? null;
    if (preparation !== null) await prepareStaged(folder, preparation, work);
    syncFolder(folder);
    work.signal.throwIfAborted();
    return verified;
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw asWriteFault(error, directory);
  }
}

/** Migrates the databases as a start would, and runs the story in each. */
async function prepareStaged(
  folder: string,
  preparation: Preparation,
  { clock }: BackupWork,
): Promise<void> {
  for (const mode of backedUpModes) {
    const path = join(folder, databaseFile(mode));
    const { database } = openSqliteDatabase(path, { clock, vault: openVault(folder, null) });
    try {
      await database.write(preparation, { actor: operator });
    } finally {
      await database.close();
    }
  }
}

/** Deletes what a restore left that ended before its commit. */
function sweepStaged(directory: string): void {
  for (const name of readdirSync(directory).filter((one) => STAGED.test(one))) {
    rmSync(join(directory, name), { recursive: true, force: true });
  }
}

function asideOf(directory: string, swap: Swap): string | null {
  const path = join(directory, swap.aside);
  return existsSync(path) ? path : null;
}
