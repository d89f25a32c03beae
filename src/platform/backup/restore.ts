// Puts a backup in the place of a data directory's databases. Invariant: nothing in the directory changes
// before the backup was proven there, and what was there is kept.

import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

import { inOurWords } from "./fault.ts";
import { makeFolder, stampOf, syncFolder } from "./files.ts";
import { claimDatabases, finishSwap, noteSwap, type Swap } from "./swap.ts";
import { unpackBackup, type VerifiedBackup, verifyBackup } from "./verify.ts";
import { type BackupWork } from "./work.ts";

const STAGED = /^restore-\d{4}-\d\d-\d\dT\d{6}\.\d{3}Z$/;

export interface RestoreTerms {
  /** The data directory, whose lock the caller holds. */
  readonly directory: string;
  /** The absolute path of the backup. */
  readonly backup: string;
  /** The interrupted restore that was finished when the directory was taken. */
  readonly finished: Swap | null;
  /** Whether to restore a shop whose figures do not agree. */
  readonly despiteDifferences: boolean;
}

export interface RestoreReport {
  /** A restore that had been interrupted, and is finished now. */
  readonly finished: Swap | null;
  /** What was found in the backup; null where the interrupted restore was of the same one. */
  readonly verified: VerifiedBackup | null;
  /** Whether the databases of the backup are in place. */
  readonly isRestored: boolean;
  /** Where the databases from before are; null where there were none. */
  readonly aside: string | null;
}

/**
 * Afterwards the databases are those of the backup, or as they were. Throws BackupFault where the
 * backup is damaged or a backup is being made, SchemaMismatch where a newer program made it.
 */
export async function restoreBackup(terms: RestoreTerms, work: BackupWork): Promise<RestoreReport> {
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
  noteSwap(directory, swap);
  finishSwap(directory);
  return { finished, verified, isRestored: true, aside: asideOf(directory, swap) };
}

/** Afterwards the databases lie in the folder, proven and on the disk. */
async function stage(
  { directory, backup }: RestoreTerms,
  folder: string,
  work: BackupWork,
): Promise<VerifiedBackup> {
  try {
    const verified = await verifyBackup(backup, folder, work);
    makeFolder(folder);
    await unpackBackup(backup, folder, work);
    syncFolder(folder);
    work.signal.throwIfAborted();
    return verified;
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw inOurWords(error, directory);
  }
}

/** What a restore left that ended before it was decided. */
function sweepStaged(directory: string): void {
  for (const name of readdirSync(directory).filter((one) => STAGED.test(one))) {
    rmSync(join(directory, name), { recursive: true, force: true });
  }
}

function asideOf(directory: string, swap: Swap): string | null {
  const path = join(directory, swap.aside);
  return existsSync(path) ? path : null;
}
