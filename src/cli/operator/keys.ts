// `duka keys create`, `list`, `rotate` and `revoke`.

import { type Command, Option } from "commander";

import { withValues } from "#cli/completion.ts";
import type { Config } from "#platform/config/config.ts";
import { type Mode, modes } from "#platform/database/shop.ts";
import { outputFault, print } from "#platform/process/output.ts";
import { type KeyKind, keyKinds, OVERLAP_HOURS_MAX } from "#shop/keys/api-key.ts";
import { expandScopes, grants, readGrants } from "#shop/keys/scopes.ts";

import { administer } from "./administer.ts";
import type { CreateKeyInput, KeyLine } from "./key-commands.ts";
import { member, numberMember, textMember, textOrNull } from "./members.ts";
import {
  type InitOptions,
  type JsonOptions,
  readInstant,
  readSettings,
  type SettingOptions,
  StepFailed,
  UsageFault,
} from "./settings.ts";
import { renderTable } from "./table.ts";

interface CreateKeyOptions extends InitOptions {
  readonly mode: Mode;
  readonly name: string;
  readonly kind?: KeyKind;
  readonly scopes?: string;
  readonly rateLimit?: string;
  readonly expires?: string;
  readonly replaces?: string;
}

interface RevokeOptions extends SettingOptions {
  readonly all?: true;
  readonly mode?: Mode;
}

interface RotateOptions extends SettingOptions {
  readonly overlapHours: string;
}

interface ListKeysOptions extends JsonOptions {
  readonly all?: true;
}

/** Adds `duka keys` to the program. */
export function addKeys(program: Command): void {
  const keys = program.command("keys").description("create, list, rotate and revoke API keys");
  keys
    .command("create")
    .description("create a key and print it; it cannot be shown again")
    .usage("--mode <mode> [options]")
    .addOption(new Option("--mode <mode>", "mode of the key").choices(modes).makeOptionMandatory())
    .option("--name <name>", "name shown in the list of keys", "Command line")
    .addOption(new Option("--kind <kind>", "publishable for a key in a web page").choices(keyKinds))
    .addOption(
      withValues(
        new Option("--scopes <scopes>", "scopes and presets, separated by commas"),
        grants,
      ),
    )
    .option("--rate-limit <number>", "requests per minute, instead of the shop's limit")
    .option("--expires <instant>", "expiry, such as 2030-01-31 or 2030-01-31T12:00:00Z")
    .option("--replaces <id>", "key of a program whose retries the new key continues")
    .option("--init", "create the shop if there is none")
    .addHelpText("after", () => `\n${grantsInWords()}`)
    .action((_, command: Command) =>
      createKeyAtTerminal(command.optsWithGlobals<CreateKeyOptions>()),
    );
  keys
    .command("list")
    .description("list the keys of both modes, without their secret text")
    .option("--all", "list the keys that earlier runs of listen and trigger used, too")
    .option("--json", "print the keys as JSON")
    .action((_, command: Command) =>
      listKeysAtTerminal(command.optsWithGlobals<ListKeysOptions>()),
    );
  keys
    .command("revoke")
    .description("revoke a key, from the next request on")
    .argument("[id]", "id of the key, from `duka keys list`")
    .option("--all", "revoke every key of both modes")
    .addOption(new Option("--mode <mode>", "with --all, the keys of this mode only").choices(modes))
    .action((id: string | undefined, _, command: Command) =>
      revokeAtTerminal(id, command.optsWithGlobals<RevokeOptions>()),
    );
  keys
    .command("rotate")
    .description("replace a key with a new one that may do the same, and print it")
    .argument("<id>", "id of the key, from `duka keys list`")
    .option("--overlap-hours <hours>", "how long the previous key stays valid", "24")
    .action((id: string, _, command: Command) =>
      rotateKeyAtTerminal(id, command.optsWithGlobals<RotateOptions>()),
    );
}

/** Prints the new key and nothing else, a warning apart, for `KEY=$(duka keys create --mode test)`. */
async function createKeyAtTerminal(options: CreateKeyOptions): Promise<void> {
  const config = readSettings(options);
  const input: CreateKeyInput = {
    mode: options.mode,
    name: options.name,
    kind: options.kind ?? null,
    scopes: readScopes(options.scopes),
    ratePerMinute: readRate(options.rateLimit),
    expiresAt: readInstant(options.expires, "--expires"),
    replaces: options.replaces ?? null,
  };
  const made = await administer(config, { name: "keys.create", input, init: options.init });
  const warning = textOrNull(made, "warning");
  if (warning !== null) console.error(warning);
  await showKey(config, made);
}

