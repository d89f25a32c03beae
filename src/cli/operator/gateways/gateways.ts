// `duka gateways`: the secrets of the shop at vendors of gateways, and gateways of the shop's own.

import { Argument, type Command, Option } from "commander";

import { withValues } from "#cli/completion.ts";
import { administer } from "#cli/operator/administer.ts";
import { listMember, member, textMember, textOrNull } from "#cli/operator/members.ts";
import {
  type JsonOptions,
  readSettings,
  type SettingOptions,
  UsageFault,
} from "#cli/operator/settings.ts";
import { printable, renderTable } from "#cli/operator/table.ts";
import { isCustomId } from "#payments/gateways/known-gateways.ts";
import { splitWebhookSecrets, type Vendor } from "#payments/gateways/vendors.ts";
import type { Config } from "#platform/config/config.ts";
import { type Mode, modes } from "#platform/database/shop.ts";
import { print } from "#platform/process/output.ts";

import type { SetGatewayInput } from "./gateway-commands.ts";
import type { TestOptions } from "./test-adapter.ts";

interface GatewayOptions extends SettingOptions {
  readonly mode: Mode;
}

interface SetOptions extends GatewayOptions {
  readonly webhookSecret?: true;
}

interface GatewayTerms {
  readonly vendors: readonly Vendor[];
  /** Receives whether all that was checked is as it should be. */
  readonly setSound: (isSound: boolean) => void;
  /** Receives another exit code than these two. */
  readonly setExitCode: (code: number) => void;
}

/** Adds `duka gateways` to the program. */
export function addGateways(program: Command, terms: GatewayTerms): void {
  const { vendors, setSound, setExitCode } = terms;
  const gateways = program
    .command("gateways")
    .description("store, list, remove and check payment gateways and their secrets");
  const below = (name: string, does: string) =>
    gateways
      .command(name)
      .description(does)
      .addArgument(
        withValues(
          new Argument("<gateway>", "id of the gateway, such as stripe"),
          vendors.map(({ id }) => id),
        ),
      )
      .addOption(
        new Option("--mode <mode>", "mode of the secret").choices(modes).makeOptionMandatory(),
      );
  below("set", "read a secret from the terminal or stdin, and store it encrypted")
    .option("--webhook-secret", "read the secret of its webhooks, too, from a second line")
    // A secret among the arguments is refused here, since commander's own message would repeat it.
    .allowExcessArguments()
    .allowUnknownOption()
    .action((_gateway: string, _options, command: Command) =>
      setAtTerminal(command, vendors, command.optsWithGlobals<SetOptions>()),
    );
  gateways
    .command("list")
    .description("list the secrets of both modes, without their secret text")
    .option("--json", "print the secrets as JSON")
    .action((_, command: Command) =>
      listAtTerminal(vendors, command.optsWithGlobals<JsonOptions>()),
    );
  below("remove", "delete a stored secret, or a gateway of your own without payments").action(
    async (gateway: string, _, command: Command) => {
      const options = command.optsWithGlobals<GatewayOptions>();
      const config = readSettings(options);
      const input = { gateway, mode: options.mode };
      const done = await administer(config, { name: "gateways.remove", input, vendors });
      const what = isCustomId(gateway) ? gateway : `the stored secret of ${gateway}`;
      print(`Removed ${what} in ${options.mode} mode.`);
      print(whatFollows(done, config));
    },
  );
  below(
    "connect",
    "have a gateway send its notices here: asks once for a secret that may set that up",
  )
    .allowExcessArguments()
    .action((_gateway: string, _options, command: Command) =>
      connectAtTerminal(command, vendors, command.optsWithGlobals<GatewayOptions>()),
    );
  below("check", "ask a gateway whether its secret works, and one of your own what it is").action(
    async (gateway: string, _, command: Command) =>
      setSound(await checkAtTerminal(gateway, vendors, command.optsWithGlobals<GatewayOptions>())),
  );
  addOwn(gateways);
  addTest(gateways, setExitCode);
}

