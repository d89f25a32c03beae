// Lookup: the customer of a request that a session may come with.

import type { Customer } from "#customers/customer.ts";
import type { Reader } from "#platform/database/database.ts";

import { getSignedIn } from "./get-signed-in.ts";

/** Returns the customer who is signed in; null without a token. Refuses with `customer_session_invalid`. */
export async function getCustomerOfToken(
  db: Reader,
  token: string | null,
  now: number,
): Promise<Customer | null> {
  return token === null ? null : getSignedIn(db, token, now);
}
