// Stores files that are written once and never changed: a folder, or a bucket of an object store. Invariant: a file
// with a name of the store is whole, and stays when the program or the machine fails.

import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";

import { defineRefusal } from "#kernel/refusal.ts";
import { type Parts, wholeOf } from "#platform/net/call-for-parts.ts";

import {
  copyFileDurably,
  linkFileDurably,
  UNFINISHED_ENDING,
  writeFileDurably,
} from "./durable-file.ts";

/** A file that is there. */
export interface StoredFile {
  /** Relative to the store, with `/` between folders. */
  readonly name: string;
  /** By the clock of the store, epoch milliseconds. */
  readonly writtenAt: number;
  readonly bytes: number;
}

/** The bytes of a file from the first to the last of these, counted from 0. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/** A file that is being read. */
export interface OpenFile {
  /** As many as are read. */
  readonly bytes: number;
  /**
   * On a disk or in memory; or on its way, and read no faster than it is taken: one that breaks off, or has other than
   * so many bytes, rejects with `media_store_unavailable`.
   */
  readonly content: Blob | Parts;
}

interface Reading {
  /** By default the whole file. It has to be within the file. */
  readonly range?: ByteRange | undefined;
  /** Ends the reading. */
  readonly signal?: AbortSignal | undefined;
}

/** A store that is away refuses with `media_store_unavailable`. */
export interface FileStore {
  /** Its place, for people. */
  readonly label: string;
  /** An absolute path; null where the files are in no folder of this machine. */
  readonly folder: string | null;
  /** Writes the file durably, in place of one of the same name. */
  put(name: string, bytes: Uint8Array): Promise<void>;
  /** Begins to read it; null if there is none. */
  open(name: string, reading?: Reading): Promise<OpenFile | null>;
  /** Its bytes; null if there is none. */
  sizeOf(name: string): Promise<number | null>;
  /** Removes those of the files that there are. */
  remove(names: readonly string[]): Promise<void>;
  /** Every file, also those that a crash cut off. */
  list(): AsyncGenerator<StoredFile>;
}

/** The bytes of a file that was opened, all in memory. */
export async function bytesOf({ bytes, content }: OpenFile): Promise<Uint8Array> {
  return content instanceof Blob ? content.bytes() : wholeOf(content, bytes);
}

/** A bucket of an object store that speaks S3, and what lets the program in. */
export interface S3Bucket {
  /** An origin. */
  readonly endpoint: string;
  readonly name: string;
  readonly key: string;
  readonly secret: string;
  readonly region: string;
  /** The address at which browsers read its files, without a final slash; null: through this server. */
  readonly publicUrl: string | null;
}

/** The place that the operator set: an absolute path, or a bucket. */
export type FilePlace = { readonly folder: string } | { readonly bucket: S3Bucket };

export const mediaStoreUnavailable = defineRefusal("media_store_unavailable", "unavailable", {
  title: "The store of the pictures does not answer.",
  cause:
    "The object store that has the files of media is away, too slow, or does not accept the credentials of this server. Nothing was changed.",
  remedy:
    "Retry with the same `Idempotency-Key`. If it continues, read the server's log: it has what the store answered.",
});

/** Opens the store of the folder, which is made with its first file. */
export function openFolderStore(folder: string): FileStore & { readonly folder: string } {
  return {
    label: folder,
    folder,
    sizeOf: async (name) => (await statsOf(join(folder, name)))?.size ?? null,
    put: (name, bytes) => writeFileDurably(join(folder, name), bytes),
    open: async (name, { range } = {}) => {
      const path = join(folder, name);
      const stats = await statsOf(path);
      if (stats === null) return null;
      const { first, last } = range ?? { first: 0, last: stats.size - 1 };
      const content = Bun.file(path);
      return {
        bytes: last - first + 1,
        content: range === undefined ? content : content.slice(first, last + 1),
      };
    },
    remove: async (names) => {
      for (const name of names) await rm(join(folder, name), { force: true });
    },
    list: () => listFiles(folder),
  };
}

/** The files of a folder, which stand in folders of their own. */
async function* listFiles(folder: string): AsyncGenerator<StoredFile> {
  for (const group of await namesIn(folder)) {
    for (const own of await namesIn(join(folder, group))) {
      const name = `${group}/${own}`;
      const stats = await statsOf(join(folder, name));
      if (stats !== null) yield { name, writtenAt: stats.mtimeMs, bytes: stats.size };
    }
  }
}

/** None of what is no folder. */
async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

/** Null if there is no such file. */
async function statsOf(path: string) {
  try {
    const stats = await stat(path);
    return stats.isFile() ? stats : null;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return (
    error instanceof Error && "code" in error && ["ENOENT", "ENOTDIR"].includes(String(error.code))
  );
}

/** The terms of a copy from one store to another. A name stands for one content, so what is there is not copied again. */
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
