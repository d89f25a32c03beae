// What the operator may ask of a shop's databases: the same functions answer the command line when no
// server runs, and the running server's socket when one does.

import { rebuildAnalytics } from "#analytics/projection/rebuild-analytics.ts";
import type { Commands } from "#platform/socket/serve-administration.ts";

import { type Databases, keyCommands } from "./key-commands.ts";

/** The commands of keys, and `analytics.rebuild`, which answers how far each log was counted. */
export function operatorCommands(databases: Databases): Commands {
  return {
    ...keyCommands(databases),
    "analytics.rebuild": async () => ({
      test: await rebuildAnalytics(databases.test),
      live: await rebuildAnalytics(databases.live),
    }),
  };
}