function addTest(gateways: Command, setExitCode: GatewayTerms["setExitCode"]): void {
  gateways
    .command("contract")
    .description("print the contract of an adapter as an OpenAPI document")
    .action(async () => {
      const { contractDocument } = await import("#payments/gateways/http/contract-document.ts");
      print(JSON.stringify(contractDocument(), null, 2));
    });
  gateways
    .command("test")
    .description("test an adapter of your own against the contract, in test mode")
    .argument("<url>", "where the adapter is")
    .option("--secret-file <file>", "file with the secret that signs; asked for if absent")
    .option(
      "--attempt <method:currency:provider:phone>",
      "payment to begin; by default the first that the adapter takes",
    )
    .option("--person", "you pay yourself, as the terminal says")
    .option("--restart <command>", "command that kills the adapter and starts it again")
    .option("--json", "print the results as JSON")
    .action(async (url: string, _, command: Command) => {
      const { testAtTerminal } = await import("./test-adapter.ts");
      setExitCode(await testAtTerminal(url, command.optsWithGlobals<TestOptions>()));
    });
}

/** The commands of gateways of the shop's own. */
function addOwn(gateways: Command): void {
  const own = (name: string, does: string) =>
    gateways
      .command(name)
      .description(does)
      .argument("<gateway>", "id of your own, with a hyphen, such as hubtel-gh")
      .addOption(
        new Option("--mode <mode>", "mode of the gateway").choices(modes).makeOptionMandatory(),
      );
  own("add", "add a gateway of your own, or say its new URL; prints the secret once")
    .argument("<url>", "where its adapter is, on this machine, too")
    .action((gateway: string, url: string, ...[, command]: readonly [unknown, Command]) =>
      ownAtTerminal("add", { gateway, url }, command.optsWithGlobals<GatewayOptions>()),
    );
  own("rotate", "give a gateway of your own another secret; the former one holds for a day").action(
    (gateway: string, _, command: Command) =>
      ownAtTerminal("rotate", { gateway }, command.optsWithGlobals<GatewayOptions>()),
  );
  own("retire", "take no new payments at a gateway of your own").action(
    (gateway: string, _, command: Command) =>
      ownAtTerminal("retire", { gateway }, command.optsWithGlobals<GatewayOptions>()),
  );
}

const OWN_ACTS = { add: "Added", rotate: "Rotated the secret of", retire: "Retired" } as const;

/** Prints what was done, and on a line of its own a secret that was made. */
async function ownAtTerminal(
  act: keyof typeof OWN_ACTS,
  given: { readonly gateway: string; readonly url?: string },
  options: GatewayOptions,
): Promise<void> {
  const config = readSettings(options);
  const { mode } = options;
  const done = await administer(config, { name: `gateways.${act}`, input: { ...given, mode } });
  print(`${OWN_ACTS[act]} ${given.gateway} in ${mode} mode.`);
  const secret = textOrNull(done, "secret");
  if (secret !== null) print(`Its secret, which is not shown again:\n${secret}`);
  if (act === "add") print(`Then: duka gateways check ${given.gateway} --mode ${mode}`);
  print(whatFollows(done, config));
}

/** The vendor that the arguments name, and nothing else. Throws UsageFault. */
function vendorIn(
  [gateway = "", ...others]: readonly string[],
  vendors: readonly Vendor[],
): Vendor {
  if (others.length > 0) {
    throw new UsageFault(
      "A secret among the arguments is visible to other users of this machine and stays in the history of the " +
        "shell. If you gave one, replace it at the vendor; then repeat the command with the gateway alone, and give " +
        "the new one when it is asked for, or at stdin.",
    );
  }
  const vendor = vendors.find(({ id }) => id === gateway);
  if (vendor === undefined) throw new UsageFault(unknownGateway(vendors));
  return vendor;
}

