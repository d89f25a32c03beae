// Starts this program again for work that must not slow down the serving process.

import { existsSync, readdirSync } from "node:fs";
import { setPriority } from "node:os";
import { join } from "node:path";

import { readEnvironment } from "#platform/process/environment.ts";

/**
 * Low enough not to slow a busy shop down; lower would keep locks while it waits for the processor.
 */
const POLITE_PRIORITY = 10;

/**
 * The command that starts Duka, without arguments. From source it is Bun, as this process was started, with
 * the main file.
 */
export function ownProgram(): readonly string[] {
  if (Bun.isStandaloneExecutable) return [process.execPath];
  return [process.execPath, ...process.execArgv, join(import.meta.dir, "../../main.ts")];
}

/** The environment without settings, which are passed as options. */
export function plainEnvironment(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(readEnvironment()).filter(([name]) => !name.startsWith("DUKA_")),
  );
}

/** The threads of this process on Linux, where a priority is that of one thread (sched(7)). */
const THREADS = "/proc/self/task";

/** Lowers the priority of this process, all its threads included, if the system supports that. */
export function lowerPriority(): void {
  const threads = existsSync(THREADS) ? readdirSync(THREADS).map(Number) : [process.pid];
  for (const thread of threads) {
    try {
      setPriority(thread, POLITE_PRIORITY);
    } catch (error) {
      // A thread may have ended since.
      if (!(error instanceof Error && "code" in error)) throw error;
    }
  }
}
