// Story: the publishable key with which the example storefront calls the interface.

import { realClock } from "#kernel/time.ts";
import type { Database, Reader, Tx } from "#platform/database/database.ts";
import { nextNumber } from "#platform/database/held-rows.ts";
import { recordAct } from "#shop/audit/record-act.ts";
import { hasEnded } from "#shop/keys/api-key.ts";
import { createKey } from "#shop/keys/create-key.ts";
import { listActiveKeys } from "#shop/keys/lookups.ts";

/**
 * Returns the text of a publishable key with the preset `storefront`; creates one where the test shop has none. Such a
 * key may be known to everybody.
 */
export async function storefrontKey({ read, write }: Pick<Database, "read" | "write">) {
  return (await findStorefrontKey(read)) ?? write(makeStorefrontKey);
}

async function findStorefrontKey(db: Reader): Promise<string | null> {
  const now = realClock.now();
  const keys = await listActiveKeys(db);
  const usable = keys.find(
    (key) => key.publicText !== null && key.scopes.includes("storefront") && !hasEnded(key, now),
  );
  return usable?.publicText ?? null;
}

async function makeStorefrontKey(tx: Tx): Promise<string> {
  // The counter's row lock admits one program at a time; later ones find the key that the first created.
  await nextNumber(tx, "storefront_keys", 1);
  const found = await findStorefrontKey(tx);
  if (found !== null) return found;
  const { apiKey, key } = await createKey(tx, {
    mode: "test",
    name: "Example storefront",
    kind: "publishable",
    scopes: null,
    ratePerMinute: null,
    expiresAt: null,
    maker: null,
    replaces: null,
  });
  await recordAct(tx, { actorName: null, action: "createStorefrontKey", subject: apiKey.id });
  return key;
}