async function connectAtTerminal(
  { args }: Command,
  vendors: readonly Vendor[],
  options: GatewayOptions,
): Promise<void> {
  const { id: gateway } = vendorIn(args, vendors);
  const config = readSettings(options);
  const { mode } = options;
  const question = `Secret of ${gateway} in ${mode} mode that may write webhook endpoints; it is not stored`;
  const { readSecrets } = await import("./read-secrets.ts");
  const [secret = ""] = await readSecrets([question]);
  const input = { gateway, mode, secret };
  const done = await administer(config, { name: "gateways.connect", input, vendors });
  print(`${gateway} sends its notices of ${mode} mode to ${textMember(done, "url")}`);
  print(whatFollows(done, config));
}

async function setAtTerminal(
  { args }: Command,
  vendors: readonly Vendor[],
  options: SetOptions,
): Promise<void> {
  const { id: gateway, fields } = vendorIn(args, vendors);
  const config = readSettings(options);
  const { mode, webhookSecret: asksForBoth = false } = options;
  const question = `Secret of ${gateway} in ${mode} mode`;
  const questions = [question, ...(asksForBoth ? ["Secret of its webhooks"] : [])];
  const { readFieldsJson, readSecrets } = await import("./read-secrets.ts");
  const isOfFields = fields !== null && !asksForBoth;
  const [secret = "", signing] = isOfFields
    ? [await readFieldsJson(fields, question)]
    : await readSecrets(questions);
  const webhookSecrets = signing === undefined ? null : splitWebhookSecrets(signing);
  const input: SetGatewayInput = { gateway, mode, secret, webhookSecrets };
  const done = await administer(config, { name: "gateways.set", input, vendors });
  print(`Stored the secret of ${gateway} in ${mode} mode.`);
  print(whatFollows(done, config));
}

function unknownGateway(vendors: readonly Vendor[]): string {
  const known = vendors.map(({ id }) => id);
  return `There is no such gateway. Known: ${known.join(", ") || "none"}.`;
}

function whatFollows(done: unknown, { server }: Config): string {
  const setting = textOrNull(done, "overridden_by");
  if (setting !== null) return `${setting} is set and comes before it.`;
  if (member(done, "is_in_use") !== true) return "The server takes note at its next start.";
  if (server === null) return "The running server has taken note.";
  return "The server of this machine has taken note; others of this shop do within seconds.";
}

async function listAtTerminal(vendors: readonly Vendor[], options: JsonOptions): Promise<void> {
  const command = { name: "gateways.list", input: null, vendors };
  const lines = await administer(readSettings(options), command);
  if (options.json === true) {
    print(JSON.stringify(lines, null, 2));
    return;
  }
  const rows = (Array.isArray(lines) ? lines : []).map(rowOf);
  if (rows.length === 0) print("No gateway has a secret.");
  else print(renderTable(HEADINGS, rows));
}

const HEADINGS = ["GATEWAY", "MODE", "SECRET", "WEBHOOKS", "SOURCE", "STATE", "SET", "BY"];

/** The cells of a secret. */
function rowOf(line: unknown): string[] {
  return [
    textMember(line, "gateway"),
    textMember(line, "mode"),
    textMember(line, "secret"),
    member(line, "has_webhook_secret") === true ? "yes" : "no",
    textMember(line, "source"),
    textMember(line, "state"),
    textOrNull(line, "set_at")?.slice(0, 10) ?? "-",
    textOrNull(line, "set_by") ?? "-",
  ];
}

/** Prints what the gateway reports; true if all of it is well. */
async function checkAtTerminal(
  gateway: string,
  vendors: readonly Vendor[],
  options: GatewayOptions,
): Promise<boolean> {
  const input = { gateway, mode: options.mode };
  const command = { name: "gateways.check", input, vendors };
  const checked = listMember(await administer(readSettings(options), command), "lines");
  for (const line of checked) {
    print(`${isOk(line) ? "ok" : "FAULT"}  ${printable(textMember(line, "text"))}`);
  }
  return checked.every(isOk);
}

function isOk(line: unknown): boolean {
  return member(line, "ok") === true;
}
