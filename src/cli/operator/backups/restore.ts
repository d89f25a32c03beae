// `duka restore`: replaces the databases of the data directory by those of a backup, while no server runs.

import { resolve } from "node:path";

import { readSettings, type SettingOptions } from "#cli/operator/settings.ts";
import type { RestoreReport } from "#platform/backup/restore.ts";
import { restoreBackup } from "#platform/backup/restore.ts";
import { lockDataDirectory } from "#platform/data-directory/data-directory.ts";

import { describeProof, terminalWork } from "./backup-work.ts";

export interface RestoreOptions extends SettingOptions {
  readonly despiteDifferences?: true;
}

/** Prints what was done; true when the backup is in place. */
export async function restoreAtTerminal(path: string, options: RestoreOptions): Promise<boolean> {
  using lock = lockDataDirectory(readSettings(options).dataDirectory);
  using work = terminalWork();
  const terms = {
    directory: lock.directory,
    finished: lock.finished,
    backup: resolve(path),
    despiteDifferences: options.despiteDifferences === true,
  };
  const report = await restoreBackup(terms, work);
  work[Symbol.dispose]();
  for (const line of describeRestore(report)) console.log(line);
  return report.isRestored;
}

function describeRestore({ finished, verified, isRestored, aside }: RestoreReport): string[] {
  const lines = finished === null ? [] : [`Finished an interrupted restore of ${finished.backup}.`];
  if (verified !== null) lines.push(...describeProof(verified.manifest, verified.proven));
  if (!isRestored) {
    return [
      ...lines,
      "Nothing was restored: figures in the backup do not agree. " +
        "Use --despite-differences to restore it anyway.",
    ];
  }
  if (verified !== null) lines.push(`Restored the shop of ${verified.manifest.createdAt}.`);
  lines.push(
    aside === null ? "There were no earlier databases." : `The earlier databases are in ${aside}.`,
  );
  return lines;
}
