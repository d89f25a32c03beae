// Lookup: the customer of a token.

import type { Customer } from "#customers/customer.ts";
import { findCustomer } from "#customers/lookups.ts";
import type { Reader } from "#platform/database/database.ts";
import { hashOfToken } from "#shop/people/credentials/token.ts";

import { sessionByHash } from "./queries.ts";
import { isSessionToken, notSignedIn } from "./session.ts";

/** Returns the customer who is signed in at this time. Refuses with `customer_session_invalid`. */
export async function getSignedIn(
  db: Reader,
  token: string | null,
  now: number,
): Promise<Customer> {
  const customer = token === null ? undefined : await findSignedIn(db, token, now);
  if (customer?.erasedAt === null) return customer;
  throw notSignedIn();
}

async function findSignedIn(db: Reader, token: string, now: number): Promise<Customer | undefined> {
  if (!isSessionToken(token)) return undefined;
  const [session] = await sessionByHash(db, { tokenHash: hashOfToken(token), now });
  return session === undefined ? undefined : findCustomer(db, session.customerId);
}

/** Returns the customer who is signed in; null without a token. Refuses with `customer_session_invalid`. */
export async function getCustomerOfToken(
  db: Reader,
  token: string | null,
  now: number,
): Promise<Customer | null> {
  return token === null ? null : getSignedIn(db, token, now);
}
