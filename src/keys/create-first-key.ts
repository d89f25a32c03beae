// Story: a new shop gets its first key, so that the first request needs no ceremony.

import type { Tx } from "#platform/store/store.ts";

import { createKey } from "./create-key.ts";
import { listKeyRows } from "./queries.ts";
import { defaultGrants } from "./scopes.ts";

/** Afterwards the test shop has a key; answers its text when it was made just now, else null. */
export async function createFirstKey(tx: Tx): Promise<string | null> {
  const known = await listKeyRows(tx, { limit: 1, after: null });
  if (known.length > 0) return null;
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
