// Reads how many files this process may have open.

import { existsSync, readFileSync } from "node:fs";

/** Linux alone tells it as a file. */
const LIMITS = "/proc/self/limits";

/** The limit that holds for this process; null on a system that has no such file. */
export function readOpenFilesMax(): number | null {
  if (!existsSync(LIMITS)) return null;
  const found = /^Max open files +(\d+|unlimited)/m.exec(readFileSync(LIMITS, "utf8"))?.[1];
  if (found === undefined) return null;
  return found === "unlimited" ? Number.MAX_SAFE_INTEGER : Number(found);
}