/** Prints a new key. One that could not be shown would be valid for ever without a user, so it is revoked. */
async function showKey(config: Config, made: unknown): Promise<void> {
  if (print(textMember(made, "key"))) return;
  const id = textMember(made, "id");
  await administer(config, { name: "keys.revoke", input: { id } });
  const fault = outputFault();
  if (fault !== null) throw new StepFailed(`${fault} The new key ${id} was revoked.`);
}

/** Prints the keys of both modes, including revoked ones. */
async function listKeysAtTerminal(options: ListKeysOptions): Promise<void> {
  const config = readSettings(options);
  const keys = await administer(config, {
    name: "keys.list",
    input: { all: options.all === true },
  });
  if (options.json === true) {
    print(JSON.stringify(keys, null, 2));
    return;
  }
  const rows = (Array.isArray(keys) ? keys : []).map(rowOf);
  print(renderTable(["ID", "KEY", "KIND", "NAME", "SCOPES", "USED", "ENDS"], rows));
}

async function revokeAtTerminal(id: string | undefined, options: RevokeOptions): Promise<void> {
  const { all: isAll = false, mode = null } = options;
  if ((id !== undefined) === isAll) throw new UsageFault("Name the id of a key, or --all.");
  if (mode !== null && !isAll) throw new UsageFault("--mode goes with --all.");
  const config = readSettings(options);
  if (id === undefined) {
    const revoked = await administer(config, { name: "keys.revoke-all", input: { mode } });
    const count = numberMember(revoked, "count");
    print(`Revoked ${count} ${count === 1 ? "key" : "keys"}.`);
    return;
  }
  const revoked = await administer(config, { name: "keys.revoke", input: { id } });
  print(`Revoked ${id} (${String(member(revoked, "display"))}).`);
}

/** Prints the new key and nothing else. */
async function rotateKeyAtTerminal(id: string, options: RotateOptions): Promise<void> {
  const overlapHours = Number(options.overlapHours);
  const isWhole = /^\d{1,3}$/.test(options.overlapHours) && overlapHours <= OVERLAP_HOURS_MAX;
  if (!isWhole) {
    throw new UsageFault(
      `--overlap-hours must be a whole number from 0 to ${OVERLAP_HOURS_MAX}, not "${options.overlapHours}".`,
    );
  }
  const config = readSettings(options);
  const made = await administer(config, { name: "keys.rotate", input: { id, overlapHours } });
  await showKey(config, made);
}

/** The cells of a key; `--json` has the rest. */
function rowOf(key: unknown): string[] {
  const line: Partial<Record<keyof KeyLine, unknown>> = Object(key);
  const { id, kind, display, name, scopes, last_used_at, revoked_at, expires_at } = line;
  const ends = typeof revoked_at === "string" ? `revoked ${dayOf(revoked_at)}` : dayOf(expires_at);
  return [
    String(id),
    String(display),
    String(kind),
    String(name),
    Array.isArray(scopes) ? scopes.join(", ") : "-",
    dayOf(last_used_at),
    ends,
  ];
}

function dayOf(instant: unknown): string {
  return typeof instant === "string" ? instant.slice(0, 10) : "-";
}

function readScopes(text: string | undefined): CreateKeyInput["scopes"] {
  if (text === undefined) return null;
  const granted = readGrants([text]);
  if (!("unknown" in granted)) return granted.grants;
  const { unknown, nearest } = granted;
  const hint = nearest === null ? "" : ` Did you mean "${nearest}"?`;
  throw new UsageFault(
    `--scopes has "${unknown}", which is no scope.${hint}\n\n${grantsInWords()}`,
  );
}

/** The presets with what they stand for, and the scopes, as lines of 80 columns. */
function grantsInWords(): string {
  const presets = grants.filter((grant) => expandScopes([grant]).size > 1);
  const scopes = grants.filter((grant) => !presets.includes(grant));
  const meanings = presets.map((preset) => {
    const held = [...expandScopes([preset])];
    return [preset, held.length === scopes.length ? "every scope (default)" : held.join(", ")];
  });
  const actions = Map.groupBy(scopes, (scope) => scope.split(":")[0] ?? "");
  const nouns = [...actions.values()].map((ofNoun) => `  ${ofNoun.join(", ")}`);
  const listed = renderTable(["Presets:", ""], meanings, 78);
  return `${listed.replaceAll("\n", "\n  ")}\n\nScopes:\n${nouns.join("\n")}`;
}

function readRate(text: string | undefined): number | null {
  if (text === undefined) return null;
  if (!/^\d{1,9}$/.test(text)) {
    throw new UsageFault(
      `--rate-limit must be a whole number of requests per minute, not "${text}".`,
    );
  }
  return Number(text);
}
