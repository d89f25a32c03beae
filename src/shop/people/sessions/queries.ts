// SQL of sessions. A session is found by the hash of its token.

import { and, asc, desc, eq, lte, ne, sql } from "drizzle-orm";

import type { Reader } from "#platform/database/database.ts";
import { prepared, preparedByFilters, preparedWrite } from "#platform/database/prepared.ts";
import { shownColumns } from "#platform/database/record.ts";
import { statements } from "#platform/database/statements.ts";

import { type Session, sessionNotFound } from "./session.ts";
import { sessions } from "./tables.ts";

const shown = shownColumns(sessions);

export const sessionRows = statements(sessions, sessionNotFound);

const byHash = prepared<{ tokenHash: string }>()((db, at) =>
  db.select(shown).from(sessions).where(eq(sessions.tokenHash, at.tokenHash)),
);

/** The session with this hash, even if it has ended by its age. */
export async function findSessionByHash(
  db: Reader,
  tokenHash: string,
): Promise<Session | undefined> {
  return (await byHash(db, { tokenHash }))[0];
}

const ofPerson = prepared<{ personId: string }>()((db, at) =>
  db
    .select(shown)
    .from(sessions)
    .where(eq(sessions.personId, at.personId))
    .orderBy(asc(sessions.id)),
);

/** The sessions of a person, the oldest first. */
export function listSessionRows(db: Reader, personId: string): Promise<Session[]> {
  return ofPerson(db, { personId });
}

const sessionsBy = preparedByFilters<{ personId: string | undefined; limit: number }>()(
  (db, given) =>
    db
      .select(shown)
      .from(sessions)
      .where(given.has("personId") ? eq(sessions.personId, given.one("personId")) : undefined)
      .orderBy(desc(sessions.seenAt), desc(sessions.id))
      .limit(given.one("limit")),
);

/** Sessions of one person or of all, the last seen first, also those that have ended by their age. */
export function listSeen(
  db: Reader,
  personId: string | undefined,
  limit: number,
): Promise<Session[]> {
  return sessionsBy(db, { personId, limit });
}

/** Writes the last use, unless another program wrote one after `before`. */
export const markSeen = preparedWrite<{ id: string; seenAt: number; before: number }>()((tx, at) =>
  tx
    .update(sessions)
    .set({ seenAt: sql`${at.seenAt}` })
    .where(and(eq(sessions.id, at.id), lte(sessions.seenAt, at.before)))
    .returning({ id: sessions.id }),
);

/** Gives the session another token and notes when the password was given. */
export const setToken = preparedWrite<{
  id: string;
  tokenHash: string;
  confirmedAt: number;
  seenAt: number;
}>()((tx, at) =>
  tx
    .update(sessions)
    .set({
      tokenHash: sql`${at.tokenHash}`,
      confirmedAt: sql`${at.confirmedAt}`,
      seenAt: sql`${at.seenAt}`,
    })
    .where(eq(sessions.id, at.id))
    .returning(shown),
);

/** Notes in the person's sessions that there is a passkey now. */
export const markPasskeyAdded = preparedWrite<{ personId: string }>()((tx, at) =>
  tx.update(sessions).set({ needsPasskey: false }).where(eq(sessions.personId, at.personId)),
);

/** Deletes a session of the person. */
export const deleteSession = preparedWrite<{ id: string; personId: string }>()((tx, at) =>
  tx
    .delete(sessions)
    .where(and(eq(sessions.id, at.id), eq(sessions.personId, at.personId)))
    .returning({ id: sessions.id }),
);

/** Deletes the person's sessions but one; an id that is none deletes all. */
export const deleteOthers = preparedWrite<{ personId: string; kept: string }>()((tx, at) =>
  tx
    .delete(sessions)
    .where(and(eq(sessions.personId, at.personId), ne(sessions.id, at.kept)))
    .returning({ id: sessions.id }),
);

/** Deletes every session. */
export const deleteEverySession = preparedWrite()((tx) =>
  tx.delete(sessions).returning({ id: sessions.id }),
);
