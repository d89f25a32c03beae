// How large a database is on the disk.

import { statSync } from "node:fs";

/** Bytes of the file and of its write-ahead log; 0 for what is not there. */
export function fileSizes(path: string): { readonly database: number; readonly log: number } {
  return { database: sizeOf(path), log: sizeOf(`${path}-wal`) };
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
