// Makes a backup of a data directory, with or without a running server. Invariant: a folder with a
// backup's name is complete, synced and verified; a backup that fails leaves nothing.

import {
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { dirname, join } from "node:path";

import { toIso } from "#kernel/time.ts";
import { DatabaseMissing } from "#platform/database/migrations.ts";
import type { Mode } from "#platform/database/shop.ts";
import { copyFiles, type FileStore, openFolderStore } from "#platform/files/file-store.ts";
import { version } from "#platform/process/version.ts";
import type { Vault } from "#platform/vault/vault.ts";

import { listBackups, sweepUnfinished, unfinishedName } from "./backup-folder.ts";
import { copyDatabase, settleCopy } from "./copy.ts";
import {
  asWriteFault,
  backedUpModes,
  BackupFault,
  databaseFile,
  makeFolder,
  mediaOf,
  OWNER_ONLY_FOLDER,
  stampOf,
  syncFolder,
  writeDurably,
} from "./files.ts";
import {
  type BackupManifest,
  MANIFEST_FILE,
  packedFile,
  renderManifest,
  signManifest,
} from "./manifest.ts";
import { pack, type PackedSizes, removeGently } from "./packing.ts";
import { type Contents, contentsOf, isOlder, prove, type Proven, rehearseStart } from "./proof.ts";
import { isSwapping, shareDatabases } from "./swap.ts";
import { type BackupWork, beginStep } from "./work.ts";

/** A backup, and the audit results of its databases. */
export interface TakenBackup {
  readonly path: string;
  readonly manifest: BackupManifest;
  readonly proven: Readonly<Record<Mode, Proven>>;
}

/** The options of a backup, and a callback for when it no longer reads the databases. */
export interface BackupTaking extends BackupWork {
  readonly vault: Vault;
  /** The files of media; by default those in the data directory. */
  readonly media?: (mode: Mode) => FileStore;
  readonly onCopied?: () => void;
}

interface ProvenCopy {
  readonly proven: Proven;
  readonly contents: Contents;
}

/**
 * Makes a new backup in the folder. Throws DatabaseMissing if there is no shop, and BackupFault if
 * it cannot be written or a database is broken. Differences found by audits do not stop it, because
 * no better backup may be possible; the manifest counts them.
 */
export async function takeBackup(
  from: string,
  folder: string,
  work: BackupTaking,
): Promise<TakenBackup> {
  for (const mode of backedUpModes) {
    const path = join(from, databaseFile(mode));
    if (!existsSync(path)) throw new DatabaseMissing(path);
  }
  const startedAt = work.clock.now();
  const path = join(folder, `duka-${stampOf(startedAt)}`);
  const unfinished = unfinishedName(path);
  try {
    makeFolder(folder);
    sweepUnfinished(folder, startedAt);
    mkdirSync(unfinished, { mode: OWNER_ONLY_FOLDER });
    try {
      const taken = await fill(unfinished, from, { ...work, startedAt });
      renameSync(unfinished, path);
      syncFolder(folder);
      return { path, ...taken };
    } finally {
      rmSync(unfinished, { recursive: true, force: true });
    }
  } catch (error) {
    throw asWriteFault(error, folder);
  }
}

async function fill(
  folder: string,
  from: string,
  work: BackupTaking & { readonly startedAt: number },
): Promise<Omit<TakenBackup, "path">> {
  const media = work.media ?? ((mode) => openFolderStore(mediaOf(from, mode)));
  // A file is on the disk before its row: what is added meanwhile is copied once the rows are.
  await copyMedia(media, folder, work);
  await copyBoth(from, folder, work);
  await copyMedia(media, folder, work);
  work.onCopied?.();
  const live = await proveCopy(folder, "live", work);
  const test = await proveCopy(folder, "test", work);
  const contents = {
    storeId: live.proven.storeId,
    createdAt: toIso(work.startedAt),
    dukaVersion: version,
    differences: live.proven.differences + test.proven.differences,
    databases: {
      live: { ...(await packCopy(folder, "live", work)), ...live.contents },
      test: { ...(await packCopy(folder, "test", work)), ...test.contents },
    },
  };
  const manifest = signManifest(contents, work.vault);
  writeDurably(join(folder, MANIFEST_FILE), renderManifest(manifest));
  syncFolder(folder);
  return { manifest, proven: { live: live.proven, test: test.proven } };
}

/** Copies media: a file that the newest backup has takes no room in this one. */
async function copyMedia(
  from: (mode: Mode) => FileStore,
  folder: string,
  { signal }: BackupWork,
): Promise<void> {
  const newest = listBackups(dirname(folder)).at(0)?.path;
  for (const mode of backedUpModes) {
    await copyFiles(from(mode), openFolderStore(mediaOf(folder, mode)), {
      earlier: newest === undefined ? null : mediaOf(newest, mode),
      signal,
    });
  }
}

async function copyBoth(from: string, folder: string, work: BackupWork): Promise<void> {
  using share = shareDatabases(from);
  if (isSwapping(from)) {
    throw new BackupFault(
      "A restore was interrupted here: start the shop first, or repeat the restore.",
    );
  }
  for (const mode of backedUpModes) {
    const path = join(share.directory, databaseFile(mode));
    const step = beginStep(work, { mode, step: "copying", ofBytes: statSync(path).size });
    await copyDatabase(path, join(folder, databaseFile(mode)), step);
  }
}

/**
 * A database of an older version is migrated and verified as a copy; the backup keeps the original.
 */
async function proveCopy(folder: string, mode: Mode, work: BackupWork): Promise<ProvenCopy> {
  const copy = join(folder, databaseFile(mode));
  const settling = { mode, step: "settling", ofBytes: statSync(copy).size } as const;
  await settleCopy(copy, beginStep(work, settling));
  beginStep(work, { mode, step: "proving", ofBytes: 0 });
  const contents = contentsOf(copy);
  const media = mediaOf(folder, mode);
  if (!isOlder(contents))
    return { contents, proven: await prove({ path: copy, media }, work.shop) };
  const rehearsal = join(folder, "rehearsal");
  mkdirSync(rehearsal);
  const rehearsed = join(rehearsal, databaseFile(mode));
  copyFileSync(copy, rehearsed, constants.COPYFILE_FICLONE);
  const proven = await rehearseStart({ path: rehearsed, media }, work);
  rmSync(rehearsal, { recursive: true });
  return { contents, proven };
}

async function packCopy(folder: string, mode: Mode, work: BackupWork): Promise<PackedSizes> {
  const copy = join(folder, databaseFile(mode));
  const step = beginStep(work, { mode, step: "packing", ofBytes: statSync(copy).size });
  const sizes = await pack(copy, join(folder, packedFile(mode)), step);
  await removeGently(copy);
  return sizes;
}
