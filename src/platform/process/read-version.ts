// Runs when the program is bundled (a macro): the version in package.json is the only one there is.

import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The version of the package. */
export function readVersion(): string {
  const text = readFileSync(join(import.meta.dir, "../../../package.json"), "utf8");
  const members: unknown = JSON.parse(text);
  if (typeof members !== "object" || members === null || !("version" in members)) return "unknown";
  return String(members.version);
}
