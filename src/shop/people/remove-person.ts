// Stories: a person does not run the shop any more, or gets another role. A shop with people has an owner: no one else could
// let people in again.

import { newId } from "#kernel/id.ts";
import type { Reader, Tx } from "#platform/database/database.ts";
import { recordAct } from "#shop/audit/record-act.ts";
import { savePassword } from "#shop/people/credentials/change-password.ts";
import {
  deleteDevicesOf,
  deleteEmailLink,
  deleteEveryDevice,
  deleteEveryEmailLink,
  deleteEveryLink,
  deleteLinksBy,
  deleteLinksOf,
  deletePassword,
} from "#shop/people/credentials/queries.ts";
import { deletePasskeysOf } from "#shop/people/passkeys/queries.ts";
import {
  deleteEverySession,
  deleteEverySubscription,
  deleteOthers,
} from "#shop/people/sessions/queries.ts";
import { lockSettings } from "#shop/store/lookups.ts";

import { listPeople, lockPerson } from "./lookups.ts";
import { lastOwner, nameKeyOf, noWishes, type Person } from "./person.ts";
import { findPersonByKey, listOwnerIds, markRemoved, personRows, setRole } from "./queries.ts";
import type { Role } from "./roles.ts";

/**
 * Removes the person with password, passkeys, sessions, known devices and links; their name stays with what they did. `by` is
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

// Story: a sandbox has an owner, whose password it prints. Elsewhere people come in by links and choose their own.

/** Afterwards there is a person with the name, an owner if they are new, with the password that has the hash. */
export async function installOwner(
  tx: Tx,
  { name, hash }: { readonly name: string; readonly hash: string },
): Promise<Person> {
  await lockSettings(tx);
  const known = await findPersonByKey(tx, nameKeyOf(name));
  const person = known ?? (await insertOwner(tx, name));
  await savePassword(tx, person, hash);
  await recordAct(tx, { actorName: null, action: "installOwner", subject: person.id });
  return person;
}

async function insertOwner(tx: Tx, name: string): Promise<Person> {
  const id = newId("person", tx.now);
  const person: Person = {
    id,
    name,
    role: "owner",
    ...noWishes,
    removedAt: null,
    createdAt: tx.now,
  };
  await personRows.insert(tx, { ...person, nameKey: nameKeyOf(name) });
  return person;
}

/** Deletes everything that lets the person in, or others in their name, and frees the name. */
async function endAccess(tx: Tx, { id: personId }: Person): Promise<void> {
  await deleteOthers(tx, { personId, kept: "" });
  await deleteDevicesOf(tx, { personId });
  await deleteLinksOf(tx, { personId });
  await deleteLinksBy(tx, { personId });
  await deletePassword(tx, { personId });
  await deletePasskeysOf(tx, { personId });
  await deleteEmailLink(tx, { personId });
  await markRemoved(tx, { id: personId, removedAt: tx.now });
}

// Story: the shop was restored from a backup, which may have been in other hands.

interface RestoredAccess {
  /** True if people are removed as well; the next start then prints a link for a first owner. */
  readonly removesPeople: boolean;
  /** The name of who restores, for the audit log. */
  readonly by: string | null;
}

/** Ends every session and link, so that what ended after the backup was made does not begin again. */
export async function endAllAccess(tx: Tx, { removesPeople, by }: RestoredAccess): Promise<void> {
  await deleteEverySession(tx, {});
  await deleteEverySubscription(tx, {});
  await deleteEveryLink(tx, {});
  await deleteEveryEmailLink(tx, {});
  await deleteEveryDevice(tx, {});
  if (!removesPeople) return;
  for (const person of await listPeople(tx)) {
    await endAccess(tx, person);
    await recordAct(tx, { actorName: by, action: "removePerson", subject: person.id });
  }
}

/** Refuses with `last_owner` if no other person is an owner. The caller has locked the settings. */
async function requireOtherOwner(db: Reader, { id }: Person): Promise<void> {
  const owners = await listOwnerIds(db, 2);
  if (owners.every((owner) => owner === id)) throw lastOwner();
}
