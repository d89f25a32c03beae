// Lookup: what may be shown of one key.

import type { Id } from "#kernel/id.ts";
import type { Reader } from "#platform/database/database.ts";

import { keyNotFound } from "./api-key.ts";
import { type ApiKey, findKey } from "./queries.ts";

/** The key with this id. Refuses with `key_not_found`. */
export async function getKey(db: Reader, id: Id<"key">): Promise<ApiKey> {
  const apiKey = await findKey(db, id);
  if (apiKey === undefined) throw keyNotFound();
  return apiKey;
}
