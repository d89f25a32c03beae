// Starts this program again for work that must not slow down the serving process.

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

/** Lowers this process's priority, if the system supports that. */
export function lowerPriority(): void {
  try {
    setPriority(POLITE_PRIORITY);
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
  }
}
