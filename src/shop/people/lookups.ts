// Lookups of people, and of what a page about them shows.

import type { Reader, Tx } from "#platform/database/database.ts";

import type { PersonLink } from "./credentials/link.ts";
import { listOpenLinks } from "./credentials/queries.ts";
import { nameKeyOf, type Person, personNotFound } from "./person.ts";
import {
  findPersonByEmail,
  findPersonByKey,
  listNames,
  listPresent,
  personRows,
} from "./queries.ts";
import { listSeen } from "./sessions/queries.ts";
import { endOf, type Session } from "./sessions/session.ts";

/** A list of people, sessions or links is a page: no shop has more of them. */
const LIST_MAX = 1000;

/** Returns true if the shop has a person who may sign in. */
export async function hasPeople(db: Reader): Promise<boolean> {
  return (await listPresent(db, 1)).length > 0;
}

/** The people who may sign in, by name. */
export function listPeople(db: Reader): Promise<Person[]> {
  return listPresent(db, LIST_MAX);
}

/** Refuses with `person_not_found`, also for a person who was removed. */
export async function getPerson(db: Reader, id: string): Promise<Person> {
  return requirePresent(await personRows.get(db, id));
}

/** The same; no other transaction changes the person until this one ends. */
export async function lockPerson(tx: Tx, id: string): Promise<Person> {
  return requirePresent(await personRows.lock(tx, id));
}

/** The person with this name, as people sign in by it. Refuses with `person_not_found`. */
export async function getPersonByName(db: Reader, name: string): Promise<Person> {
  const person = await findPersonByKey(db, nameKeyOf(name));
  if (person === undefined) throw personNotFound({ detail: `There is no person "${name}".` });
  return person;
}

/** The person who has confirmed this email, which is in lower case; null if there is none. */
export async function findPersonWithEmail(db: Reader, email: string): Promise<Person | null> {
  const person = await findPersonByEmail(db, email);
  return person === undefined || person.emailVerifiedAt === null ? null : person;
}

/** The names of these people by their ids, also of removed ones; other texts have none. */
export async function findPersonNames(
  db: Reader,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await listNames(db, [...new Set(ids)]);
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** These people by their ids, also removed ones; other texts find none. */
export async function findPeople(
  db: Reader,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Person>> {
  const rows = await personRows.findAll(db, [...new Set(ids)]);
  return new Map(rows.map((person) => [person.id, person]));
}

/** The sessions that have not ended at `now`, the last seen first; of one person, or of all. */
export async function listSessions(
  db: Reader,
  now: number,
  personId: string | null,
): Promise<Session[]> {
  const rows = await listSeen(db, personId ?? undefined, LIST_MAX);
  return rows.filter((session) => endOf(session) > now);
}

/** The links that can still be used at `now`, newest first. */
export function listLinks(db: Reader, now: number): Promise<PersonLink[]> {
  return listOpenLinks(db, now, LIST_MAX);
}

function requirePresent(person: Person): Person {
  if (person.removedAt !== null) throw personNotFound();
  return person;
}
