// Story: a person does not run the shop any more.

import type { Tx } from "#platform/database/database.ts";
import { recordAct } from "#shop/audit/record-act.ts";
import { lockSettings } from "#shop/store/lookups.ts";

import { endAccess } from "./end-access.ts";
import { lockPerson } from "./lookups.ts";
import type { Person } from "./person.ts";
import { requireOtherOwner } from "./require-other-owner.ts";

/**
 * Removes the person with password, sessions, known devices and links; their name stays with what they did. `by` is
 * the name of who removes them, for the audit log. Refuses with `person_not_found`, and with `last_owner`.
 */
export async function removePerson(tx: Tx, id: string, by: string | null): Promise<Person> {
  await lockSettings(tx);
  const person = await lockPerson(tx, id);
  if (person.role === "owner") await requireOtherOwner(tx, person);
  await endAccess(tx, person);
  await recordAct(tx, { actorName: by, action: "removePerson", subject: id });
  return { ...person, removedAt: tx.now };
}
