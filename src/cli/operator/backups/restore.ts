// `duka restore`: replaces the databases of the data directory by those of a backup, while no server runs.

import { giveUpSecrets } from "#cli/operator/reset-secrets.ts";
import { readSettings } from "#cli/operator/settings.ts";
import { endAllSessions } from "#customers/sessions/end-sessions.ts";
import { backedUpModes } from "#platform/backup/files.ts";
import {
  type Preparation,
  restoreBackup,
  type RestoreReport,
  type RestoreTerms,
} from "#platform/backup/restore.ts";
import type { VerifiedBackup } from "#platform/backup/verify.ts";
import { lockDataDirectory } from "#platform/data-directory/data-directory.ts";
import { requireOwner } from "#platform/data-directory/own-files.ts";
import { bucketLabel } from "#platform/files/s3-call.ts";
import { userName } from "#platform/process/environment.ts";
import { print } from "#platform/process/output.ts";
import { recordAct } from "#shop/audit/record-act.ts";
import { revokeAllKeys } from "#shop/keys/revoke-key.ts";
import { endAllAccess } from "#shop/people/remove-person.ts";

import {
  describeProof,
  mediaFilesOf,
  terminalWork,
  trustedVault,
  type TrustOptions,
} from "./backup-work.ts";
import { findBackup } from "./copy-backup.ts";

export interface RestoreOptions extends TrustOptions {
  readonly despiteDifferences?: true;
  readonly revokeKeys?: true;
  readonly revokePeople?: true;
}

/** Prints what was done; true when the backup is in place. */
export async function restoreAtTerminal(path: string, options: RestoreOptions): Promise<boolean> {
  const config = readSettings(options);
  const { dataDirectory } = config;
  const media = mediaFilesOf(config);
  requireOwner(dataDirectory);
  using lock = lockDataDirectory(dataDirectory);
  using terminal = terminalWork(trustedVault(options));
  const work = { ...terminal, isUnverifiedAllowed: options.unverified === true };
  const { finished } = lock;
  const { folder } = config.backup;
  using found = await findBackup(path, config, { ...work, folder, finished });
  const terms: RestoreTerms = {
    prepare: (verified) => preparation(verified, options),
    directory: lock.directory,
    ...(media === null ? {} : { media }),
    finished,
    backup: found.path,
    despiteDifferences: options.despiteDifferences === true,
  };
  const report = await restoreBackup(terms, work);
  terminal[Symbol.dispose]();
  for (const line of describeRestore(report, options)) print(line);
  if (
    report.verified !== null &&
    report.isRestored &&
    config.media !== null &&
    "bucket" in config.media
  ) {
    print(`Its pictures are in ${bucketLabel(config.media.bucket)}.`);
  }
  return report.isRestored;
}

/** The changes in the databases of the backup before they are in place. */
function preparation(
  { isGenuine }: VerifiedBackup,
  { revokeKeys, revokePeople }: RestoreOptions,
): Preparation {
  const by = userName();
  return async (tx) => {
    if (revokeKeys === true) await revokeAllKeys(tx);
    await endAllAccess(tx, { removesPeople: revokePeople === true, by });
    await endAllSessions(tx);
    // Secrets of another shop could be used by it: none of them is used here.
    if (!isGenuine) await giveUpSecrets(tx);
    await recordAct(tx, { actorName: by, action: "restore", subject: null });
  };
}

function describeRestore(
  { finished, verified, isRestored, aside }: RestoreReport,
  { revokeKeys, revokePeople, secretKeyFile }: RestoreOptions,
): string[] {
  const lines = finished === null ? [] : [`Finished an interrupted restore of ${finished.backup}.`];
  if (verified !== null) lines.push(...describeProof(verified.manifest, verified.proven));
  if (!isRestored) {
    return [
      ...lines,
      "Nothing was restored: figures in the backup do not agree. " +
        "Use --despite-differences to restore it anyway.",
    ];
  }
  if (verified !== null) {
    lines.push(...describeKeys(verified, revokeKeys === true));
    lines.push(...describePeople(verified, revokePeople === true));
    lines.push(`Restored the shop of ${verified.manifest.createdAt}.`);
    if (!verified.isGenuine) {
      lines.push(
        "Its webhooks are disabled until they have new secrets, and no secret of a gateway is stored; earlier links are not valid.",
      );
    }
  }
  if (secretKeyFile !== undefined) {
    lines.push(
      `The secrets of the backup are encrypted with the key in ${secretKeyFile}: copy it to ` +
        "secret.key of the data directory before the next start.",
    );
  }
  lines.push(
    aside === null ? "There were no earlier databases." : `The earlier databases are in ${aside}.`,
  );
  return lines;
}

/** The keys that the backup brings: each lets its holder in. */
function describeKeys({ proven }: VerifiedBackup, areRevoked: boolean): string[] {
  const state = areRevoked ? "revoked key" : "key";
  return backedUpModes.flatMap((mode) =>
    proven[mode].keys.map((key) => `${mode}: ${state} ${key}`),
  );
}

/** The people that the backup brings, whose sessions and links have ended: each may sign in again. */
function describePeople({ proven }: VerifiedBackup, areRemoved: boolean): string[] {
  return proven.live.people.map(
    (person) => `${areRemoved ? "removed person" : "person"} ${person}`,
  );
}
