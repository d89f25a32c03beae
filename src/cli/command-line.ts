// argv -> one command. Holds what all commands share: global options, exit codes, and how an error is
// printed.

import { Command, CommanderError } from "commander";

import { addListening } from "#cli/client/listen-commands.ts";
import { ShopFault } from "#cli/client/shop-answer.ts";
import { addAnalytics } from "#cli/operator/analytics.ts";
import { addBackups } from "#cli/operator/backups/backup-commands.ts";
import { checkAtTerminal } from "#cli/operator/check.ts";
import { addDatabases } from "#cli/operator/databases/db-copy.ts";
import { migrateAtTerminal } from "#cli/operator/databases/migrate.ts";
import { addGuide, usagesOf } from "#cli/operator/guide.ts";
import { addKeys } from "#cli/operator/keys.ts";
import { serve } from "#cli/operator/serve.ts";
import { type JsonOptions, type SettingOptions, UsageFault } from "#cli/operator/settings.ts";
import { showConfig } from "#cli/operator/show-config.ts";
import { clientScript, clientSource } from "#client/emit-client.ts";
import { document } from "#interface.ts";
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
/** Invalid options or settings; the command did not start. */
const MISUSED = 2;

/** Errors that the operator can act on: printed as a sentence, without a stack trace. */
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

/** Runs the command that the arguments name and returns the exit code. */
export async function runCommandLine(args: readonly string[]): Promise<number> {
  let isSound = true;
  const program = newProgram();
  addServe(program);
  addKeys(program);
  addListening(program);
  program
    .command("migrate")
    .description("bring both databases to the schema of this version")
    .action((_, command: Command) => migrateAtTerminal(command.optsWithGlobals<SettingOptions>()));
  program
    .command("check")
    .description("verify stock, totals and summaries; works beside a running server")
    .option("--json", "print the differences as JSON")
    .action(async (_, command: Command) => {
      isSound = await checkAtTerminal(command.optsWithGlobals<JsonOptions>());
    });
  addAnalytics(program);
  addBackups(program, (result) => (isSound = result));
  addDatabases(program);
  program
    .command("openapi")
    .description("print the OpenAPI document")
    .action(() => console.log(JSON.stringify(document(), null, 2)));
  program
    .command("client")
    .description("print the typed client, one file without dependencies")
    .option("--js", "print JavaScript instead of TypeScript")
    .action(({ js }: { js?: true }) =>
      console.log((js === true ? clientScript : clientSource)(document()).trimEnd()),
    );
  program
    .command("config")
    .description("print every setting with its value and origin")
    .option("--json", "print the settings as JSON")
    .action((_, command: Command) => showConfig(command.optsWithGlobals<JsonOptions>()));
  addGuide(program);
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
    .option("--env-file <file>", "read settings from this file; the environment overrides them")
    .option("--data-dir <directory>", "directory of the databases, overrides DUKA_DATA_DIR")
    .showHelpAfterError("(duka --help lists the commands)")
    .exitOverride();
}

/** The default command. Commander passes it an unknown command as an argument. */
function addServe(program: Command): void {
  const serveCommand = program
    .command("serve", { isDefault: true })
    .description("run the server until SIGTERM or SIGINT (default command)")
    .option("--port <port>", "port to listen on, overrides DUKA_PORT")
    .option("--host <address>", "address to listen on, overrides DUKA_HOST")
    .allowExcessArguments()
    .action(async () => {
      const [word] = serveCommand.args;
      if (word !== undefined) serveCommand.error(`error: ${unknownCommand(program, word)}`);
      await serve(serveCommand.optsWithGlobals<SettingOptions>(), usagesOf(program));
    });
}

function unknownCommand(program: Command, word: string): string {
  const known = program.commands.map((command) => command.name());
  const nearest = nearestName(word, known);
  return `unknown command "${word}"${nearest === null ? "" : `; did you mean "${nearest}"?`}`;
}

/** Prints the error on stderr, a bug with its stack trace, and returns the exit code. */
function explain(error: unknown): number {
  // Commander has printed its own message already.
  if (error instanceof CommanderError) return error.exitCode === 0 ? DONE : MISUSED;
  const isExpected = expected.some((kind) => error instanceof kind) || isSystemError(error);
  if (error instanceof Error && isExpected) console.error(maskText(error.message));
  else console.error(maskText(`Duka failed: ${Bun.inspect(error)}`));
  return error instanceof ConfigFaults || error instanceof UsageFault ? MISUSED : FAILED;
}

/** An error of the operating system or of SQLite: a port in use, a full disk, a missing permission. */
function isSystemError(error: unknown): boolean {
  return (
    error instanceof Error && "code" in error && /^(E|SQLITE_)[A-Z_]+$/.test(String(error.code))
  );
}
