// Lookup: the person whose session a token opens.

import type { Reader } from "#platform/database/database.ts";
import { hashOfToken } from "#shop/people/credentials/token.ts";
import { personRows } from "#shop/people/queries.ts";

import { findSessionByHash } from "./queries.ts";
import { endOf, type Visitor } from "./session.ts";

/** The visitor of a session that has not ended; null for every other text. `now` is the live shop's time. */
export async function findVisitor(db: Reader, token: string, now: number): Promise<Visitor | null> {
  const session = await findSessionByHash(db, hashOfToken(token));
  if (session === undefined || endOf(session) <= now) return null;
  const person = await personRows.get(db, session.personId);
  // Removed between the two reads: the session ended with it.
  return person.removedAt === null ? { person, session } : null;
}
