// How this program starts itself again, for work that must not hold up the one that serves.

import { setPriority } from "node:os";
import { join } from "node:path";

import { readEnvironment } from "#platform/process/environment.ts";

/** As much as leaves a selling shop its processors; more would keep locks while it waits. */
const POLITE_PRIORITY = 10;

/** What starts Duka; arguments follow. From source it is Bun with the file that is run. */
export function ownProgram(): readonly string[] {
  if (Bun.isStandaloneExecutable) return [process.execPath];
  return [process.execPath, join(import.meta.dir, "../../main.ts")];
}

/** The environment without settings: those that count are given as options. */
export function plainEnvironment(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(readEnvironment()).filter(([name]) => !name.startsWith("DUKA_")),
  );
}

/** From here on others go first. Where the system has no such thing, nobody waits for it. */
export function lowerPriority(): void {
  try {
    setPriority(POLITE_PRIORITY);
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
  }
}
