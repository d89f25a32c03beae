// How surely what is written is on the disk.

import type { Database as SqliteFile } from "bun:sqlite";

/**
 * Makes each commit and checkpoint of this connection be on the disk, also if the power fails (sqlite.org/pragma,
 * fullfsync).
 */
export function syncFully(driver: SqliteFile): void {
  driver.run("PRAGMA synchronous = FULL");
  driver.run("PRAGMA fullfsync = ON");
}
