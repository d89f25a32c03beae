// `duka keys create`, `list` and `revoke`.

import type { Command } from "commander";

import { modes } from "#platform/database/shop.ts";
import { defaultGrants, grants } from "#shop/keys/scopes.ts";

import { administer } from "./administer.ts";
import type { CreateKeyInput, KeyLine } from "./key-commands.ts";
import { member, textMember } from "./members.ts";
import { type JsonOptions, readSettings, type SettingOptions, UsageFault } from "./settings.ts";
import { renderTable } from "./table.ts";

interface CreateKeyOptions extends SettingOptions {
  readonly mode: string;
  readonly name: string;
  readonly scopes?: string;
  readonly rateLimit?: string;
  readonly expires?: string;
}

/** The columns of `keys list`: the printed heading, and the member of the socket's answer. */
const columns: readonly (readonly [heading: string, name: keyof KeyLine])[] = [
  ["ID", "id"],
  ["MODE", "mode"],
  ["KEY", "display"],
  ["NAME", "name"],
  ["SCOPES", "scopes"],
  ["PER MINUTE", "rate_per_minute"],
  ["CREATED", "created_at"],
  ["LAST USED", "last_used_at"],
  ["EXPIRES", "expires_at"],
  ["REVOKED", "revoked_at"],
];

/** Adds `duka keys` to the program. */
export function addKeys(program: Command): void {
  const keys = program.command("keys").description("create, list and revoke API keys");
  keys
    .command("create")
    .description("create a key and print it; it cannot be shown again")
    .requiredOption("--mode <mode>", "test or live")
    .option("--name <name>", "name shown in the list of keys", "Command line")
    .option("--scopes <scopes>", "scopes and presets, separated by commas (default: full)")
    .option("--rate-limit <number>", "requests per minute, instead of the shop's limit")
    .option("--expires <instant>", "expiry, such as 2030-01-31 or 2030-01-31T12:00:00Z")
    .addHelpText("after", `\nPresets and scopes:\n  ${grants.join("\n  ")}`)
    .action((_, command: Command) =>
      createKeyAtTerminal(command.optsWithGlobals<CreateKeyOptions>()),
    );
  keys
    .command("list")
    .description("list the keys of both modes, without their secret text")
    .option("--json", "print the keys as JSON")
    .action((_, command: Command) => listKeysAtTerminal(command.optsWithGlobals<JsonOptions>()));
  keys
    .command("revoke")
    .description("revoke a key, from the next request on")
    .argument("<id>", "id of the key, from `duka keys list`")
    .action((id: string, _, command: Command) =>
      revokeKeyAtTerminal(id, command.optsWithGlobals<SettingOptions>()),
    );
}

/** Prints the new key and nothing else, for `KEY=$(duka keys create --mode test)`. */
async function createKeyAtTerminal(options: CreateKeyOptions): Promise<void> {
  const config = readSettings(options);
  const input: CreateKeyInput = {
    mode: readMode(options.mode),
    name: options.name,
    scopes: options.scopes?.split(",") ?? defaultGrants,
    ratePerMinute: readRate(options.rateLimit),
    expiresAt: readInstant(options.expires),
  };
  const made = await administer(config, "keys.create", input);
  console.log(textMember(made, "key"));
}

/** Prints every key of both modes, including revoked ones. */
async function listKeysAtTerminal(options: JsonOptions): Promise<void> {
  const config = readSettings(options);
  const keys = await administer(config, "keys.list", null);
  if (options.json === true) {
    console.log(JSON.stringify(keys, null, 2));
    return;
  }
  const rows = (Array.isArray(keys) ? keys : []).map((key: unknown) =>
    columns.map(([, name]) => renderCell(member(key, name))),
  );
  console.log(
    renderTable(
      columns.map(([heading]) => heading),
      rows,
    ),
  );
}

async function revokeKeyAtTerminal(id: string, options: SettingOptions): Promise<void> {
  const config = readSettings(options);
  const revoked = await administer(config, "keys.revoke", { id });
  console.log(`Revoked ${id} (${String(member(revoked, "display"))}).`);
}

function renderCell(value: unknown): string {
  if (Array.isArray(value)) return value.join(",");
  return typeof value === "string" || typeof value === "number" ? String(value) : "-";
}

function readMode(text: string): CreateKeyInput["mode"] {
  const mode = modes.find((known) => known === text);
  if (mode === undefined) throw new UsageFault(`--mode must be test or live, not "${text}".`);
  return mode;
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

/** A date means midnight UTC. A time of day needs an offset: a zone is never assumed for it. */
function readInstant(text: string | undefined): number | null {
  if (text === undefined) return null;
  try {
    const instant = /^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00Z` : text;
    return Temporal.Instant.from(instant).epochMilliseconds;
  } catch {
    throw new UsageFault(
      `--expires must be an instant such as 2030-01-31 or 2030-01-31T12:00:00Z, not "${text}".`,
    );
  }
}
