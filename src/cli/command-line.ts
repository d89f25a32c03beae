// argv -> one command. Holds what all commands share: global options, exit codes, and how an error is
// printed. A command loads what only it needs when it runs.

import "#nouns.ts";
import { styleText } from "node:util";

import { type Argument, Command, CommanderError, Help, type Option } from "commander";

import { addListening } from "#cli/client/listen-commands.ts";
import { ShopFault } from "#cli/client/shop-answer.ts";
import { addExport } from "#cli/exports/export-commands.ts";
import { addImport } from "#cli/imports/import-commands.ts";
import { addInstall } from "#cli/install/install-commands.ts";
import { addRebuilds } from "#cli/operator/administer.ts";
import { addAudit } from "#cli/operator/audit.ts";
import { addBackups } from "#cli/operator/backups/backup-commands.ts";
import type { CheckOptions } from "#cli/operator/check.ts";
import { addDatabases, migrateAtTerminal } from "#cli/operator/db-copy.ts";
import { addGateways } from "#cli/operator/gateways/gateways.ts";
import { addGuide, usagesOf } from "#cli/operator/guide.ts";
import { addKeys } from "#cli/operator/keys.ts";
import { addPeople } from "#cli/operator/people.ts";
import { NoShop } from "#cli/operator/require-shop.ts";
import { CannotListen, serve } from "#cli/operator/serve.ts";
import {
  type InitOptions,
  type JsonOptions,
  type SettingOptions,
  showConfig,
  StepFailed,
  UsageFault,
} from "#cli/operator/settings.ts";
import { addMock, addSandbox } from "#cli/sandbox/sandbox-commands.ts";
import { Refusal } from "#kernel/refusal.ts";
import { vendors as knownVendors } from "#payments/gateways/vendor-table.ts";
import type { Vendor } from "#payments/gateways/vendors.ts";
import { BackupFault } from "#platform/backup/files.ts";
import { DataDirectoryInUse } from "#platform/data-directory/data-directory.ts";
import { FilesShared, OwnedByOther } from "#platform/data-directory/own-files.ts";
import { DatabaseMissing, ownSchema, SchemaMismatch } from "#platform/database/migrations.ts";
import { ShopInUse } from "#platform/database/open-database.ts";
import { NoPrimary, PermissionDenied } from "#platform/database/postgres/errors.ts";
import { LocksHeld } from "#platform/database/postgres/migrate.ts";
import { UnusableServer } from "#platform/database/postgres/server.ts";
import { UnusableFile } from "#platform/database/sqlite/errors.ts";
import { UnusableCertificate } from "#platform/http/server/listener.ts";
import { maskText } from "#platform/log/mask-secrets.ts";
import { AnswerLost, CommandFailed } from "#platform/operator/ask-server.ts";
import { ConfigFaults } from "#platform/process/environment.ts";
import { UnreadablePath } from "#platform/process/given-file.ts";
import { print, reportLost } from "#platform/process/output.ts";
import { compileEagerly } from "#platform/process/script-engine.ts";
import { build, versionLine } from "#platform/process/version.ts";
import { CopyFault } from "#platform/transfer/fault.ts";
import { UnusableKeyFile } from "#platform/vault/keys.ts";
import { OtherKey } from "#platform/vault/vault.ts";

import { addCompletion } from "./completion.ts";
import { findCommand, pointAtHelp, redFirst, refuseCommand, usageOf } from "./mistakes.ts";
import { addClient } from "./print-client.ts";

const DONE = 0;
const FAILED = 1;
/** Invalid options or settings; the command did not start. */
const MISUSED = 2;

/** Errors that the operator can act on: printed as a sentence, without a stack trace. */
const expected = [
  AnswerLost,
  BackupFault,
  CannotListen,
  CommandFailed,
  ConfigFaults,
  CopyFault,
  DatabaseMissing,
  DataDirectoryInUse,
  FilesShared,
  LocksHeld,
  NoPrimary,
  NoShop,
  OtherKey,
  OwnedByOther,
  PermissionDenied,
  Refusal,
  SchemaMismatch,
  ShopFault,
  ShopInUse,
  StepFailed,
  UnusableCertificate,
  UnusableFile,
  UnusableKeyFile,
  UnreadablePath,
  UnusableServer,
  UsageFault,
] as const;

/** More values of an option than these are listed below the options. */
const CHOICES_MAX = 4;

