// The rule that a shop with people has an owner: no one else could let people in again.

import type { Reader } from "#platform/database/database.ts";

import { lastOwner, type Person } from "./person.ts";
import { listOwnerIds } from "./queries.ts";

/** Refuses with `last_owner` if no other person is an owner. The caller has locked the settings. */
export async function requireOtherOwner(db: Reader, { id }: Person): Promise<void> {
  const owners = await listOwnerIds(db, 2);
  if (owners.every((owner) => owner === id)) throw lastOwner();
}
