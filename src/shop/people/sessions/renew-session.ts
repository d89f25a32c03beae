// Story: a session gets another token, so that one that leaked before opens nothing.

import type { Id } from "#kernel/id.ts";
import type { Tx } from "#platform/database/database.ts";
import { hashOfToken, newToken } from "#shop/people/credentials/token.ts";

import { setToken } from "./queries.ts";
import { type Session, sessionNotFound } from "./session.ts";

/** Gives the session a new token, and counts it as confirmed now. Refuses with `session_not_found` after its end. */
export async function renewSession(
  tx: Tx,
  id: Id<"session">,
): Promise<{ readonly token: string; readonly session: Session }> {
  const token = newToken();
  const given = { id, tokenHash: hashOfToken(token), confirmedAt: tx.now, seenAt: tx.now };
  const [session] = await setToken(tx, given);
  if (session === undefined) throw sessionNotFound();
  return { token, session };
}
