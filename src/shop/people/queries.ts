// SQL of people. Names are found by their key, which no reader gets.

import { and, asc, eq, inArray, isNull, sql } from "drizzle-orm";

import type { Reader } from "#platform/database/database.ts";
import { prepared, preparedByFilters, preparedWrite } from "#platform/database/prepared.ts";
import { shownColumns } from "#platform/database/record.ts";
import { statements } from "#platform/database/statements.ts";

import type { AlertRulesGiven } from "./alert-rules.ts";
import { type Person, personNotFound } from "./person.ts";
import { people } from "./tables.ts";

const shown = shownColumns(people);

/** Statements of people, also of those who were removed. */
export const personRows = statements(people, personNotFound);

const byKey = prepared<{ nameKey: string }>()((db, at) =>
  db.select(shown).from(people).where(eq(people.nameKey, at.nameKey)),
);

/** The person whose name has this key. */
export async function findPersonByKey(db: Reader, nameKey: string): Promise<Person | undefined> {
  return (await byKey(db, { nameKey }))[0];
}

const present = prepared<{ limit: number }>()((db, at) =>
  db
    .select(shown)
    .from(people)
    .where(isNull(people.removedAt))
    .orderBy(asc(people.name), asc(people.id))
    .limit(at.limit),
);

/** People who were not removed, by name. */
export function listPresent(db: Reader, limit: number): Promise<Person[]> {
  return present(db, { limit });
}

const owners = prepared<{ limit: number }>()((db, at) =>
  db
    .select({ id: people.id })
    .from(people)
    .where(and(eq(people.role, sql`'owner'`), isNull(people.removedAt)))
    .limit(at.limit),
);

/** The ids of at most `limit` owners. */
export async function listOwnerIds(db: Reader, limit: number): Promise<string[]> {
  return (await owners(db, { limit })).map(({ id }) => id);
}

const namesById = preparedByFilters<{ ids: readonly string[] }>()((db, given) =>
  db
    .select({ id: people.id, name: people.name })
    .from(people)
    .where(inArray(people.id, given.each("ids"))),
);

/** The names of these people, also of those who were removed. */
export function listNames(
  db: Reader,
  ids: readonly string[],
): Promise<{ readonly id: string; readonly name: string }[]> {
  return ids.length === 0 ? Promise.resolve([]) : namesById(db, { ids });
}

/** Sets the role. */
export const setRole = preparedWrite<{ id: string; role: string }>()((tx, at) =>
  tx
    .update(people)
    .set({ role: sql`${at.role}` })
    .where(eq(people.id, at.id)),
);

const byEmail = prepared<{ email: string }>()((db, at) =>
  db.select(shown).from(people).where(eq(people.email, at.email)),
);

/** The person with this email, which is in lower case. */
export async function findPersonByEmail(db: Reader, email: string): Promise<Person | undefined> {
  return (await byEmail(db, { email }))[0];
}

/** Sets the email. */
export const setEmail = preparedWrite<{
  id: string;
  email: string | null;
  emailVerifiedAt: number | null;
}>()((tx, at) =>
  tx
    .update(people)
    .set({ email: sql`${at.email}`, emailVerifiedAt: sql`${at.emailVerifiedAt}` })
    .where(eq(people.id, at.id)),
);

/** Sets what the person is told. */
export const setAlerts = preparedWrite<{ id: string; alerts: AlertRulesGiven }>()((tx, at) =>
  tx
    .update(people)
    .set({ alerts: sql`${sql.param(at.alerts, people.alerts)}` })
    .where(eq(people.id, at.id)),
);

/** Sets when the person was removed, and frees the name and the email. */
export const markRemoved = preparedWrite<{ id: string; removedAt: number }>()((tx, at) =>
  tx
    .update(people)
    .set({
      removedAt: sql`${at.removedAt}`,
      nameKey: sql`NULL`,
      email: sql`NULL`,
      emailVerifiedAt: sql`NULL`,
    })
    .where(eq(people.id, at.id)),
);
