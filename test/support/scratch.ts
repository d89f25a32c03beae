// Temporary folders that are deleted after their test, together with their databases.
//
// Tests keep them in memory where the system has room for that: a test process waits a fifth of its time for
// the disk otherwise. Programs that run for minutes, such as the faults, keep them on the disk.

import { existsSync, mkdtempSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { dropDatabasesIn } from "./postgres-databases.ts";

export interface ScratchFolder extends Disposable {
  readonly path: string;
  /** The path of a file in it, which need not exist. */
  file(name: string): string;
}

/** Linux's file system in memory. */
const MEMORY = "/dev/shm";
/** More than the folders of all tests that run at once. */
const MEMORY_BYTES_MIN = 2 ** 31;
const isTest = process.env.NODE_ENV === "test";
const root = isTest && hasRoomInMemory() ? MEMORY : tmpdir();

function hasRoomInMemory(): boolean {
  if (!existsSync(MEMORY)) return false;
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize >= MEMORY_BYTES_MIN;
}

/** A new empty folder; disposing it deletes it with its contents. */
export function openScratchFolder(): ScratchFolder {
  const path = mkdtempSync(join(root, "duka-"));
  return {
    path,
    file: (name) => join(path, name),
    [Symbol.dispose]: () => {
      rmSync(path, { recursive: true, force: true });
      dropDatabasesIn(path);
    },
  };
}
