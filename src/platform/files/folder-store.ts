// Files in a folder that are written once and never changed. Invariant: a file with a name of the store is whole and
// on the disk; one that a crash cut off has another ending.

import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";

import { writeFileDurably } from "./durable-file.ts";

/** A file that is there. */
export interface StoredFile {
  /** Relative to the store, with `/` between folders. */
  readonly name: string;
  /** By the clock of the file system, epoch milliseconds. */
  readonly writtenAt: number;
  readonly bytes: number;
}

export interface FileStore {
  /** An absolute path. */
  readonly folder: string;
  /** Writes the file durably, in place of one of the same name. */
  put(name: string, bytes: Uint8Array): Promise<void>;
  /** Null if there is none. */
  find(name: string): Promise<Bun.BunFile | null>;
  /** Removes those of the files that there are. */
  remove(names: readonly string[]): Promise<void>;
  /** Every file, also those that a crash cut off. */
  list(): AsyncGenerator<StoredFile>;
}

/** Opens the store of the folder, which is made with its first file. */
export function openFolderStore(folder: string): FileStore {
  return {
    folder,
    put: (name, bytes) => writeFileDurably(join(folder, name), bytes),
    find: async (name) => {
      const path = join(folder, name);
      return (await statsOf(path)) === null ? null : Bun.file(path);
    },
    remove: async (names) => {
      for (const name of names) await rm(join(folder, name), { force: true });
    },
    list: () => listFiles(folder),
  };
}

/** The files of a folder, which stand in folders of their own. */
export async function* listFiles(folder: string): AsyncGenerator<StoredFile> {
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
