// Does a command of the operator where the databases are: in the running server when there is one,
// else in this program, which then holds the data directory as long as it takes.

import { openShops, type Shops } from "#open-shops.ts";
import { DataDirectoryInUse, lockDataDirectory } from "#platform/backup/data-directory.ts";
import type { Config } from "#platform/config/config.ts";
import { openLog } from "#platform/log/log.ts";
import { askServer } from "#platform/socket/ask-server.ts";

import type { Databases } from "./key-commands.ts";
import { operatorCommands } from "./operator-commands.ts";

/** A server that starts has the directory before it answers; it is asked again meanwhile. */
const STARTING_ATTEMPTS = 50;
const STARTING_PAUSE_MS = 100;

/** Both databases, as the operator's commands take them. */
export function databasesOf(shops: Shops): Databases {
  return { test: shops.test.database, live: shops.live.database };
}

/** The output of a command such as `keys.create`, done exactly once. Throws what it refuses. */
export async function administer(
  config: Config,
  command: string,
  input: unknown,
): Promise<unknown> {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await askServer(config.dataDirectory, command, input);
    if (answer.answered) return answer.output;
    try {
      return await doHere(config, command, input);
    } catch (error) {
      if (!(error instanceof DataDirectoryInUse) || attempt === STARTING_ATTEMPTS) throw error;
    }
    await Bun.sleep(STARTING_PAUSE_MS);
  }
}

async function doHere(config: Config, command: string, input: unknown): Promise<unknown> {
  const { server, secretKey } = config;
  using lock = lockDataDirectory(config.dataDirectory);
  const place = { directory: lock.directory, server };
  await using shops = await openShops(place, { log: openLog({ level: "warn" }), secretKey });
  const run = operatorCommands(databasesOf(shops))[command];
  if (run === undefined) throw new Error(`There is no command ${command}.`);
  return await run(input);
}
