// `duka keys create`, `list` and `revoke`.

import { modes } from "#platform/database/shop.ts";
import { defaultGrants } from "#shop/keys/scopes.ts";

import { administer } from "./administer.ts";
import type { CreateKeyInput, KeyLine } from "./key-commands.ts";
import { member, textMember } from "./members.ts";
import { readSettings, type SettingOptions } from "./settings.ts";
import { renderTable } from "./table.ts";
import { UsageFault } from "./usage-fault.ts";

export interface CreateKeyOptions extends SettingOptions {
  readonly mode: string;
  readonly name: string;
  readonly scopes?: string;
  readonly rateLimit?: string;
  readonly expires?: string;
}

/** The columns of `keys list`, as a person reads them and as the socket names them. */
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

/** Prints the new key and nothing else, for `KEY=$(duka keys create --mode test)`. */
export async function createKeyAtTerminal(options: CreateKeyOptions): Promise<void> {
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

/** Prints every key of both modes, revoked ones too; never the text of one. */
export async function listKeysAtTerminal(
  options: SettingOptions & { readonly json?: true },
): Promise<void> {
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

/** Afterwards the key opens nothing any more. */
export async function revokeKeyAtTerminal(id: string, options: SettingOptions): Promise<void> {
  const config = readSettings(options);
  const revoked = await administer(config, "keys.revoke", { id });
  console.log(`${id} (${String(member(revoked, "display"))}) opens nothing any more.`);
}

function renderCell(value: unknown): string {
  if (Array.isArray(value)) return value.join(",");
  return typeof value === "string" || typeof value === "number" ? String(value) : "-";
}

function readMode(text: string): CreateKeyInput["mode"] {
  const mode = modes.find((known) => known === text);
  if (mode === undefined) throw new UsageFault(`--mode is test or live, not "${text}".`);
  return mode;
}

function readRate(text: string | undefined): number | null {
  if (text === undefined) return null;
  if (!/^\d{1,9}$/.test(text)) {
    throw new UsageFault(`--rate-limit is a whole number of requests per minute, not "${text}".`);
  }
  return Number(text);
}

/** A day begins at midnight UTC; a time of day needs its offset, since nobody knows whose it is. */
function readInstant(text: string | undefined): number | null {
  if (text === undefined) return null;
  try {
    const instant = /^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00Z` : text;
    return Temporal.Instant.from(instant).epochMilliseconds;
  } catch {
    throw new UsageFault(
      `--expires is an instant such as 2030-01-31 or 2030-01-31T12:00:00Z, not "${text}".`,
    );
  }
}
