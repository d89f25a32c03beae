// Story: create the first key of a new shop, so that it can be used right after its first start.

import { nextNumber } from "#platform/database/counters.ts";
import type { Tx } from "#platform/database/database.ts";
import { recordAct } from "#shop/audit/record-act.ts";

import { createKey } from "./create-key.ts";
import { hasKeys } from "./lookups.ts";

/** Creates a test key with full scopes unless the shop has a key. Returns its text, or null. */
export async function createFirstKey(tx: Tx): Promise<string | null> {
  if (await hasKeys(tx)) return null;
  // The counter's row lock admits one program at a time; later ones find the key that the first created.
  await nextNumber(tx, "first_keys", 1);
  if (await hasKeys(tx)) return null;
  const { apiKey, key } = await createKey(tx, {
    mode: "test",
    name: "First key",
    kind: "secret",
    scopes: null,
    ratePerMinute: null,
    expiresAt: null,
    maker: null,
    replaces: null,
    isFirst: true,
  });
  await recordAct(tx, { actorName: null, action: "createFirstKey", subject: apiKey.id });
  return key;
}
