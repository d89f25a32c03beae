// Who acted, by name.

import type { Visit } from "#dashboard/kit/visit.ts";
import { en } from "#dashboard/words/en.ts";
import { findPeople } from "#shop/people/lookups.ts";

interface Acting {
  readonly type: string;
  readonly id: string | null;
  readonly name: string | null;
}

/**
 * Returns what the actors are called; null for one that has no name. A person has the name that they had then, or, in
 * what was recorded without names, the one that they have now, and is marked once removed.
 */
export async function namesOf(
  { people }: Visit,
  actors: readonly Acting[],
): Promise<(actor: Acting) => string | null> {
  const ids = actors.flatMap(({ type, id }) => (type === "person" && id !== null ? [id] : []));
  const found = await findPeople(people.database.read, ids);
  return ({ id, name: then }) => {
    const person = found.get(id ?? "");
    const name = then ?? person?.name ?? null;
    const isRemoved = (person?.removedAt ?? null) !== null;
    return name !== null && isRemoved ? en.people.removedPerson(name) : name;
  };
}
