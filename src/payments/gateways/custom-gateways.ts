// Gateways of the merchant's own: where their adapters are, what signs between an adapter and the shop, and what it said
// of itself. Invariants: a secret opens at its place alone, and no payment is begun at a gateway whose adapter has not
// described itself at its present URL.

import { type ExpectedVersion, requireVersion } from "#kernel/change.ts";
import { defineMembers, defineRefusal, member, type Members } from "#kernel/refusal.ts";
import { DAY_MS, realClock } from "#kernel/time.ts";
import type { Reader, Tx } from "#platform/database/database.ts";
import type { Mode } from "#platform/database/shop.ts";
import { newSecret } from "#platform/net/signature.ts";
import { type Resealing, SealBroken, type Vault } from "#platform/vault/vault.ts";
import { lockConnections } from "#shop/store/lookups.ts";

import { type NamedBy, type Place, reachOfUrl, urlAfter } from "./adapter-url.ts";
import type { AdapterTerms } from "./http/calls.ts";
import { type ShownCustom, shownOf } from "./known-gateways.ts";
import {
  deleteCustomRow,
  hasPayments,
  listCustomRows,
  lockCustomRow,
  putCustomRow,
} from "./queries.ts";
import type { CustomGatewayRow } from "./tables.ts";

/** The form of the id: with a hyphen, which no gateway of this program has. */
const ID = /^(?=.{3,32}$)[a-z][a-z0-9]*(?:-[a-z0-9]+)+$/;
const GATEWAYS_MAX = 8;
/** So long the former secret signs beside the new one. */
const FORMER_MS = DAY_MS;

export const gatewayNotFound = defineRefusal(
  "gateway_not_found",
  "not_found",
  "The shop has no gateway of its own with this id.",
);
export const gatewayIdInvalid = defineRefusal("gateway_id_invalid", "invalid", {
  title: "The id of a gateway of your own has a hyphen, such as hubtel-gh.",
  cause:
    "The id in the path is not 3 to 32 small letters, digits and hyphens, or has no hyphen: gateways of Duka have none.",
  remedy: "Choose an id of that form: it begins with a letter, and has at least one hyphen.",
});
export const tooManyGateways = defineRefusal("too_many_gateways", "conflict", {
  title: `A shop has at most ${GATEWAYS_MAX} gateways of its own in a mode.`,
  cause: "The shop has as many in this mode, and the request would add another one.",
  remedy: "Delete one at which no payment was begun, or give one of them the other URL.",
});
export const gatewayHasPayments = defineRefusal("gateway_has_payments", "conflict", {
  title: "Payments were begun at this gateway: retire it, so that they can go on.",
  cause: "Payments that were begun at the gateway are polled and refunded there.",
  remedy: "Retire it with `standing` `retired`: it takes no new payments then.",
});
export const gatewayCheckFailed = defineRefusal("gateway_check_failed", "conflict", {
  title: "The adapter of the gateway did not describe itself as the contract says.",
  cause:
    "`said` tells what it answered, or that it did not; `pointer` leads to the place in its answer. What it said before stays.",
  remedy: "Mend the adapter or its URL, and check again.",
  example: {
    members: { said: "It contradicts itself or this shop at /mode.", pointer: "/mode" },
  },
});
const checkMembers = defineMembers({
  said: member.text("The answer of the adapter, in a sentence."),
  pointer: member.idOrNull("The place in the answer of the adapter; null where it has none."),
});
declare module "#kernel/refusal.ts" {
  interface ProblemMembers extends Members<typeof checkMembers> {}
}

/** The place for which a secret is sealed. */
function placeOf(id: string, mode: Mode): string {
  return `gateway ${id} ${mode} http`;
}

interface CustomId {
  readonly id: string;
  readonly mode: Mode;
}

export interface CustomChange extends CustomId {
  readonly url: string;
  /** `open` takes it back from `retired`; undefined leaves that as it is. */
  readonly standing?: "open" | "retired" | undefined;
  readonly by: NamedBy;
  readonly expected: ExpectedVersion;
}

