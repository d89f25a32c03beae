// Stories: sessions of customers end, one by one or of one customer, with their codes, or those of the shop.

import { type Customer, hasProved } from "#customers/customer.ts";
import { lockCustomer } from "#customers/lookups.ts";
import type { Id } from "#kernel/id.ts";
import type { Tx } from "#platform/database/database.ts";
import { hashOfToken } from "#shop/people/credentials/token.ts";

import { hashOfContact } from "./code.ts";
import {
  dropAllChallenges,
  dropAllCodes,
  dropAllSessions,
  dropChallengesOf,
  dropCode,
  dropOtherSessions,
  dropSession,
  dropSessionsOf,
  insertSession,
} from "./queries.ts";
import { newSessionToken, SESSION_MS } from "./session.ts";

/** Ends the session of the token. */
export async function endSession(tx: Tx, token: string): Promise<undefined> {
  await dropSession(tx, { tokenHash: hashOfToken(token) });
}

/** Ends all sessions of the customer. Refuses with `customer_not_found`. */
export async function endSessionsOf(tx: Tx, id: Id<"customer">): Promise<undefined> {
  await lockCustomer(tx, id);
  await dropSessionsOf(tx, { customerId: id });
}

/**
 * Before the first contact of the customer is proved: afterwards no session but that of the token is left. Those were
 * opened by the word of the shop's own login, and may be of someone who only named the contact of another person.
 */
export async function endUnprovedSessions(
  tx: Tx,
  customer: Customer,
  token: string | null,
): Promise<void> {
  if (hasProved(customer)) return;
  const tokenHash = token === null ? "" : hashOfToken(token);
  await dropOtherSessions(tx, { customerId: customer.id, tokenHash });
}

/** Forgets that the customer was signed in, and the codes to their contacts. */
export async function forgetSessions(
  tx: Tx,
  { id, email, phone }: Pick<Customer, "id" | "email" | "phone">,
): Promise<void> {
  await dropSessionsOf(tx, { customerId: id });
  const contacts = [
    { kind: "email", value: email },
    { kind: "phone", value: phone },
  ] as const;
  for (const { kind, value } of contacts) {
    if (value === null) continue;
    const contactHash = hashOfContact(tx.vault, { kind, value });
    await dropCode(tx, { contactHash });
    await dropChallengesOf(tx, { contactHash });
  }
}

/** Afterwards no code is valid: with another key they would not be found again. */
export async function forgetCodes(tx: Tx): Promise<void> {
  await dropAllChallenges(tx, {});
  await dropAllCodes(tx, {});
}

/** Afterwards no customer is signed in, and no code is valid. */
export async function endAllSessions(tx: Tx): Promise<void> {
  await dropAllSessions(tx, {});
  await forgetCodes(tx);
}

// Story: a customer is signed in.

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