/** Runs the command that the arguments name, with gateways of these vendors, and returns the exit code. */
export async function runCommandLine(
  args: readonly string[],
  vendors: readonly Vendor[] = knownVendors,
): Promise<number> {
  let exitCode: number = DONE;
  const setSound = (isSound: boolean) => void (exitCode = isSound ? DONE : FAILED);
  const program = newProgram();
  let running = program;
  program.hook("preAction", (_, command) => {
    running = command;
    // A server is still about to start.
    if (command.name() !== "serve") compileEagerly();
  });
  addServe(program, vendors);
  addSandbox(program);
  addMock(program);
  addKeys(program);
  addPeople(program);
  addGateways(program, { vendors, setSound, setExitCode: (code) => void (exitCode = code) });
  addAudit(program);
  addImport(program, setSound);
  addExport(program, setSound);
  addListening(program);
  addMigrate(program);
  addCheck(program, setSound);
  addHealth(program, setSound);
  addDoctor(program, setSound);
  addRebuilds(program);
  addSecrets(program);
  addBackups(program, setSound);
  addDatabases(program);
  addDocument(program);
  addClient(program);
  addVersion(program);
  addInstall(program, setSound);
  program
    .command("licenses")
    .description("print the licenses of everything in this program")
    .action(async () => {
      const { licenses } = await import("#platform/process/licenses.ts");
      print(licenses.trimEnd());
    });
  program
    .command("config")
    .description("print every setting with its value and origin")
    .option("--json", "print the settings as JSON")
    .action((_, command: Command) => showConfig(command.optsWithGlobals<JsonOptions>()));
  addGuide(program);
  addCompletion(program);
  pointAtHelp(program);
  try {
    // Commander's own help command finds commands of the first level only.
    if (args[0] === "help") findCommand(program, args.slice(1)).help();
    await program.parseAsync(args, { from: "user" });
  } catch (error) {
    const code = explain(error, running);
    if (code !== DONE) return code;
  }
  return reportLost() ? FAILED : exitCode;
}

function newProgram(): Command {
  return new Command("duka")
    .description("A commerce service in one executable file.")
    .version(versionLine(), "-v, --version", "print the version")
    .helpOption("-h, --help", "print the help of a command")
    .helpCommand("help [command...]", "print the help of a command, as --help does")
    .option("--env-file <file>", "read settings from this file; the environment overrides them")
    .option("--data-dir <directory>", "directory of the databases, overrides DUKA_DATA_DIR")
    .configureOutput({
      writeOut: (text) => void print(text.trimEnd()),
      outputError: (text, write) => write(redFirst(maskText(text))),
    })
    .configureHelp({
      showGlobalOptions: true,
      styleTitle: (text) => styleText("bold", text),
      styleCommandText: (text) => styleText("cyan", text),
      optionDescription: describeTaker((option: Option, help) => help.optionDescription(option)),
      argumentDescription: describeTaker((argument: Argument, help) =>
        help.argumentDescription(argument),
      ),
    })
    .exitOverride();
}

/** Its description as commander has it, without a long list of values. */
function describeTaker<T extends Option | Argument>(describe: (taker: T, help: Help) => string) {
  const help = new Help();
  return (taker: T) =>
    (taker.argChoices ?? []).length > CHOICES_MAX ? taker.description : describe(taker, help);
}

/** The default command. Commander passes it an unknown command as an argument. */
function addServe(program: Command, vendors: readonly Vendor[]): void {
  const serveCommand = program
    .command("serve", { isDefault: true })
    .description("run the server until SIGTERM or SIGINT (default command)")
    .option("--port <port>", "port to listen on, overrides DUKA_PORT")
    .option("--host <address>", "address to listen on, overrides DUKA_HOST")
    .allowExcessArguments()
    .action(async () => {
      const [word] = serveCommand.args;
      if (word !== undefined) refuseCommand(program, word);
      const commandUsages = usagesOf(program);
      await serve(serveCommand.optsWithGlobals<SettingOptions>(), { commandUsages, vendors });
    });
}

function addMigrate(program: Command): void {
  program
    .command("migrate")
    .description("bring both databases to the schema of this version")
    .option("--init", "create the shop if there is none")
    .action((_, command: Command) => migrateAtTerminal(command.optsWithGlobals<InitOptions>()));
}

function addDocument(program: Command): void {
  program
    .command("openapi")
    .description("print the OpenAPI document")
    .action(async () => {
      const { document } = await import("#interface.ts");
      print(JSON.stringify(document(), null, 2));
    });
}