/** A gateway as it may be shown, with the secret where one was made. */
export interface SavedCustom extends ShownCustom {
  readonly secret: string | null;
}

/**
 * Afterwards the gateway is at this URL; at another one than before it takes no new payment until its adapter has
 * described itself there, and what was begun goes on there at once. The secret is that of a gateway which had none that
 * can be read. A request that changes nothing makes no new version. Refuses with `gateway_id_invalid`,
 * `gateway_not_found` for a version of a gateway that there is not, `stale_version`, `too_many_gateways`, and
 * `validation_failed` for its URL.
 */
export async function putCustom(
  tx: Tx,
  { id, mode, standing, by, expected, ...given }: CustomChange,
): Promise<SavedCustom> {
  if (!ID.test(id)) throw gatewayIdInvalid();
  await lockConnections(tx);
  const known = await lockCustomRow(tx, id);
  if (known === undefined) await requireRoom(tx, expected);
  else requireVersion(known.version, expected);
  const before = known ?? newRow(id);
  const { url, byOperator } = urlAfter(before, { url: given.url, mode, by });
  const moved = url === before.url ? { byOperator } : { url, byOperator, describedAt: null };
  const place = placeOf(id, mode);
  const isKnown = readableOf(tx.vault, before.placedSecret, place) !== null;
  const secret = isKnown ? null : newSecret();
  const secrets =
    secret === null ? {} : { ...withoutSecrets, placedSecret: tx.vault.seal(secret, place) };
  const after = { ...before, ...moved, ...secrets };
  const isRetired = (standing ?? before.standing) === "retired";
  const row = await save(tx, before, { ...after, standing: standingOf(after, isRetired) });
  return { ...shownOf(row), secret };
}

/** Refuses with `gateway_not_found` where a version is expected, and with `too_many_gateways`. */
async function requireRoom(tx: Tx, expected: ExpectedVersion): Promise<void> {
  if (expected !== null) throw gatewayNotFound();
  if ((await listCustomRows(tx)).length >= GATEWAYS_MAX) throw tooManyGateways();
}

function newRow(id: string): CustomGatewayRow {
  return {
    id,
    url: "",
    standing: "new",
    described: null,
    describedAt: null,
    byOperator: false,
    version: 0,
    createdAt: realClock.now(),
    ...withoutSecrets,
  };
}

function standingOf(
  { describedAt }: Pick<CustomGatewayRow, "describedAt">,
  isRetired: boolean,
): CustomGatewayRow["standing"] {
  if (isRetired) return "retired";
  return describedAt === null ? "new" : "open";
}

/** Saves the row under the next version; the one before where nothing changed. */
async function save(
  tx: Tx,
  before: CustomGatewayRow,
  change: Partial<CustomGatewayRow>,
): Promise<CustomGatewayRow> {
  const after = { ...before, ...change };
  if (Bun.deepEquals(before, after)) return before;
  const row = { ...after, version: before.version + 1 };
  await putCustomRow(tx, row);
  return row;
}

/** The sealed secret; null where there is none, or no key opens it. */
function readableOf(vault: Vault, placed: string | null, place: string): string | null {
  try {
    if (placed !== null) vault.unseal(placed, place);
    return placed;
  } catch (error) {
    if (error instanceof SealBroken) return null;
    throw error;
  }
}

const withoutSecrets = {
  placedSecret: null,
  placedFormerSecret: null,
  formerSecretUntil: null,
} as const;

/**
 * Afterwards the gateway is what its adapter said at this URL, and takes payments unless it is retired. Undefined, and
 * nothing is saved, where another URL was set meanwhile.
 */
export async function saveDescription(
  tx: Tx,
  { id, url, described }: Pick<CustomGatewayRow, "id" | "url" | "described">,
): Promise<ShownCustom | undefined> {
  const before = await lockCustom(tx, id);
  if (before.url !== url) return undefined;
  const kept = { described, describedAt: realClock.now() };
  const standing = standingOf(kept, before.standing === "retired");
  return shownOf(await save(tx, before, { ...kept, standing }));
}

