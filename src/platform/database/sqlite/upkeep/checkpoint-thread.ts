// The thread of `checkpointer.ts`. It is told the path of a database, copies its write-ahead log into its file, and
// answers how that ended. The binary has this file as an entry of its own.

import { Database as SqliteFile } from "bun:sqlite";

import { syncFully } from "#platform/database/sqlite/full-sync.ts";

import type { CheckpointEnd } from "./checkpointer.ts";

/**
 * What is committed during a copy is copied by the next one, so that the log is used from its beginning again. Where
 * another program reads it, or commits come faster than they are copied, it stays as long.
 */
const COPIES_MAX = 3;

globalThis.addEventListener("message", ({ data: path }: MessageEvent<string>) => {
  globalThis.postMessage(checkpoint(path));
});

function checkpoint(path: string): CheckpointEnd {
  try {
    // Opened each time: a connection that stayed would keep the files of a shop that was restored meanwhile.
    using file = new SqliteFile(path, { readwrite: true, strict: true });
    syncFully(file);
    const copy = file.query<{ log: number; checkpointed: number }, []>(
      "PRAGMA wal_checkpoint(PASSIVE)",
    );
    for (let copies = 0; copies < COPIES_MAX; copies += 1) {
      const copied = copy.get();
      if (copied === null || copied.log === copied.checkpointed) break;
    }
    return "done";
  } catch {
    return "failed";
  }
}
