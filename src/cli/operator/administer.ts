// Runs an operator's command in the process that has the databases open: the running server, else this
// program, which then locks the data directory until the command has ended.

import { openShops, type Shops } from "#open-shops.ts";
import { DataDirectoryInUse, lockDataDirectory } from "#platform/backup/data-directory.ts";
import type { Config } from "#platform/config/config.ts";
import { openLog } from "#platform/log/log.ts";
import { askServer } from "#platform/socket/ask-server.ts";

import type { Databases } from "./key-commands.ts";
import { operatorCommands } from "./operator-commands.ts";

/** A server locks the directory before it answers: 5 s in all for the time between. */
const STARTING_ATTEMPTS = 50;
const STARTING_PAUSE_MS = 100;

/** Both databases, as the operator's commands take them. */
export function databasesOf(shops: Shops): Databases {
  return { test: shops.test.database, live: shops.live.database };
}

/** Runs a command such as `keys.create` exactly once and returns its output. Throws its refusal. */
export function administer(config: Config, command: string, input: unknown): Promise<unknown> {
  const run = async () => {
    const answer = await askServer(config.dataDirectory, command, input);
    return answer.answered ? answer.output : await runHere(config, command, input);
  };
  return retryWhileStarting(run, (error) => error instanceof DataDirectoryInUse);
}

/** Runs the work until no error says that the server is starting, at most 50 times in 5 s. */
export async function retryWhileStarting<T>(
  work: () => Promise<T>,
  isStarting: (error: unknown) => boolean,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (!isStarting(error) || attempt === STARTING_ATTEMPTS) throw error;
    }
    await Bun.sleep(STARTING_PAUSE_MS);
  }
}

async function runHere(config: Config, command: string, input: unknown): Promise<unknown> {
  const { server, secretKey } = config;
  using lock = lockDataDirectory(config.dataDirectory);
  const place = { directory: lock.directory, server };
  await using shops = await openShops(place, { log: openLog({ level: "warn" }), secretKey });
  const run = operatorCommands(databasesOf(shops))[command];
  if (run === undefined) throw new Error(`There is no command ${command}.`);
  return await run(input);
}
