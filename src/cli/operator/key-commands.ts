// The commands of the administrative socket for API keys. Input is validated here, since it may come
// from the command line of another version.

import { type Id, isId } from "#kernel/id.ts";
import { defineRefusal, Refusal, validationFailed } from "#kernel/refusal.ts";
import { nextTurn, realClock, toIso, toIsoOrNull } from "#kernel/time.ts";
import { type Database, operator, type Story } from "#platform/database/database.ts";
import { type Mode, modes } from "#platform/database/shop.ts";
import type { Commands } from "#platform/operator/serve-administration.ts";
import { recordAct } from "#shop/audit/record-act.ts";
import { hasEnded, type KeyKind, keyKinds, keyNotFound } from "#shop/keys/api-key.ts";
import { createKey, rotateKey, type Rotation } from "#shop/keys/create-key.ts";
import { hasKey, listKeys } from "#shop/keys/lookups.ts";
import { revokeAllKeys, revokeKey } from "#shop/keys/revoke-key.ts";
import { kindOfKey, readGrants } from "#shop/keys/scopes.ts";
import { getStore } from "#shop/store/lookups.ts";
import { paysOnWebPages } from "#shop/store/payment-methods.ts";

import {
  listMember,
  member,
  numberMember,
  numberOrNull,
  textMember,
  textOrNull,
} from "./members.ts";

export type Databases = Readonly<Record<Mode, Database>>;

/** The input of `keys.create`. */
export interface CreateKeyInput {
  readonly mode: Mode;
  readonly name: string;
  /** Null if the scopes decide. */
  readonly kind: KeyKind | null;
  /** Null for those of the kind. */
  readonly scopes: readonly string[] | null;
  readonly ratePerMinute: number | null;
  /** Epoch milliseconds of real time; null for a key that never expires. */
  readonly expiresAt: number | null;
  /** The id of a key of the same mode whose idempotency keys the new one takes over, or null. */
  readonly replaces: string | null;
  /** In test mode, no event tells of a key that a command creates for itself. */
  readonly isQuiet?: boolean;
}

/** The names of the keys that the command line creates for itself. */
export const commandKeyNames = ["duka listen", "duka trigger"] as const;

/** A key as `duka keys list --json` prints it. */
export interface KeyLine {
  readonly id: string;
  readonly mode: Mode;
  readonly kind: KeyKind;
  readonly display: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly rate_per_minute: number | null;
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
  readonly last_used_at: string | null;
}

type ApiKey = Awaited<ReturnType<typeof revokeKey>>;

const scopeUnknown = defineRefusal("scope_unknown", "invalid", "The scope does not exist.");
const modeUnknown = defineRefusal("mode_unknown", "invalid", "The mode must be test or live.");

const testModeOff = defineRefusal(
  "test_mode_off",
  "conflict",
  "Test mode is off: DUKA_TEST_MODE says so. A key of test mode would open nothing.",
);

const PAGE_ROWS = 100;

const NO_WAY_TO_PAY =
  'Pages with this key cannot be paid yet: set up a gateway, or say how you are paid, by PUT /v2/store {"payment_methods": {"bank_transfer": {"instructions": "…"}}}.';

/** The commands of keys. */
export function keyCommands(databases: Databases, served: readonly Mode[] = modes): Commands {
  return {
    "keys.create": async (input, by) => {
      const terms = readCreateInput(input);
      requireServed(served, terms.mode);
      const { apiKey, key } = await create(operatorWrites(databases, "keys create", by), terms);
      const isShown = kindOfKey(apiKey.scopes) === "publishable" && terms.mode === "live";
      const isUnpaid = isShown && !paysOnWebPages(await getStore(databases.live.read));
      return { key, id: apiKey.id, ...(isUnpaid && { warning: NO_WAY_TO_PAY }) };
    },
    "keys.list": (input) => list(databases, member(input, "all") === true),
    "keys.revoke": async (input, by) => {
      const key = await findKey(databases, textMember(input, "id"));
      const isQuiet = isQuietIn(key.mode, input);
      return revoke(operatorWrites(databases, "keys revoke", by), key, isQuiet);
    },
    "keys.revoke-all": (input, by) =>
      revokeAll(operatorWrites(databases, "keys revoke --all", by), readModes(input)),
    "keys.rotate": async (input, by) => {
      const overlapHours = numberMember(input, "overlapHours");
      const { id, mode } = await findKey(databases, textMember(input, "id"));
      requireServed(served, mode);
      const write = operatorWrites(databases, "keys rotate", by);
      return rotate(write, id, { mode, overlapHours, maker: null });
    },
  };
}

async function create(
  write: OperatorWrite,
  input: CreateKeyInput,
): Promise<{ key: string; apiKey: ApiKey }> {
  const granted = input.scopes === null ? { grants: null } : readGrants(input.scopes);
  if ("unknown" in granted) {
    const hint = granted.nearest === null ? "" : ` Did you mean ${granted.nearest}?`;
    throw scopeUnknown({ detail: `There is no scope ${granted.unknown}.${hint}` });
  }
  const replaces = input.replaces === null ? null : readKeyId(input.replaces);
  const terms = { ...input, scopes: granted.grants, maker: null, replaces };
  try {
    return await write(input.mode, async (tx) => {
      const made = await createKey(tx, terms);
      return { ...made, subject: made.apiKey.id };
    });
  } catch (error) {
    throw withFaultsInDetail(error);
  }
}

