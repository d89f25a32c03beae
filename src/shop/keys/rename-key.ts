// Story: rename an API key.

import type { Id } from "#kernel/id.ts";
import type { Tx } from "#platform/database/database.ts";

import { keyRows, setKeyName } from "./queries.ts";
import { requireHeld } from "./scopes.ts";
import type { ApiKey } from "./tables.ts";

/**
 * Afterwards the key has the name. Refuses with `key_not_found`, and with `scope_not_held` for a key that
 * may do more than the one that asks.
 */
export async function renameKey(
  tx: Tx,
  id: Id<"key">,
  { name, heldScopes }: { readonly name: string; readonly heldScopes: ReadonlySet<string> },
): Promise<ApiKey> {
  const key = await keyRows.lock(tx, id);
  requireHeld(heldScopes, key.scopes);
  await setKeyName(tx, { id, name });
  return { ...key, name };
}
