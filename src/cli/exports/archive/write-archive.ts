// Writes an archive into a folder or a compressed tar. Invariant: what was cut off never looks whole. A folder is whole
// once it has its manifest, and a tar gets its name when it is.

import { createWriteStream, existsSync, statSync } from "node:fs";
import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";

import { newRequestId } from "#kernel/id.ts";
import { realClock } from "#kernel/time.ts";
import { asWriteFault, BackupFault, syncFolder } from "#platform/backup/files.ts";
import { lockDirectory } from "#platform/data-directory/data-directory.ts";
import { UNFINISHED_ENDING, writeFileDurably } from "#platform/files/durable-file.ts";

import { type ArchiveFile, archiveFiles, type Taking } from "./archive-files.ts";
import type { ArchiveManifest } from "./manifest.ts";
import { writeTar } from "./tar.ts";

const OWNER_ONLY_FOLDER = 0o700;
const OWNER_ONLY_FILE = 0o600;

type Terms = Omit<Taking, "pathFor">;

/** Returns true if the name is that of a compressed tar; any other one is a folder. */
function isTar(path: string): boolean {
  return /\.(?:tar\.gz|tgz)$/.test(path);
}

/** Throws BackupFault where an archive would mix with something else. */
export async function requireFree(path: string): Promise<void> {
  if (!existsSync(path)) return;
  if (isTar(path)) throw new BackupFault(`There is a file ${path} already.`);
  if (!statSync(path).isDirectory()) {
    throw new BackupFault(`${path} is no directory, and its name does not end in .tar.gz.`);
  }
  if ((await readdir(path)).length > 0) {
    throw new BackupFault(`${path} is not empty: an archive gets a directory of its own.`);
  }
}

/**
 * Afterwards the archive is at the path, whole and on the disk. Throws BackupFault where something else is there, or
 * where it cannot be written; nothing of it is left then.
 */
export async function writeArchive(path: string, terms: Terms): Promise<ArchiveManifest> {
  try {
    await requireFree(path);
    return await (isTar(path) ? writeAsTar(path, terms) : writeAsFolder(path, terms));
  } catch (error) {
    throw asWriteFault(error, path);
  }
}

async function writeAsFolder(folder: string, terms: Terms): Promise<ArchiveManifest> {
  const made = await mkdir(folder, { recursive: true, mode: OWNER_ONLY_FOLDER });
  // Another archive may have begun since the folder was found empty, and has no file there yet.
  using lock = lockDirectory(folder);
  if (lock === null) throw new BackupFault(`Another archive is being written to ${folder}.`);
  await requireFree(folder);
  try {
    const files = archiveFiles({ ...terms, pathFor: (name) => join(folder, name) });
    for await (const { name, content, manifest } of files) {
      // Content with a path is in the folder already.
      if (typeof content !== "string") await writeFileDurably(join(folder, name), content);
      if (manifest !== undefined) return manifest;
    }
    throw new Error("The archive has no manifest.");
  } catch (error) {
    for (const name of await readdir(folder)) {
      await rm(join(folder, name), { recursive: true, force: true });
    }
    if (made !== undefined) await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

async function writeAsTar(path: string, terms: Terms): Promise<ArchiveManifest> {
  await mkdir(dirname(path), { recursive: true, mode: OWNER_ONLY_FOLDER });
  // The size of a file stands before it in a tar, so each is written beside it first.
  const beside = `${path}.${newRequestId()}${UNFINISHED_ENDING}`;
  await mkdir(beside, { mode: OWNER_ONLY_FOLDER });
  try {
    const written: ArchiveManifest[] = [];
    const files = archiveFiles({ ...terms, pathFor: (name) => join(beside, name) });
    const unfinished = join(beside, "archive");
    await pipeline(
      writeTar(eachOnce(files, written), realClock.now()),
      createGzip(),
      createWriteStream(unfinished, { flags: "wx", mode: OWNER_ONLY_FILE, flush: true }),
    );
    const [manifest] = written;
    if (manifest === undefined) throw new Error("The archive has no manifest.");
    await requireFree(path);
    await rename(unfinished, path);
    syncFolder(dirname(path));
    return manifest;
  } finally {
    await rm(beside, { recursive: true, force: true });
  }
}

/** Deletes each file with a path once the next one is asked for, and keeps the manifest. */
async function* eachOnce(
  files: AsyncIterable<ArchiveFile>,
  written: ArchiveManifest[],
): AsyncGenerator<ArchiveFile> {
  for await (const file of files) {
    yield file;
    if (typeof file.content === "string") await rm(file.content);
    if (file.manifest !== undefined) written.push(file.manifest);
  }
}
