// Lookup: who signed a message that came back to us. A signature counts for as long as we would sign
// with its secret ourselves.

import type { Id } from "#kernel/id.ts";
import { realClock } from "#kernel/time.ts";
import type { Shop } from "#platform/database/store.ts";
import { SealBroken } from "#platform/vault/vault.ts";

import { listAllEndpoints } from "./queries.ts";
import { isSignedWith } from "./signature.ts";
import { validSeals } from "./webhook.ts";

/** A message exactly as it arrived. */
export interface ArrivedMessage {
  readonly headers: Headers;
  readonly bytes: Uint8Array;
}

/**
 * The endpoint with whose secret the message was signed, the one before a rotation included until it
 * expires on the shop's clock. Null where there is none, or where the signature is too old.
 */
export async function findSigner(
  shop: Shop,
  { headers, bytes }: ArrivedMessage,
): Promise<Id<"webhook"> | null> {
  const body = exactText(bytes);
  if (body === null) return null;
  const received = { headers, body, nowSeconds: Math.floor(realClock.now() / 1000) };
  const signer = (await listAllEndpoints(shop.store.read)).find((endpoint) =>
    validSeals(endpoint, shop.clock.now()).some((sealed) => {
      const secret = readable(shop, sealed);
      return secret !== null && isSignedWith(secret, received);
    }),
  );
  return signer?.id ?? null;
}

/** Null for what is no UTF-8: nobody can sign it, because what is signed is a text. */
function exactText(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** Null where the key of this data directory is not the one it was sealed with. */
function readable({ store }: Shop, sealed: string): string | null {
  try {
    return store.vault.unseal(sealed);
  } catch (error) {
    if (error instanceof SealBroken) return null;
    throw error;
  }
}
