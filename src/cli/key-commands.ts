// The operator's commands for keys: the same functions answer the command line when no server runs,
// and the running server's socket when one does.

import { isId } from "#kernel/id.ts";
import { defineRefusal } from "#kernel/refusal.ts";
import { toIsoOrNull } from "#kernel/time.ts";
import { keyNotFound } from "#keys/api-key.ts";
import { createKey } from "#keys/create-key.ts";
import { listKeys } from "#keys/list-keys.ts";
import { type ApiKey } from "#keys/queries.ts";
import { revokeKey } from "#keys/revoke-key.ts";
import { readGrants } from "#keys/scopes.ts";
import type { Commands } from "#platform/socket/serve-administration.ts";
import type { Actor, Mode, Store } from "#platform/store/store.ts";

export type Stores = Readonly<Record<Mode, Store>>;

/** What `keys create` asks for. */
export interface CreateKeyInput {
  readonly mode: Mode;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly ratePerMinute: number | null;
  /** Epoch milliseconds of real time; null: never. */
  readonly expiresAt: number | null;
}

/** A key as the operator sees it. */
export interface KeyLine {
  readonly id: string;
  readonly mode: Mode;
  readonly display: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly rate_per_minute: number | null;
  readonly created_at: string | null;
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
  readonly last_used_at: string | null;
}

const scopeUnknown = defineRefusal("scope_unknown", "invalid", "There is no such scope.");

const operator: Actor = { type: "operator", id: null };
/** More keys than a shop has. */
const KEYS_MAX = 1000;

/** The commands `keys.create`, `keys.list` and `keys.revoke`. */
export function keyCommands(stores: Stores): Commands {
  return {
    "keys.create": (input) => create(stores, asCreateInput(input)),
    "keys.list": () => list(stores),
    "keys.revoke": (input) => revoke(stores, asRevokeInput(input)),
  };
}

async function create(stores: Stores, input: CreateKeyInput): Promise<{ key: string; id: string }> {
  const granted = readGrants(input.scopes);
  if ("unknown" in granted) {
    const hint = granted.nearest === null ? "" : ` Did you mean ${granted.nearest}?`;
    throw scopeUnknown({ detail: `There is no scope ${granted.unknown}.${hint}` });
  }
  const { mode, name, ratePerMinute, expiresAt } = input;
  const terms = { mode, name, ratePerMinute, expiresAt, scopes: granted.grants, heldScopes: null };
  const { key, apiKey } = await stores[mode].write((tx) => createKey(tx, terms), {
    actor: operator,
  });
  return { key, id: apiKey.id };
}

async function list(stores: Stores): Promise<KeyLine[]> {
  const lines: KeyLine[] = [];
  for (const mode of ["test", "live"] as const) {
    const page = await listKeys(stores[mode].read, { limit: KEYS_MAX, after: null });
    lines.push(...page.rows.map((key) => lineOf(key, mode)));
  }
  return lines;
}

/** The id says nothing of the mode, so both are asked. */
async function revoke(stores: Stores, { id }: { readonly id: string }): Promise<{ id: string }> {
  const page = await list(stores);
  const known = page.find((line) => line.id === id);
  if (known === undefined || !isId("key", id)) throw keyNotFound();
  await stores[known.mode].write((tx) => revokeKey(tx, id), { actor: operator });
  return { id };
}

function lineOf(key: ApiKey, mode: Mode): KeyLine {
  return {
    id: key.id,
    mode,
    display: key.display,
    name: key.name,
    scopes: key.scopes,
    rate_per_minute: key.ratePerMinute,
    created_at: toIsoOrNull(key.createdAt),
    expires_at: toIsoOrNull(key.expiresAt),
    revoked_at: toIsoOrNull(key.revokedAt),
    last_used_at: toIsoOrNull(key.lastUsedAt),
  };
}

/** The cast of what our own command line wrote to our own socket; nobody else can open it. */
function asCreateInput(input: unknown): CreateKeyInput {
  return input as CreateKeyInput;
}

/** The cast of the same for `keys revoke`. */
function asRevokeInput(input: unknown): { readonly id: string } {
  return input as { readonly id: string };
}