/** Afterwards the gateway takes no new payments; those that it has go on. */
export async function retireCustom(tx: Tx, id: string): Promise<void> {
  await save(tx, await lockCustom(tx, id), { standing: "retired" });
}

/** Afterwards calls are signed with this secret, and for a day with the former one, too, if that can be read. */
export async function rotateSecret(
  tx: Tx,
  { id, mode }: CustomId,
  expected: ExpectedVersion,
): Promise<SavedCustom> {
  const before = await lockCustom(tx, id);
  requireVersion(before.version, expected);
  const secret = newSecret();
  const place = placeOf(id, mode);
  const row = await save(tx, before, {
    placedSecret: tx.vault.seal(secret, place),
    placedFormerSecret: readableOf(tx.vault, before.placedSecret, place),
    formerSecretUntil: realClock.now() + FORMER_MS,
  });
  return { ...shownOf(row), secret };
}

/** Afterwards there is no such gateway. Refuses with `gateway_not_found`, `stale_version`, `gateway_has_payments`. */
export async function removeCustom(tx: Tx, id: string, expected: ExpectedVersion): Promise<void> {
  requireVersion((await lockCustom(tx, id)).version, expected);
  if (await hasPayments(tx, id)) throw gatewayHasPayments();
  await deleteCustomRow(tx, id);
}

/** Afterwards no adapter is trusted any more: their URLs are checked anew, with new secrets. */
export async function distrustCustom(tx: Tx): Promise<void> {
  for (const row of await listCustomRows(tx)) {
    const standing = standingOf({ describedAt: null }, row.standing === "retired");
    await putCustomRow(tx, { ...row, ...withoutSecrets, describedAt: null, standing });
  }
}

/** Seals every secret with the vault's present key, for its place. Leaves those that no key opens. */
export async function resealCustom(tx: Tx, mode: Mode, resealing: Resealing): Promise<void> {
  for (const row of await listCustomRows(tx)) {
    const again = (placed: string | null) =>
      placed === null ? null : resealing.reseal(placed, placeOf(row.id, mode));
    const placedFormerSecret = again(row.placedFormerSecret);
    await putCustomRow(tx, { ...row, placedSecret: again(row.placedSecret), placedFormerSecret });
  }
}

async function lockCustom(tx: Tx, id: string): Promise<CustomGatewayRow> {
  await lockConnections(tx);
  const row = await lockCustomRow(tx, id);
  if (row === undefined) throw gatewayNotFound();
  return row;
}

/** The gateways with their sealed secrets, the oldest first. */
export function listStoredCustom(db: Reader): Promise<CustomGatewayRow[]> {
  return listCustomRows(db);
}

/** The terms of calls to the adapter of the gateway; null without a secret. Refuses with `gateway_not_found`. */
export async function getAdapterTerms(
  db: Reader,
  id: string,
  place: Place,
): Promise<AdapterTerms | null> {
  const row = (await listCustomRows(db)).find((one) => one.id === id);
  if (row === undefined) throw gatewayNotFound();
  return adapterTermsOf(row, place, db.vault);
}

/** Throws SealBroken for a secret that this shop's key does not open at its place. */
export function adapterTermsOf(
  row: CustomGatewayRow,
  shop: Place,
  vault: Vault,
): AdapterTerms | null {
  const { mode } = shop;
  const { id, url, placedSecret, placedFormerSecret, formerSecretUntil: until } = row;
  if (placedSecret === null) return null;
  const unseal = (placed: string) => vault.unseal(placed, placeOf(id, mode));
  const hasFormer = placedFormerSecret !== null && until !== null && until > realClock.now();
  return {
    mode,
    url,
    secret: unseal(placedSecret),
    ...(hasFormer && { former: { secret: unseal(placedFormerSecret), until } }),
    reach: reachOfUrl(row, shop),
  };
}
