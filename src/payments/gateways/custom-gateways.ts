// Gateways of the merchant's own: where their adapters are, what signs between an adapter and the shop, and what it said
// of itself. Invariants: a secret opens at its place alone, and no payment is begun at a gateway whose adapter has not
// described itself at its present URL.

import { defineFaults, type Meanings } from "#kernel/fault.ts";
import { defineRefusal, Faults } from "#kernel/refusal.ts";
import { DAY_MS, realClock } from "#kernel/time.ts";
import type { Reader, Tx } from "#platform/database/database.ts";
import type { Mode } from "#platform/database/shop.ts";
import { newSecret } from "#platform/net/signature.ts";
import { onlyPublic, plainHost, type Reach, targetFaults } from "#platform/net/target-url.ts";
import { type Resealing, SealBroken, type Vault } from "#platform/vault/vault.ts";

import type { AdapterTerms } from "./http/calls.ts";
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

const gatewayNotFound = defineRefusal(
  "gateway_not_found",
  "not_found",
  "The shop has no gateway of its own with this id.",
);
const gatewayIdInvalid = defineRefusal(
  "gateway_id_invalid",
  "invalid",
  "The id of a gateway of your own is 3 to 32 small letters, digits and hyphens, with at least one hyphen, such as hubtel-gh.",
);
const tooManyGateways = defineRefusal(
  "too_many_gateways",
  "conflict",
  `A shop has at most ${GATEWAYS_MAX} gateways of its own in a mode.`,
);
const gatewayHasPayments = defineRefusal(
  "gateway_has_payments",
  "conflict",
  "Payments were begun at this gateway: retire it, so that they can go on.",
);

/** Returns true if a gateway with this id is the merchant's own. */
export function isCustomId(id: string): boolean {
  return id.includes("-");
}

/** The place for which a secret is sealed. */
function placeOf(id: string, mode: Mode): string {
  return `gateway ${id} ${mode} http`;
}

/** The operator may name any host: a program beside the shop needs no certificate. */
function reachOf(url: string): Reach {
  return { ...onlyPublic, hosts: [plainHost(new URL(url).hostname)] };
}

/** The URL without a final slash. Refuses with `validation_failed`, which has every fault of it. */
function readUrl(text: string): string {
  const host = URL.parse(text)?.hostname;
  const reach = { ...onlyPublic, hosts: host === undefined ? [] : [plainHost(host)] };
  const faults = new Faults();
  for (const { code, detail } of targetFaults(text, { reach, ports: [], ownHost: null })) {
    faults.add("/url", code, detail);
  }
  // The name of a call is put behind the URL.
  if (text.includes("?")) {
    faults.add("/url", "url_has_query", "The URL must not contain a query.");
  }
  faults.refuseIfAny();
  return text.replace(/\/+$/, "");
}

const adapterFaults = defineFaults({
  url_has_query: "The URL contains a query.",
});
declare module "#kernel/fault.ts" {
  interface FaultCodes extends Meanings<typeof adapterFaults> {}
}

interface CustomId {
  readonly id: string;
  readonly mode: Mode;
}

/**
 * Afterwards the gateway is at this URL, and takes no new payment until its adapter has described itself there; what
 * was begun goes on there at once. Returns the secret of a gateway that had none that can be read; null of another. Refuses with
 * `gateway_id_invalid`, `too_many_gateways`, and `validation_failed` for its URL.
 */
