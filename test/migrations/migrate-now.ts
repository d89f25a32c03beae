// A process of its own that migrates the file it is given and says what it applied, a line each.

import { realClock } from "#kernel/time.ts";
import { migrate } from "#platform/database/sqlite/migrate.ts";

let said: readonly string[];
try {
  said = migrate(process.argv[2] ?? "", { clock: realClock }).applied;
} catch (error) {
  said = [error instanceof Error ? error.message : String(error)];
}
process.stdout.write(said.join("\n"));
