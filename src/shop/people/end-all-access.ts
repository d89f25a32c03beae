// Story: the shop was restored from a backup, which may have been in other hands.

import type { Tx } from "#platform/database/database.ts";
import { recordAct } from "#shop/audit/record-act.ts";
import { deleteEveryDevice, deleteEveryLink } from "#shop/people/credentials/queries.ts";
import { deleteEverySession } from "#shop/people/sessions/queries.ts";

import { endAccess } from "./end-access.ts";
import { listPeople } from "./lookups.ts";

interface RestoredAccess {
  /** True if people are removed as well; the next start then prints a link for a first owner. */
  readonly removesPeople: boolean;
  /** The name of who restores, for the audit log. */
  readonly by: string | null;
}

/** Ends every session and link, so that what ended after the backup was made does not begin again. */
export async function endAllAccess(tx: Tx, { removesPeople, by }: RestoredAccess): Promise<void> {
  await deleteEverySession(tx, {});
  await deleteEveryLink(tx, {});
  await deleteEveryDevice(tx, {});
  if (!removesPeople) return;
  for (const person of await listPeople(tx)) {
    await endAccess(tx, person);
    await recordAct(tx, { actorName: by, action: "removePerson", subject: person.id });
  }
}
