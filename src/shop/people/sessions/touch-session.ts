// Story: a session was used.

import type { Tx } from "#platform/database/database.ts";
import { hasRow } from "#platform/database/prepared.ts";

import { markSeen } from "./queries.ts";
import { SEEN_STEP_MS, type Visitor } from "./session.ts";

/** Returns true if the use of the session is due to be written: at most once in 60 s. */
export function isTouchDue({ session }: Visitor, now: number): boolean {
  return now - session.seenAt >= SEEN_STEP_MS;
}

/** Afterwards `seenAt` is at most 60 s ago; a session that has ended meanwhile stays ended. */
export async function touchSession(tx: Tx, visitor: Visitor): Promise<Visitor> {
  if (!isTouchDue(visitor, tx.now)) return visitor;
  const before = tx.now - SEEN_STEP_MS;
  const { person, session } = visitor;
  const isSeen = hasRow(await markSeen(tx, { id: session.id, seenAt: tx.now, before }));
  return isSeen ? { person, session: { ...session, seenAt: tx.now } } : visitor;
}
