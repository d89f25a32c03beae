// Copies the files of one store to another. A name stands for one content, so what is there is not copied again.

import { join } from "node:path";

import { copyFileDurably, linkFileDurably, UNFINISHED_ENDING } from "./durable-file.ts";
import { bytesOf, type FileStore, type StoredFile } from "./file-store.ts";
import { statsOf } from "./folder-store.ts";

interface CopyingTerms {
  /** A folder of earlier copies on the disk of the target: what it has is given a second name, and takes no room. */
  readonly earlier?: string | null;
  /** True if files are copied also over those that are there, which may have been damaged. */
  readonly replaces?: boolean;
  readonly signal?: AbortSignal;
}

/** Afterwards each file of the store is in the target, synced; other files of the target stay. */
export async function copyFiles(
  from: FileStore,
  to: FileStore,
  { earlier = null, replaces = false, signal }: CopyingTerms = {},
): Promise<void> {
  for await (const file of from.list()) {
    signal?.throwIfAborted();
    const { name } = file;
    if (name.endsWith(UNFINISHED_ENDING)) continue;
    if (!replaces && (await to.sizeOf(name)) === file.bytes) continue;
    await copyOne({ from, to, earlier }, file);
  }
}

interface Way {
  readonly from: FileStore;
  readonly to: FileStore;
  readonly earlier: string | null;
}

async function copyOne({ from, to, earlier }: Way, file: StoredFile): Promise<void> {
  const { name } = file;
  const [source, target] = [pathIn(from.folder, name), pathIn(to.folder, name)];
  const kept = pathIn(earlier, name);
  if (target !== null && kept !== null && (await isCopy(kept, file, source))) {
    await linkFileDurably(kept, target);
  } else if (target !== null && source !== null) {
    await copyIfThere(source, target);
  } else {
    const found = await from.open(name);
    if (found !== null) await to.put(name, await bytesOf(found));
  }
}

function pathIn(folder: string | null, name: string): string | null {
  return folder === null ? null : join(folder, name);
}

/**
 * Returns true if the earlier copy is one of the file. What is in no folder is not read to compare it: a check proves
 * the copy.
 */
async function isCopy(
  kept: string,
  { bytes }: StoredFile,
  source: string | null,
): Promise<boolean> {
  if (source !== null) return areAlike(kept, source);
  return (await statsOf(kept))?.size === bytes;
}

/** Returns true if both are there with the same bytes: an earlier copy may have been damaged. */
async function areAlike(one: string, other: string): Promise<boolean> {
  if (one === other) return true;
  const [bytes, size] = [(await statsOf(one))?.size, (await statsOf(other))?.size];
  if (bytes === undefined || bytes !== size) return false;
  return Buffer.compare(await Bun.file(one).bytes(), await Bun.file(other).bytes()) === 0;
}

/** A file may be deleted while the folder is read. */
async function copyIfThere(source: string, target: string): Promise<void> {
  try {
    await copyFileDurably(source, target);
  } catch (error) {
    if ((await statsOf(source)) !== null) throw error;
  }
}
