// Story: a person gets another role.

import type { Tx } from "#platform/database/database.ts";
import { recordAct } from "#shop/audit/record-act.ts";
import { lockSettings } from "#shop/store/lookups.ts";

import { deleteLinksBy } from "./credentials/queries.ts";
import { lockPerson } from "./lookups.ts";
import type { Person } from "./person.ts";
import { setRole } from "./queries.ts";
import { requireOtherOwner } from "./require-other-owner.ts";
import type { Role } from "./roles.ts";
import { deleteOthers } from "./sessions/queries.ts";

interface RoleChange {
  readonly role: Role;
  /** The name of who changes it, for the audit log. */
  readonly by: string | null;
}

/**
 * Gives the person the role, ends their sessions, and withdraws the links that they made as an owner; the role that
 * they have already changes nothing. Refuses with `person_not_found`, and with `last_owner` where the shop would have
 * none.
 */
export async function changeRole(tx: Tx, id: string, { role, by }: RoleChange): Promise<Person> {
  await lockSettings(tx);
  const person = await lockPerson(tx, id);
  if (person.role === role) return person;
  if (person.role === "owner") {
    await requireOtherOwner(tx, person);
    await deleteLinksBy(tx, { personId: person.id });
  }
  await setRole(tx, { id, role });
  await deleteOthers(tx, { personId: id, kept: "" });
  await recordAct(tx, {
    actorName: by,
    action: "changeRole",
    subject: id,
    difference: { fields: ["role"], before: { role: person.role }, after: { role } },
  });
  return { ...person, role };
}
