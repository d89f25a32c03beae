// The folder of backups: lists them and deletes old ones. Invariant: only complete backups of this
// shop, made by this program, are deleted.

import { lstatSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, join } from "node:path";

import { HOUR_MS } from "#kernel/time.ts";
import { UNFINISHED_ENDING } from "#platform/files/durable-file.ts";

import { backedUpModes, BackupFault, MEDIA_FOLDER, syncFolder } from "./files.ts";
import { type BackupManifest, MANIFEST_FILE, packedFile, readManifest } from "./manifest.ts";

/** The name of a backup's folder; its instant sorts. */
export const NAME = /^duka-\d{4}-\d\d-\d\dT\d{6}\.\d{3}Z$/;
const UNFINISHED = /^duka-\d{4}-\d\d-\d\dT\d{6}\.\d{3}Z\.partial$/;
/** Longer than any backup takes: an older unfinished folder was left by a program that died. */
const ABANDONED_MS = 6 * HOUR_MS;

const packedFiles: readonly string[] = [MANIFEST_FILE, ...backedUpModes.map(packedFile)];
const ownEntries: readonly string[] = [...packedFiles, MEDIA_FOLDER];

/** A folder named like a backup. */
export interface StoredBackup {
  readonly path: string;
  /** The size of its databases and its manifest: backups share the files of media. */
  readonly bytes: number;
  /** Either the manifest, or why it cannot be read. */
  readonly manifest: BackupManifest | BackupFault;
}

/** The name of a backup in progress. */
export function unfinishedName(name: string): string {
  return `${name}${UNFINISHED_ENDING}`;
}

/** The backups of a folder, newest first; none if the folder does not exist. */
export function listBackups(folder: string): StoredBackup[] {
  return namesIn(folder)
    .filter((name) => isFolder(join(folder, name)))
    .map((name) => storedBackup(join(folder, name)))
    .filter(({ path, manifest }) => !(manifest instanceof BackupFault) || NAME.test(basename(path)))
    .toSorted((one, other) => (instantOf(one) < instantOf(other) ? 1 : -1));
}

/**
 * Deletes the oldest backups of the same shop until `keep` are left; returns their paths. The
 * spared backup, and folders with any other file, are never deleted.
 */
export function pruneBackups(
  folder: string,
  {
    keep,
    spare,
    storeId,
  }: { readonly keep: number; readonly spare: string; readonly storeId: string | null },
): string[] {
  if (storeId === null) return [];
  const kept = listBackups(folder).filter(
    ({ path, manifest }) =>
      path !== spare && !(manifest instanceof BackupFault) && manifest.storeId === storeId,
  );
  const old = kept.slice(Math.max(keep - 1, 0)).filter(({ path }) => isBackupOnly(path));
  for (const { path } of old) discard(folder, path);
  return old.map(({ path }) => path);
}

/** Deletes what programs that died left behind. */
export function sweepUnfinished(folder: string, nowMs: number): void {
  for (const name of namesIn(folder).filter((one) => UNFINISHED.test(one))) {
    const path = join(folder, name);
    if (isFolder(path) && lastTouched(path) < nowMs - ABANDONED_MS) {
      rmSync(path, { recursive: true, force: true });
    }
  }
}

function storedBackup(path: string): StoredBackup {
  const bytes = namesIn(path)
    .filter((name) => packedFiles.includes(name))
    .reduce((sum, name) => sum + lstatSync(join(path, name)).size, 0);
  try {
    return { path, bytes, manifest: readManifest(path) };
  } catch (error) {
    if (!(error instanceof BackupFault)) throw error;
    return { path, bytes, manifest: error };
  }
}

/** Without a readable manifest a backup is dated by its name. */
function instantOf({ path, manifest }: StoredBackup): string {
  if (!(manifest instanceof BackupFault)) return manifest.createdAt.replaceAll(":", "");
  return basename(path).slice("duka-".length);
}

function isBackupOnly(path: string): boolean {
  return NAME.test(basename(path)) && namesIn(path).every((name) => ownEntries.includes(name));
}

/** Renames it first, so that a crash leaves nothing that looks like a backup. */
function discard(folder: string, path: string): void {
  const leaving = unfinishedName(path);
  renameSync(path, leaving);
  syncFolder(folder);
  rmSync(leaving, { recursive: true, force: true });
}

function lastTouched(path: string): number {
  const times = namesIn(path).map((name) => lstatSync(join(path, name)).mtimeMs);
  return Math.max(statSync(path).mtimeMs, ...times);
}

function isFolder(path: string): boolean {
  return lstatSync(path).isDirectory();
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
}
