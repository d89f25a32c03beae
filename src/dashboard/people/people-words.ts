// What the pages about people share: who acts, and when a person was last seen.

import type { Tx } from "#platform/database/database.ts";
import type { Person } from "#shop/people/person.ts";
import type { Session } from "#shop/people/sessions/session.ts";

import { nearOf } from "../parts/times.ts";
import type { Visit } from "../visit.ts";
import { en } from "../words/en.ts";

const { people } = en;

/** Tells a story of people as the person of the visit. */
export function writeAs<Value>(
  { people: { database }, caller: { actor } }: Visit,
  story: (tx: Tx) => Promise<Value>,
): Promise<Value> {
  return database.write(story, { actor });
}

export function isOwner({ visitor: { person } }: Visit): boolean {
  return person.role === "owner";
}

/** When the person last asked for a page. */
export function lastSeenOf({ id }: Person, sessions: readonly Session[], visit: Visit): string {
  // The sessions stand in the order of their last use.
  const last = sessions.find(({ personId }) => personId === id);
  return last === undefined ? people.neverSeen : people.seen(nearOf(last.seenAt, visit.realWhen));
}
