// argv -> one command. What every command has in common stands here: the options that come before
// all others, and what is said and answered to the shell when something is wrong.

import { Command, CommanderError } from "commander";

import { addListening } from "#cli/client/listen-commands.ts";
import { ShopFault } from "#cli/client/shop-fault.ts";
import { addAnalytics } from "#cli/operator/analytics.ts";
import { addBackups } from "#cli/operator/backups/backup-commands.ts";
import { checkAtTerminal } from "#cli/operator/check.ts";
import { addDatabases } from "#cli/operator/databases/db-copy-commands.ts";
import { migrateAtTerminal } from "#cli/operator/databases/migrate.ts";
import {
  createKeyAtTerminal,
  type CreateKeyOptions,
  listKeysAtTerminal,
  revokeKeyAtTerminal,
} from "#cli/operator/keys.ts";
import { serve } from "#cli/operator/serve.ts";
import type { SettingOptions } from "#cli/operator/settings.ts";
import { showConfig } from "#cli/operator/show-config.ts";
import { showOpenapi } from "#cli/operator/show-openapi.ts";
import { UsageFault } from "#cli/operator/usage-fault.ts";
import { nearestName } from "#kernel/nearest-name.ts";
import { Refusal } from "#kernel/refusal.ts";
import { DataDirectoryInUse } from "#platform/backup/data-directory.ts";
import { BackupFault } from "#platform/backup/fault.ts";
import { DatabaseMissing, SchemaMismatch } from "#platform/database/migrations.ts";
import { NoPrimary } from "#platform/database/postgres/errors.ts";
import { OtherKey } from "#platform/database/postgres/key-mark.ts";
import { UnusableServer } from "#platform/database/postgres/settings.ts";
import { maskText } from "#platform/log/mask-secrets.ts";
import { ConfigFaults } from "#platform/process/setting-faults.ts";
import { version } from "#platform/process/version.ts";
import { CommandFailed } from "#platform/socket/ask-server.ts";
import { CopyFault } from "#platform/transfer/fault.ts";

const DONE = 0;
const FAILED = 1;
/** Options or settings that cannot be understood; nothing was started. */
const MISUSED = 2;

/** What is told as a sentence, since the operator can do something about it. */
const expected = [
  BackupFault,
  CommandFailed,
  ConfigFaults,
  CopyFault,
  DatabaseMissing,
  DataDirectoryInUse,
  NoPrimary,
  OtherKey,
  Refusal,
  SchemaMismatch,
  ShopFault,
  UnusableServer,
  UsageFault,
] as const;

type JsonOption = SettingOptions & { readonly json?: true };

/** Does what the arguments ask for; answers the exit code. */
export async function runCommandLine(args: readonly string[]): Promise<number> {
  let isSound = true;
  const program = newProgram();
  addServe(program);
  addKeys(program);
  addListening(program);
  program
    .command("migrate")
    .description("bring both databases to the schema of this program")
    .action((_, command: Command) => migrateAtTerminal(command.optsWithGlobals<SettingOptions>()));
  program
    .command("check")
    .description("prove stock and totals; works beside a running server")
    .option("--json", "print the differences as JSON")
    .action(async (_, command: Command) => {
      isSound = await checkAtTerminal(command.optsWithGlobals<JsonOption>());
    });
  addAnalytics(program);
  addBackups(program, (found) => (isSound = found));
  addDatabases(program);
  program
    .command("openapi")
    .description("print the OpenAPI document")
    .action(() => showOpenapi());
  program
    .command("config")
    .description("print every setting, its value and its origin")
    .option("--json", "print them as JSON")
    .action((_, command: Command) => showConfig(command.optsWithGlobals<JsonOption>()));
  try {
    await program.parseAsync(args, { from: "user" });
    return isSound ? DONE : FAILED;
  } catch (error) {
    return explain(error);
  }
}

function newProgram(): Command {
  return new Command("duka")
    .description("A commerce service in one executable file.")
    .version(version)
    .option("--env-file <file>", "read settings from this file, beneath the environment")
    .option("--data-dir <directory>", "where the databases are, instead of DUKA_DATA_DIR")
    .showHelpAfterError("(duka --help lists the commands)")
    .exitOverride();
}

/** What `duka` alone does, too: so a word that is no command arrives here. */
function addServe(program: Command): void {
  const serveCommand = program
    .command("serve", { isDefault: true })
    .description("run the shop until it is told to stop (the default)")
    .option("--port <port>", "listen on this port, instead of DUKA_PORT")
    .option("--host <address>", "listen on this address, instead of DUKA_HOST")
    .allowExcessArguments()
    .action(async () => {
      const [word] = serveCommand.args;
      if (word !== undefined) serveCommand.error(`error: ${unknownCommand(program, word)}`);
      await serve(serveCommand.optsWithGlobals<SettingOptions>());
    });
}

function unknownCommand(program: Command, word: string): string {
  const known = program.commands.map((command) => command.name());
  const nearest = nearestName(word, known);
  return `there is no command "${word}"${nearest === null ? "" : `; is it "${nearest}"?`}`;
}

function addKeys(program: Command): void {
  const keys = program.command("keys").description("make, list and revoke API keys");
  keys
    .command("create")
    .description("make a key and print it, alone and this once")
    .requiredOption("--mode <mode>", "test or live")
    .option("--name <name>", "what to recognize it by", "Command line")
    .option("--scopes <scopes>", "scopes and presets, separated by commas (default: full)")
    .option("--rate-limit <number>", "requests per minute, instead of the shop's limit")
    .option("--expires <instant>", "when it ends, such as 2030-01-31 or 2030-01-31T12:00:00Z")
    .action((_, command: Command) =>
      createKeyAtTerminal(command.optsWithGlobals<CreateKeyOptions>()),
    );
  keys
    .command("list")
    .description("list the keys of both modes; the text of a key is never shown again")
    .option("--json", "print them as JSON")
    .action((_, command: Command) => listKeysAtTerminal(command.optsWithGlobals<JsonOption>()));
  keys
    .command("revoke")
    .description("make a key open nothing any more")
    .argument("<id>", "the id of the key, as `duka keys list` shows it")
    .action((id: string, _, command: Command) =>
      revokeKeyAtTerminal(id, command.optsWithGlobals<SettingOptions>()),
    );
}

/** Says what went wrong on stderr. A fault of ours is shown with where it happened. */
function explain(error: unknown): number {
  // Commander has printed its own message already.
  if (error instanceof CommanderError) return error.exitCode === 0 ? DONE : MISUSED;
  const isTheirs = expected.some((kind) => error instanceof kind) || isOfTheSystem(error);
  if (error instanceof Error && isTheirs) console.error(maskText(error.message));
  else console.error(maskText(`Duka failed: ${Bun.inspect(error)}`));
  return error instanceof ConfigFaults || error instanceof UsageFault ? MISUSED : FAILED;
}

/** A port that is taken, a disk that is full, a file that may not be written. */
function isOfTheSystem(error: unknown): boolean {
  return (
    error instanceof Error && "code" in error && /^(E|SQLITE_)[A-Z_]+$/.test(String(error.code))
  );
}
