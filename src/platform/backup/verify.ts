// A restore drill: unpacks a backup into a scratch folder and starts it there as a restore would.
// Invariant: the backup is only read.

import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";

import type { Difference } from "#kernel/difference.ts";
import type { Mode } from "#platform/database/shop.ts";
import type { Vault } from "#platform/vault/vault.ts";

import {
  asWriteFault,
  backedUpModes,
  BackupFault,
  databaseFile,
  mediaOf,
  OWNER_ONLY_FOLDER,
} from "./files.ts";
import {
  type BackupManifest,
  isSignedManifest,
  packedFile,
  readManifest,
  requireKnownSchema,
} from "./manifest.ts";
import { unpack } from "./packing.ts";
import { contentsOf, type Proven, rehearseStart } from "./proof.ts";
import { type BackupWork, beginStep } from "./work.ts";

/** A restorable backup, with the differences in it. */
export interface VerifiedBackup {
  /** True if the key of the work's vault signed it; only asked for if `isUnverifiedAllowed`. */
  readonly isGenuine: boolean;
  readonly manifest: BackupManifest;
  readonly proven: Readonly<Record<Mode, Proven>>;
}

/** The work of a verification. */
export interface VerifyingWork extends BackupWork {
  /** True if a backup is accepted that no known key signed. */
  readonly isUnverifiedAllowed: boolean;
}

/**
 * Verifies that the backup can be restored. Throws BackupFault if a byte was changed or is missing,
 * or if the work's key did not sign it, unless that is allowed, and SchemaMismatch if a newer program
 * made it. Deletes the scratch folder.
 */
export async function verifyBackup(
  backup: string,
  scratch: string,
  work: VerifyingWork,
): Promise<VerifiedBackup> {
  const manifest = readManifest(backup);
  const isGenuine = requireAcceptable(manifest, backup, work);
  try {
    mkdirSync(scratch, { mode: OWNER_ONLY_FOLDER });
    const live = await drill({ backup, manifest, mode: "live" }, scratch, work);
    const test = await drill({ backup, manifest, mode: "test" }, scratch, work);
    return { manifest, isGenuine, proven: { live, test } };
  } catch (error) {
    throw asWriteFault(error, scratch);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/**
 * Returns true if the key of the work's vault signed it. Throws SchemaMismatch if a newer program made it, and
 * BackupFault if no known key signed it, unless that is allowed.
 */
export function requireAcceptable(
  manifest: BackupManifest,
  backup: string,
  { vault, isUnverifiedAllowed }: VerifyingWork,
): boolean {
  requireKnownSchema(manifest);
  const isGenuine = vault !== null && isSignedManifest(manifest, vault);
  if (!isGenuine && !isUnverifiedAllowed) throw notGenuine(manifest, backup, vault);
  return isGenuine;
}

function notGenuine(
  { signature }: BackupManifest,
  backup: string,
  vault: Vault | null,
): BackupFault {
  const unproven = `The backup ${backup} is not proven to be of your shop`;
  if (signature === null) {
    return new BackupFault(
      `${unproven}: an earlier version made it, which did not sign backups. Accept it with --unverified.`,
    );
  }
  const why =
    vault === null ? "there is no secret.key here" : "another key than that of this shop signed it";
  return new BackupFault(
    `${unproven}: ${why}. Name a copy of the key that the shop had with --secret-key-file, or accept the ` +
      "backup with --unverified: all of it but the secrets of webhooks, gateways and links.",
  );
}

/** Unpacks both databases of the backup into the folder, verified and synced. */
export async function unpackBackup(
  backup: string,
  folder: string,
  work: BackupWork,
): Promise<void> {
  const manifest = readManifest(backup);
  for (const mode of backedUpModes) await unpackMode({ backup, manifest, mode }, folder, work);
}

interface Part {
  readonly backup: string;
  readonly manifest: BackupManifest;
  readonly mode: Mode;
}

async function drill(part: Part, scratch: string, work: BackupWork): Promise<Proven> {
  const { manifest, mode } = part;
  const path = await unpackMode(part, scratch, work);
  beginStep(work, { mode, step: "proving", ofBytes: 0 });
  const unlike = differencesFrom(manifest, mode, contentsOf(path).rows);
  const proven = await rehearseStart({ path, media: mediaOf(part.backup, mode) }, work);
  rmSync(path);
  if (mode === "live" && proven.storeId !== manifest.storeId) {
    unlike.push({
      subject: "store",
      what: "id",
      expected: manifest.storeId ?? "none",
      found: proven.storeId ?? "none",
    });
  }
  return {
    ...proven,
    differences: proven.differences + unlike.length,
    listed: [...unlike, ...proven.listed],
  };
}

async function unpackMode(
  { backup, manifest, mode }: Part,
  folder: string,
  work: BackupWork,
): Promise<string> {
  const promised = manifest.databases[mode];
  const path = join(folder, databaseFile(mode));
  const step = beginStep(work, { mode, step: "unpacking", ofBytes: promised.bytes });
  await unpack({ from: join(backup, packedFile(mode)), promised }, path, step);
  return path;
}

function differencesFrom(
  manifest: BackupManifest,
  mode: Mode,
  found: Readonly<Record<string, number>>,
): Difference[] {
  const expected = manifest.databases[mode].rows;
  return [...new Set([...Object.keys(expected), ...Object.keys(found)])]
    .filter((table) => expected[table] !== found[table])
    .map((table) => ({
      subject: table,
      what: "rows",
      expected: expected[table] ?? "no table",
      found: found[table] ?? "no table",
    }));
}
