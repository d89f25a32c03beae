// `duka restore`: the databases of a backup take the place of those of the data directory, while no
// server runs.

import { resolve } from "node:path";

import { readSettings, type SettingOptions } from "#cli/operator/settings.ts";
import { lockDataDirectory } from "#platform/backup/data-directory.ts";
import type { RestoreReport } from "#platform/backup/restore.ts";
import { restoreBackup } from "#platform/backup/restore.ts";

import { describeProof, terminalWork } from "./backup-work.ts";

export interface RestoreOptions extends SettingOptions {
  readonly despiteDifferences?: true;
}

/** Says what was done; answers whether the backup is in place. */
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
  const lines =
    finished === null ? [] : [`An interrupted restore of ${finished.backup} was finished.`];
  if (verified !== null) lines.push(...describeProof(verified.manifest, verified.proven));
  if (!isRestored) {
    return [
      ...lines,
      "Nothing was restored: not all figures in the backup agree. " +
        "--despite-differences restores it all the same.",
    ];
  }
  if (verified !== null) lines.push(`Restored the shop of ${verified.manifest.createdAt}.`);
  lines.push(
    aside === null
      ? "There were no databases before."
      : `The databases from before are in ${aside}.`,
  );
  return lines;
}
