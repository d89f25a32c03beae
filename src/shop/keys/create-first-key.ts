// Story: a new shop gets its first key, so that the first request needs no ceremony.

import { nextNumber } from "#platform/database/counters.ts";
import type { Tx } from "#platform/database/database.ts";

import { createKey } from "./create-key.ts";
import { listKeyRows } from "./queries.ts";
import { defaultGrants } from "./scopes.ts";

/** Afterwards the test shop has a key; answers its text when it was made just now, else null. */
export async function createFirstKey(tx: Tx): Promise<string | null> {
  if (await hasKeys(tx)) return null;
  // Of programs that open one shop at once a single one passes, and the others find its key.
  await nextNumber(tx, "first_keys", 1);
  if (await hasKeys(tx)) return null;
  const { key } = await createKey(tx, {
    mode: "test",
    name: "First key",
    scopes: defaultGrants,
    ratePerMinute: null,
    expiresAt: null,
    heldScopes: null,
  });
  return key;
}

async function hasKeys(tx: Tx): Promise<boolean> {
  return (await listKeyRows(tx, { limit: 1, after: null })).length > 0;
}
