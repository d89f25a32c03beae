// Files in a folder. One that a crash cut off has another ending.

import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";

import { writeFileDurably } from "./durable-file.ts";
import type { FileStore, StoredFile } from "./file-store.ts";

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
export async function statsOf(path: string) {
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
