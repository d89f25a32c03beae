// Story: a person can no longer sign in.

import type { Tx } from "#platform/database/database.ts";

import {
  deleteDevicesOf,
  deleteLinksBy,
  deleteLinksOf,
  deletePassword,
} from "./credentials/queries.ts";
import type { Person } from "./person.ts";
import { markRemoved } from "./queries.ts";
import { deleteOthers } from "./sessions/queries.ts";

/** Deletes everything that lets the person in, or others in their name, and frees the name. */
export async function endAccess(tx: Tx, { id: personId }: Person): Promise<void> {
  await deleteOthers(tx, { personId, kept: "" });
  await deleteDevicesOf(tx, { personId });
  await deleteLinksOf(tx, { personId });
  await deleteLinksBy(tx, { personId });
  await deletePassword(tx, { personId });
  await markRemoved(tx, { id: personId, removedAt: tx.now });
}