/** The keys of both modes, newest first in each; without `isAll` not those whose command has ended. */
async function list(databases: Databases, isAll: boolean): Promise<KeyLine[]> {
  const lines: KeyLine[] = [];
  for (const mode of modes) {
    for (let after: string | null = null, hasMore = true; hasMore;) {
      await nextTurn();
      const page = await listKeys(databases[mode].read, { limit: PAGE_ROWS, after });
      const shown = page.rows.filter((key) => isAll || !isLeftByCommand(key));
      lines.push(...shown.map((key) => lineOf(key, mode)));
      after = page.rows.at(-1)?.id ?? null;
      hasMore = page.hasMore;
    }
  }
  return lines;
}

/** A key of `duka listen` or `duka trigger` that was revoked at its end, or expired after a kill. */
function isLeftByCommand({ name, revokedAt, expiresAt }: ApiKey): boolean {
  const isOfCommand = commandKeyNames.some((known) => known === name);
  return isOfCommand && hasEnded({ revokedAt, expiresAt }, realClock.now());
}

async function revoke(
  write: OperatorWrite,
  { id, mode }: KnownKey,
  isQuiet: boolean,
): Promise<KeyLine> {
  const { apiKey } = await write(mode, async (tx) => ({
    apiKey: await revokeKey(tx, id, { heldScopes: null, isQuiet }),
    subject: id,
  }));
  return lineOf(apiKey, mode);
}

/** Revokes every key of the modes. Returns how many. */
async function revokeAll(
  write: OperatorWrite,
  chosen: readonly Mode[],
): Promise<{ count: number }> {
  let count = 0;
  for (const mode of chosen) {
    const revoked = await write(mode, async (tx) => ({
      count: await revokeAllKeys(tx),
      subject: null,
    }));
    count += revoked.count;
  }
  return { count };
}

async function rotate(
  write: OperatorWrite,
  id: Id<"key">,
  terms: Rotation,
): Promise<{ key: string; id: string }> {
  const { key, apiKey } = await write(terms.mode, async (tx) => ({
    ...(await rotateKey(tx, id, terms)),
    subject: id,
  }));
  return { key, id: apiKey.id };
}

interface KnownKey {
  readonly id: Id<"key">;
  readonly mode: Mode;
}

/** The key of this id, which does not contain its mode. Refuses with `key_not_found`. */
async function findKey(databases: Databases, text: string): Promise<KnownKey> {
  const id = readKeyId(text);
  for (const mode of modes) {
    if (await hasKey(databases[mode].read, id)) return { id, mode };
  }
  throw keyNotFound({ detail: `There is no API key ${text}.` });
}

/** A new key of a mode that is off would open nothing. Revoking one is always possible. */
function requireServed(served: readonly Mode[], mode: Mode): void {
  if (!served.includes(mode)) throw testModeOff();
}

/** Runs a story as the operator, with an entry of the audit log about the record that it answers. */
type OperatorWrite = <T extends { readonly subject: string | null }>(
  mode: Mode,
  story: Story<T>,
) => Promise<T>;

function operatorWrites(
  databases: Databases,
  action: string,
  by: string | null = null,
): OperatorWrite {
  return (mode, story) =>
    databases[mode].write(
      async (tx) => {
        const done = await story(tx);
        await recordAct(tx, { actorName: by, action, subject: done.subject });
        return done;
      },
      { actor: operator },
    );
}

function lineOf(key: ApiKey, mode: Mode): KeyLine {
  return {
    id: key.id,
    mode,
    kind: kindOfKey(key.scopes),
    display: key.display,
    name: key.name,
    scopes: key.scopes,
    rate_per_minute: key.ratePerMinute,
    created_at: toIso(key.createdAt),
    expires_at: toIsoOrNull(key.expiresAt),
    revoked_at: toIsoOrNull(key.revokedAt),
    last_used_at: toIsoOrNull(key.lastUsedAt),
  };
}

function readCreateInput(input: unknown): CreateKeyInput {
  const given = member(input, "mode");
  const mode = modes.find((known) => known === given);
  if (mode === undefined) throw modeUnknown();
  return {
    mode,
    name: textMember(input, "name"),
    kind: keyKinds.find((known) => known === member(input, "kind")) ?? null,
    scopes: member(input, "scopes") === null ? null : listMember(input, "scopes").map(String),
    ratePerMinute: numberOrNull(input, "ratePerMinute"),
    expiresAt: numberOrNull(input, "expiresAt"),
    replaces: textOrNull(input, "replaces"),
    isQuiet: isQuietIn(mode, input),
  };
}

/** Events tell of every key of the live shop. */
function isQuietIn(mode: Mode, input: unknown): boolean {
  return mode === "test" && member(input, "isQuiet") === true;
}

/** One mode, or both if none is named. */
function readModes(input: unknown): readonly Mode[] {
  const given = member(input, "mode");
  return modes.filter((mode) => given === null || given === undefined || given === mode);
}

function readKeyId(text: string): Id<"key"> {
  if (!isId("key", text)) throw keyNotFound({ detail: `There is no API key ${text}.` });
  return text;
}

/** A terminal shows only the detail of a refusal: it gets the faults as one sentence. */
export function withFaultsInDetail(error: unknown): unknown {
  if (!(error instanceof Refusal) || error.definition !== validationFailed) return error;
  const faults = error.details.faults ?? [];
  const words = faults.map((fault) => `${fault.pointer?.slice(1) ?? "input"}: ${fault.detail}`);
  return validationFailed({ ...error.details, detail: words.join(" ") });
}
