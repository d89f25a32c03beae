// A macro that runs when the program is bundled: the only version is the one in package.json.

import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The version of the package. */
export function readVersion(): string {
  const text = readFileSync(join(import.meta.dir, "../../../package.json"), "utf8");
  const members: unknown = JSON.parse(text);
  if (typeof members !== "object" || members === null || !("version" in members)) return "unknown";
  return String(members.version);
}
