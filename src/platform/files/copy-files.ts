// Copies the files of one store to another place. A name stands for one content, so what is there is not copied again.

import { join } from "node:path";

import { copyFileDurably, linkFileDurably, UNFINISHED_ENDING } from "./durable-file.ts";
import { listFiles, statsOf, type StoredFile } from "./folder-store.ts";

interface CopyingTerms {
  /** A folder of earlier copies on the disk of the target: what it has is given a second name, and takes no room. */
  readonly earlier?: string | null;
  /** Whether files are copied also over those that are there, which may have been damaged. */
  readonly replaces?: boolean;
  readonly signal?: AbortSignal;
}

/** Afterwards each file of the folder is in the target, synced; other files of the target stay. */
export async function copyFiles(
  from: string,
  to: string,
  { earlier = null, replaces = false, signal }: CopyingTerms = {},
): Promise<void> {
  for await (const file of listFiles(from)) {
    signal?.throwIfAborted();
    const { name } = file;
    if (name.endsWith(UNFINISHED_ENDING) || (!replaces && (await isIn(to, file)))) continue;
    await copyOne(join(from, name), join(to, name), earlier === null ? null : join(earlier, name));
  }
}

async function isIn(folder: string, { name, bytes }: StoredFile): Promise<boolean> {
  return (await statsOf(join(folder, name)))?.size === bytes;
}

async function copyOne(source: string, target: string, kept: string | null): Promise<void> {
  if (kept !== null && (await areAlike(kept, source))) await linkFileDurably(kept, target);
  else await copyIfThere(source, target);
}

/** Whether both are there with the same bytes: an earlier copy may have been damaged. */
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
