// Story: a sandbox has an owner, whose password it prints. Elsewhere people come in by links and choose their own.

import { newId } from "#kernel/id.ts";
import type { Tx } from "#platform/database/database.ts";
import { recordAct } from "#shop/audit/record-act.ts";
import { lockSettings } from "#shop/store/lookups.ts";

import { savePassword } from "./credentials/save-password.ts";
import { nameKeyOf, type Person } from "./person.ts";
import { findPersonByKey, personRows } from "./queries.ts";

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
  const person: Person = { id, name, role: "owner", removedAt: null, createdAt: tx.now };
  await personRows.insert(tx, { ...person, nameKey: nameKeyOf(name) });
  return person;
}