export async function putCustom(
  tx: Tx,
  { id, mode, url: given }: CustomId & { readonly url: string },
): Promise<string | null> {
  if (!ID.test(id)) throw gatewayIdInvalid();
  const url = readUrl(given);
  const before = await lockCustomRow(tx, id);
  if (before === undefined && (await listCustomRows(tx)).length >= GATEWAYS_MAX) {
    throw tooManyGateways();
  }
  const kept = before ?? { id, described: null, createdAt: realClock.now(), ...withoutSecrets };
  const place = placeOf(id, mode);
  const isKnown = readableOf(tx.vault, kept.placedSecret, place) !== null;
  const secret = isKnown ? null : newSecret();
  const secrets =
    secret === null ? {} : { ...withoutSecrets, placedSecret: tx.vault.seal(secret, place) };
  await putCustomRow(tx, { ...kept, ...secrets, url, standing: "new" });
  return secret;
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

/** Afterwards the gateway is what its adapter said at this URL, and takes payments unless it is retired. */
export async function saveDescription(
  tx: Tx,
  { id, url, described }: Pick<CustomGatewayRow, "id" | "url" | "described">,
): Promise<void> {
  const before = await lockCustom(tx, id);
  // Another URL was set meanwhile.
  if (before.url !== url) return;
  const standing = before.standing === "retired" ? "retired" : "open";
  await putCustomRow(tx, { ...before, standing, described });
}

/** Afterwards the gateway takes no new payments; those that it has go on. */
export async function retireCustom(tx: Tx, id: string): Promise<void> {
  await putCustomRow(tx, { ...(await lockCustom(tx, id)), standing: "retired" });
}

/** Afterwards calls are signed with this secret, and for a day with the former one, too, if that can be read. */
export async function rotateSecret(tx: Tx, { id, mode }: CustomId): Promise<string> {
  const before = await lockCustom(tx, id);
  const secret = newSecret();
  const place = placeOf(id, mode);
  await putCustomRow(tx, {
    ...before,
    placedSecret: tx.vault.seal(secret, place),
    placedFormerSecret: readableOf(tx.vault, before.placedSecret, place),
    formerSecretUntil: realClock.now() + FORMER_MS,
  });
  return secret;
}

/** Afterwards there is no such gateway. Refuses with `gateway_not_found` and `gateway_has_payments`. */
export async function removeCustom(tx: Tx, id: string): Promise<void> {
  await lockCustom(tx, id);
  if (await hasPayments(tx, id)) throw gatewayHasPayments();
  await deleteCustomRow(tx, id);
}

/** Afterwards no adapter is trusted any more: their URLs are checked anew, with new secrets. */
export async function distrustCustom(tx: Tx): Promise<void> {
  for (const row of await listCustomRows(tx)) {
    const standing = row.standing === "retired" ? "retired" : "new";
    await putCustomRow(tx, { ...row, ...withoutSecrets, standing });
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
  const row = await lockCustomRow(tx, id);
  if (row === undefined) throw gatewayNotFound();
  return row;
}

/** A gateway of the merchant's own without its secrets. */
export interface ShownCustom extends Pick<
  CustomGatewayRow,
  "id" | "url" | "standing" | "createdAt"
> {
  readonly hasSecret: boolean;
  /** The adapter's name for itself; null before it described itself. */
  readonly label: string | null;
}

export async function listCustom(db: Reader): Promise<ShownCustom[]> {
  return (await listCustomRows(db)).map(
    ({ id, url, standing, createdAt, placedSecret, described }) => {
      const label = described?.["label"];
      return {
        id,
        url,
        standing,
        createdAt,
        hasSecret: placedSecret !== null,
        label: typeof label === "string" ? label : null,
      };
    },
  );
}

/** The gateways with their sealed secrets, the oldest first. */
export function listStoredCustom(db: Reader): Promise<CustomGatewayRow[]> {
  return listCustomRows(db);
}

/** The terms of calls to the adapter of the gateway; null without a secret. Refuses with `gateway_not_found`. */
export async function getAdapterTerms(
  db: Reader,
  { id, mode }: CustomId,
): Promise<AdapterTerms | null> {
  const row = (await listCustomRows(db)).find((one) => one.id === id);
  if (row === undefined) throw gatewayNotFound();
  return adapterTermsOf(row, mode, db.vault);
}

/** Throws SealBroken for a secret that this shop's key does not open at its place. */
export function adapterTermsOf(
  row: CustomGatewayRow,
  mode: Mode,
  vault: Vault,
): AdapterTerms | null {
  const { id, url, placedSecret, placedFormerSecret, formerSecretUntil: until } = row;
  if (placedSecret === null) return null;
  const unseal = (placed: string) => vault.unseal(placed, placeOf(id, mode));
  const hasFormer = placedFormerSecret !== null && until !== null && until > realClock.now();
  return {
    mode,
    url,
    secret: unseal(placedSecret),
    ...(hasFormer && { former: { secret: unseal(placedFormerSecret), until } }),
    reach: reachOf(url),
  };
}
