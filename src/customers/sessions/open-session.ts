// Story: a customer is signed in.

import type { Customer } from "#customers/customer.ts";
import type { Tx } from "#platform/database/database.ts";
import { hashOfToken } from "#shop/people/credentials/token.ts";

import { insertSession } from "./queries.ts";
import { newSessionToken, SESSION_MS } from "./session.ts";

export interface OpenedSession {
  /** It is stored nowhere. */
  readonly token: string;
  readonly expiresAt: number;
  readonly customer: Customer;
}

/** Opens a session of 30 days. */
export async function openSession(tx: Tx, customer: Customer): Promise<OpenedSession> {
  const token = newSessionToken();
  const expiresAt = tx.now + SESSION_MS;
  await insertSession(tx, {
    tokenHash: hashOfToken(token),
    customerId: customer.id,
    createdAt: tx.now,
    expiresAt,
  });
  return { token, expiresAt, customer };
}
