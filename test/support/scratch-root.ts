// Where tests keep temporary files: in memory where the system has room for that, since a test process waits a
// fifth of its time for the disk otherwise. Programs that run for minutes, such as the faults, use the disk.

import { existsSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";

/** Linux's file system in memory. */
const MEMORY = "/dev/shm";
/** More than the folders of all tests that run at once. */
const MEMORY_BYTES_MIN = 2 ** 31;
const isTest = process.env.NODE_ENV === "test";
/** Where temporary folders are made. */
export const scratchRoot = isTest && hasRoomInMemory() ? MEMORY : tmpdir();

function hasRoomInMemory(): boolean {
  if (!existsSync(MEMORY)) return false;
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize >= MEMORY_BYTES_MIN;
}
