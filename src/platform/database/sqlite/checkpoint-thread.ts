// The thread of `checkpointer.ts`. It is told the path of a database, copies its write-ahead log into its file, and
// answers how that ended. The binary has this file as an entry of its own.

import { Database as SqliteFile } from "bun:sqlite";

import type { CheckpointEnd } from "./checkpointer.ts";
import { syncFully } from "./full-sync.ts";

globalThis.addEventListener("message", ({ data: path }: MessageEvent<string>) => {
  globalThis.postMessage(checkpoint(path));
});

function checkpoint(path: string): CheckpointEnd {
  try {
    // Opened each time: a connection that stayed would keep the files of a shop that was restored meanwhile.
    using file = new SqliteFile(path, { readwrite: true, strict: true });
    syncFully(file);
    file.run("PRAGMA wal_checkpoint(PASSIVE)");
    return "done";
  } catch {
    return "failed";
  }
}
