// Measures how long the disk takes to keep what is written: the same that a commit waits for.

import { closeSync, fsyncSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";

import { randomBytes } from "#kernel/random.ts";
import { monotonicMs, nextTurn } from "#kernel/time.ts";

const SYNCS = 20;
const PAGE = Buffer.alloc(4_096, 7);
const NAME_BYTES = 6;

/** The times of 20 syncs in milliseconds, each after a page was added to a file, which is deleted then. */
export async function measureSyncs(directory: string): Promise<number[]> {
  const name = `duka.sync-${Buffer.from(randomBytes(NAME_BYTES)).toString("hex")}`;
  const path = join(directory, name);
  const file = openSync(path, "wx", 0o600);
  const times: number[] = [];
  try {
    while (times.length < SYNCS) {
      writeSync(file, PAGE);
      const startedAtMs = monotonicMs();
      fsyncSync(file);
      times.push(monotonicMs() - startedAtMs);
      // Each blocks as one commit does; sales go on between them.
      await nextTurn();
    }
  } finally {
    closeSync(file);
    rmSync(path, { force: true });
  }
  return times;
}
