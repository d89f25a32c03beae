// How this program is started once more, for work that is to have a process of its own.

import { join } from "node:path";

/**
 * The command that starts Duka, without arguments. From source it is Bun, as this process was started, with
 * the main file.
 */
export function ownProgram(): readonly string[] {
  if (Bun.isStandaloneExecutable) return [process.execPath];
  return [process.execPath, ...process.execArgv, join(import.meta.dir, "../../main.ts")];
}
