// SQL of sessions and of push subscriptions. A session is found by the hash of its token.

import { and, asc, desc, eq, lte, ne, sql } from "drizzle-orm";

import type { Reader, Tx } from "#platform/database/database.ts";
import {
  prepared,
  preparedByFilters,
  preparedInsert,
  preparedWrite,
} from "#platform/database/prepared.ts";
import { shownColumns } from "#platform/database/record.ts";
import { statements } from "#platform/database/statements.ts";

import { type Session, sessionNotFound } from "./session.ts";
import { pushSubscriptions, sessions } from "./tables.ts";

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

/** Deletes a session of the person. Its push subscription stays: the device gets messages, and a tap asks for the sign-in. */
export const deleteSession = preparedWrite<{ id: string; personId: string }>()((tx, at) =>
  tx
    .delete(sessions)
    .where(and(eq(sessions.id, at.id), eq(sessions.personId, at.personId)))
    .returning({ id: sessions.id }),
);

const deleteOtherSessions = preparedWrite<{ personId: string; kept: string }>()((tx, at) =>
  tx
    .delete(sessions)
    .where(and(eq(sessions.personId, at.personId), ne(sessions.id, at.kept)))
    .returning({ id: sessions.id }),
);
const deleteOtherSubscriptions = preparedWrite<{ personId: string; kept: string }>()((tx, at) =>
  tx
    .delete(pushSubscriptions)
    .where(
      and(eq(pushSubscriptions.personId, at.personId), ne(pushSubscriptions.sessionId, at.kept)),
    ),
);
const deleteSubscriptionsOf = preparedWrite<{ id: string; personId: string }>()((tx, at) =>
  tx
    .delete(pushSubscriptions)
    .where(
      and(eq(pushSubscriptions.sessionId, at.id), eq(pushSubscriptions.personId, at.personId)),
    ),
);

/** Deletes a session of the person with its push subscription. */
export async function endSession(
  tx: Tx,
  session: { readonly id: string; readonly personId: string },
): Promise<readonly unknown[]> {
  await deleteSubscriptionsOf(tx, session);
  return deleteSession(tx, session);
}

/** Deletes the person's sessions but one, with their push subscriptions; an id that is none deletes all. */
export async function deleteOthers(
  tx: Tx,
  others: { readonly personId: string; readonly kept: string },
): Promise<readonly unknown[]> {
  await deleteOtherSubscriptions(tx, others);
  return deleteOtherSessions(tx, others);
}

/** Deletes every session. */
export const deleteEverySession = preparedWrite()((tx) =>
  tx.delete(sessions).returning({ id: sessions.id }),
);

const shownSubscription = shownColumns(pushSubscriptions);
const subscriptionsOf = prepared<{ personId: string }>()((db, at) =>
  db
    .select(shownSubscription)
    .from(pushSubscriptions)
    .where(eq(pushSubscriptions.personId, at.personId))
    .orderBy(asc(pushSubscriptions.id)),
);

/** The browsers in which the person gets push messages, the oldest first. */
export function listSubscriptions(db: Reader, personId: string) {
  return subscriptionsOf(db, { personId });
}

export const insertSubscription = preparedInsert(pushSubscriptions);

const sealedById = prepared<{ id: string }>()((db, at) =>
  db
    .select({ sealedTerms: pushSubscriptions.sealedTerms })
    .from(pushSubscriptions)
    .where(eq(pushSubscriptions.id, at.id)),
);

/** The sealed terms of the browser; undefined once the subscription is gone. */
export async function findSealedTerms(db: Reader, id: string): Promise<string | undefined> {
  return (await sealedById(db, { id }))[0]?.sealedTerms;
}

const sealed = prepared()((db) =>
  db
    .select({ id: pushSubscriptions.id, sealedTerms: pushSubscriptions.sealedTerms })
    .from(pushSubscriptions),
);

export function listSealedSubscriptions(db: Reader) {
  return sealed(db, {});
}

export const setSubscriptionSeal = preparedWrite<{ id: string; sealedTerms: string }>()((tx, at) =>
  tx
    .update(pushSubscriptions)
    .set({ sealedTerms: sql`${at.sealedTerms}` })
    .where(eq(pushSubscriptions.id, at.id)),
);

/** Deletes the subscription of the browser at this endpoint, whose ever it is. */
export const deleteSubscriptionAt = preparedWrite<{ endpointHash: string }>()((tx, at) =>
  tx.delete(pushSubscriptions).where(eq(pushSubscriptions.endpointHash, at.endpointHash)),
);

export const deleteSubscriptionById = preparedWrite<{ id: string }>()((tx, at) =>
  tx.delete(pushSubscriptions).where(eq(pushSubscriptions.id, at.id)),
);

/** Deletes a subscription of the person. */
export const deleteSubscription = preparedWrite<{ id: string; personId: string }>()((tx, at) =>
  tx
    .delete(pushSubscriptions)
    .where(and(eq(pushSubscriptions.id, at.id), eq(pushSubscriptions.personId, at.personId))),
);

export const deleteEverySubscription = preparedWrite()((tx) => tx.delete(pushSubscriptions));

/** Notes that the push service took a message. */
export const markTaken = preparedWrite<{ id: string; at: number }>()((tx, given) =>
  tx
    .update(pushSubscriptions)
    .set({ failures: 0, lastOkAt: sql`${given.at}` })
    .where(eq(pushSubscriptions.id, given.id)),
);

/** Counts an attempt that it did not take. */
export const countFailure = preparedWrite<{ id: string }>()((tx, at) =>
  tx
    .update(pushSubscriptions)
    .set({ failures: sql`${pushSubscriptions.failures} + 1` })
    .where(eq(pushSubscriptions.id, at.id)),
);
