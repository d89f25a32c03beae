// A process of its own that locks the directory it is given and holds it until it dies.

import { lockDataDirectory } from "#platform/data-directory/data-directory.ts";

try {
  const lock = lockDataDirectory(process.argv[2] ?? "");
  process.stdout.write(`locked ${lock.directory}\n`);
  setInterval(() => lock.directory, 60_000);
} catch (error) {
  process.stdout.write(error instanceof Error ? error.message : String(error));
}