/** Prints the error on stderr, a bug with its stack trace, and returns the exit code. */
function explain(error: unknown, command: Command): number {
  // Commander has printed its own message already.
  if (error instanceof CommanderError) return error.exitCode === 0 ? DONE : MISUSED;
  const isExpected = expected.some((kind) => error instanceof kind) || isSystemError(error);
  if (error instanceof Error && isExpected) console.error(redFirst(maskText(sentenceOf(error))));
  else console.error(maskText(`Duka failed: ${Bun.inspect(error)}`));
  if (error instanceof UsageFault) console.error(`\n${usageOf(command)}`);
  return error instanceof ConfigFaults || error instanceof UsageFault ? MISUSED : FAILED;
}

/** The refusals of the system about a path, in words. */
const reasonByCode: Readonly<Record<string, string>> = {
  EACCES: "this user may not open it",
  ENOTDIR: "a part of its path is no directory",
};

/** The sentence of an error for the operator. A refusal by the database says to callers only that it is one. */
function sentenceOf(error: Error): string {
  const { message, cause } = error;
  if ("path" in error && "code" in error) {
    const reason = reasonByCode[String(error.code)];
    if (reason !== undefined) return new UnusableFile(String(error.path), reason, error).message;
  }
  if (!(error instanceof Refusal && cause instanceof Error)) return message;
  return `${message.replace(/\.$/, "")}: ${cause.message}`;
}

/** An error of the operating system or of SQLite: a port in use, a full disk, a missing permission. */
function isSystemError(error: unknown): boolean {
  return (
    error instanceof Error && "code" in error && /^(E|SQLITE_)[A-Z_]+$/.test(String(error.code))
  );
}

/** Adds the commands to the program. */
function addSecrets(program: Command): void {
  const secrets = program
    .command("secrets")
    .description("replace the key that encrypts secrets, or give up those of a lost key");
  secrets
    .command("rotate")
    .description("make a new key and encrypt every secret with it; no server may run")
    .action(async (_, command: Command) => {
      const { rotateAtTerminal } = await import("#cli/operator/rotate-secrets.ts");
      await rotateAtTerminal(command.optsWithGlobals<SettingOptions>());
    });
  secrets
    .command("reset")
    .description("give up the secrets of a shop whose key is lost; no server may run")
    .action(async (_, command: Command) => {
      const { resetAtTerminal } = await import("#cli/operator/reset-secrets.ts");
      await resetAtTerminal(command.optsWithGlobals<SettingOptions>());
    });
}

function addCheck(program: Command, setSound: (isSound: boolean) => void): void {
  program
    .command("check")
    .description("verify stock, totals and summaries; works beside a running server")
    .option("--json", "print the differences as JSON")
    .option("--repair-media", "first take what is no pixel out of the files of media")
    .action(async (_, command: Command) => {
      const { checkAtTerminal } = await import("#cli/operator/check.ts");
      setSound(await checkAtTerminal(command.optsWithGlobals<CheckOptions>()));
    });
}

function addHealth(program: Command, setSound: (isSound: boolean) => void): void {
  program
    .command("health")
    .description("print one word on the server of this data directory; exit code 0 if it is ready")
    .action(async (_, command: Command) => {
      const { healthAtTerminal } = await import("#cli/operator/health.ts");
      setSound(await healthAtTerminal(command.optsWithGlobals<SettingOptions>()));
    });
}

function addDoctor(program: Command, setSound: (isSound: boolean) => void): void {
  program
    .command("doctor")
    .description("tell what the shop and its server lack; exits with 1 where something fails")
    .option("--json", "print the checks as JSON")
    .action(async (_, command: Command) => {
      const { examineAtTerminal } = await import("#cli/operator/doctor.ts");
      setSound(await examineAtTerminal(command.optsWithGlobals<JsonOptions>()));
    });
}

/** A machine reads from it which databases the program serves: `schema` and `oldest_beside` number migrations. */
function addVersion(program: Command): void {
  program
    .command("version")
    .description("print the version, as --version does")
    .option("--json", "print it as JSON, with the schema of its databases")
    .action(async (options: JsonOptions) => {
      const { version, commit, committedAt: committed_at } = build;
      const platform = `${process.platform}-${process.arch}`;
      const { schema, oldestBeside: oldest_beside } = ownSchema;
      const built = { version, commit, committed_at, platform, runtime: `bun ${Bun.version}` };
      const text = JSON.stringify({ ...built, schema, oldest_beside }, null, 2);
      print(options.json === true ? text : versionLine());
    });
}
