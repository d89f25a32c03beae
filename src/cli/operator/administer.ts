// Runs an operator's command in the process that has the databases open: the running server, else this
// program, which then locks the data directory until the command has ended.

import type { Command } from "commander";

import { openShops } from "#open-shops.ts";
import type { Vendor } from "#payments/gateways/vendors.ts";
import { type Config, publicUrlAt } from "#platform/config/config.ts";
import { DataDirectoryInUse, lockDataDirectory } from "#platform/data-directory/data-directory.ts";
import { modes } from "#platform/database/shop.ts";
import { openLog } from "#platform/log/log.ts";
import { askServer } from "#platform/operator/ask-server.ts";
import type { Commands } from "#platform/operator/serve-administration.ts";
import { userName } from "#platform/process/environment.ts";
import { print } from "#platform/process/output.ts";

import { numberOrNull } from "./members.ts";
import { requireShop } from "./require-shop.ts";
import { readSettings, type SettingOptions } from "./settings.ts";

/** A server locks the directory before it answers: 5 s in all for the time between. */
const STARTING_ATTEMPTS = 50;
const STARTING_PAUSE_MS = 100;

/** A command of the administrative socket. */
interface ShopCommand {
  /** Such as `keys.create`. */
  readonly name: string;
  readonly input: unknown;
  /** True if a missing shop is created; never by a running server. */
  readonly init?: true | undefined;
  /** The vendors of gateways; only commands about these need them. */
  readonly vendors?: readonly Vendor[];
}

/**
 * Runs a command exactly once and returns its output. Throws its refusal, and NoShop
 * where neither a server nor a shop is.
 */
export function administer(config: Config, command: ShopCommand): Promise<unknown> {
  const run = async () => {
    const answer = await askServer(config.dataDirectory, command.name, command.input);
    if (answer.answered) return answer.output;
    if (command.init !== true) await requireShop(config);
    return await runHere(config, command);
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

async function runHere(config: Config, { name, input, vendors }: ShopCommand): Promise<unknown> {
  await using opened = await openHere(config, vendors);
  return await runIn(opened.commands, name, input);
}

async function openHere(config: Config, vendors: readonly Vendor[] = []) {
  await using opened = new AsyncDisposableStack();
  const { server, secretKey, log, media } = config;
  const lock = opened.use(lockDataDirectory(config.dataDirectory));
  const terms = { log: openLog({ ...log, level: "warn" }), secretKey, media };
  const shops = opened.use(await openShops({ directory: lock.directory, server }, terms));
  const url = publicUrlAt(config, config.listen.port);
  const gateways = { vendors, config, reopen: null };
  const { operatorCommands } = await import("#cli/operator-commands.ts");
  const commands = operatorCommands(shops, {
    served: config.modes,
    url: () => url,
    gateways,
  });
  const open = opened.move();
  return { commands, [Symbol.asyncDispose]: () => open.disposeAsync() };
}

async function runIn(commands: Commands, name: string, input: unknown): Promise<unknown> {
  const run = commands[name];
  if (run === undefined) throw new Error(`There is no command ${name}.`);
  return await run(input, userName());
}

/** A way to run many commands: the running server, else this program, which then keeps the databases open. */
export interface Administration extends AsyncDisposable {
  run(name: string, input: unknown): Promise<unknown>;
}

/** The way to the shop. A command throws NoShop where neither a server nor a shop is. */
export function openAdministration(config: Config): Administration {
  const opened = new AsyncDisposableStack();
  let commands: Commands | null = null;
  const run = async (name: string, input: unknown) => {
    if (commands !== null) return runIn(commands, name, input);
    const answer = await askServer(config.dataDirectory, name, input);
    if (answer.answered) return answer.output;
    await requireShop(config);
    commands = opened.use(await openHere(config)).commands;
    return runIn(commands, name, input);
  };
  return {
    run: (name, input) =>
      retryWhileStarting(
        () => run(name, input),
        (error) => error instanceof DataDirectoryInUse,
      ),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

const rebuilds = {
  analytics: "count the event log again for GET /v2/analytics/summary",
  books: "book the event log again",
} as const;

/** Adds `duka analytics rebuild` and `duka books rebuild`, for both modes. */
export function addRebuilds(program: Command): void {
  for (const [name, about] of Object.entries(rebuilds)) {
    program
      .command(name)
      .description(`make the ${name} anew`)
      .command("rebuild")
      .description(`${about}; works beside a running server`)
      .action(async (_, command: Command) => {
        const config = readSettings(command.optsWithGlobals<SettingOptions>());
        const read = await administer(config, { name: `${name}.rebuild`, input: {} });
        for (const mode of modes) {
          print(`${mode}: counted up to sequence ${numberOrNull(read, mode) ?? 0}`);
        }
      });
  }
}
