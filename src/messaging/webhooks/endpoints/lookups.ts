// Lookups: endpoints for routes and other folders.

import type { Id } from "#kernel/id.ts";
import {
  type Counted,
  countUpTo,
  mapPage,
  type Page,
  type PageRequest,
  toPage,
} from "#kernel/page.ts";
import { realClock } from "#kernel/time.ts";
import {
  findReplay,
  listReplays,
  type Replay,
} from "#messaging/webhooks/deliveries/replay-queries.ts";
import type { Reader, Tx } from "#platform/database/database.ts";
import type { Shop } from "#platform/database/shop.ts";
import { isSignedWith } from "#platform/net/signature.ts";
import { OtherKey, SealBroken, type Vault } from "#platform/vault/vault.ts";

import {
  type EndpointFilters,
  endpointRows,
  findAllHealth,
  findHealth,
  listAllEndpoints,
  listEndpointRows,
  listSealedEndpoints,
} from "./queries.ts";
import { type Endpoint, type EndpointHealth, healthy, isFailing, validSeals } from "./webhook.ts";

/** An endpoint with its health and replay. */
export interface WholeWebhook extends Endpoint, EndpointHealth {
  /** The running replay, if any. */
  readonly replay: Replay | null;
}

/** The endpoint with its health and replay. Refuses with `webhook_not_found`. */
export async function getWebhook(db: Reader, id: Id<"webhook">): Promise<WholeWebhook> {
  const endpoint = await endpointRows.get(db, id);
  return { ...endpoint, ...(await findHealth(db, id)), replay: await findReplay(db, id) };
}

/** Locks the endpoint, then reads its health and replay. Refuses with `webhook_not_found`. */
export async function lockWebhook(tx: Tx, id: Id<"webhook">): Promise<WholeWebhook> {
  await endpointRows.lock(tx, id);
  return getWebhook(tx, id);
}

/** A page of endpoints, newest first. */
export async function listWebhooks(
  db: Reader,
  filters: EndpointFilters,
  { limit, after }: PageRequest,
): Promise<Page<WholeWebhook>> {
  const found = await listEndpointRows(db, filters, { rows: limit + 1, after });
  const health = await findAllHealth(db);
  const replays = new Map((await listReplays(db)).map((one) => [one.endpointId, one]));
  return mapPage(toPage(found, limit), (endpoint) => ({
    ...endpoint,
    ...(health.get(endpoint.id) ?? healthy),
    replay: replays.get(endpoint.id) ?? null,
  }));
}

/** Counts the endpoints that receive nothing although they should, up to a limit. */
export async function countFailingWebhooks(db: Reader, limit: number): Promise<Counted> {
  const health = await findAllHealth(db);
  const endpoints = await listAllEndpoints(db);
  const failing = endpoints.filter((one) => isFailing({ ...one, ...health.get(one.id) }));
  return countUpTo(failing, limit);
}

/** Returns true if another endpoint was at the host before this instant. */
export async function hasEndpointAt(
  db: Reader,
  host: string,
  { but, before }: { readonly but: string | null; readonly before: number },
): Promise<boolean> {
  return (await listAllEndpoints(db)).some(
    ({ id, url, updatedAt }) => id !== but && updatedAt < before && new URL(url).host === host,
  );
}

/** A received request, body as raw bytes. */
export interface ArrivedMessage {
  readonly headers: Headers;
  readonly bytes: Uint8Array;
}

/**
 * The endpoint, of those whose URL is of the receiver, whose secret signed the message: no other secret is
 * tried. A previous secret counts until it expires on the shop's clock. Null if no secret matches or the
 * signature is too old.
 */
export async function findSigner(
  shop: Shop,
  { headers, bytes }: ArrivedMessage,
  isOfReceiver: (url: string) => boolean,
): Promise<Id<"webhook"> | null> {
  const body = exactText(bytes);
  if (body === null) return null;
  const received = { headers, body, nowSeconds: Math.floor(realClock.now() / 1000) };
  const endpoints = await listSealedEndpoints(shop.database.read);
  const signer = endpoints
    .filter(({ url }) => isOfReceiver(url))
    .find((endpoint) =>
      validSeals(endpoint, shop.clock.now()).some((sealed) => {
        const secret = unsealed(shop.database.vault, sealed);
        return secret !== null && isSignedWith(secret, received);
      }),
    );
  return signer?.id ?? null;
}

/** Throws OtherKey if this program's key opens the secret of none of the enabled endpoints. */
export async function requireEndpointKey(db: Reader): Promise<void> {
  const enabled = (await listSealedEndpoints(db)).filter(({ status }) => status === "enabled");
  const isOpened = enabled.some(({ sealedSecret }) => unsealed(db.vault, sealedSecret) !== null);
  if (enabled.length > 0 && !isOpened) throw new OtherKey(new SealBroken());
}

/** Null if the bytes are not UTF-8: signatures are made over text, so no signature can match. */
function exactText(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** Null if the secret was sealed with the key of another data directory. */
function unsealed(vault: Vault, sealed: string): string | null {
  try {
    return vault.unseal(sealed);
  } catch (error) {
    if (error instanceof SealBroken) return null;
    throw error;
  }
}
