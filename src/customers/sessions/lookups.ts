// Lookups of sessions: the customer of a token, and for other folders those of a customer.

import type { Customer } from "#customers/customer.ts";
import { findCustomer } from "#customers/lookups.ts";
import type { Id } from "#kernel/id.ts";
import type { Counted } from "#kernel/page.ts";
import { DAY_MS } from "#kernel/time.ts";
import type { Reader } from "#platform/database/database.ts";
import { hashOfToken } from "#shop/people/credentials/token.ts";

import { sessionByHash, sessionsOf, withheldAfter } from "./queries.ts";
import { isSessionToken, notSignedIn } from "./session.ts";
import type { CustomerSession } from "./tables.ts";

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

/** Returns the customer of a token whose session has not ended, erased or not; undefined for any other text. */
export async function findSignedIn(
  db: Reader,
  token: string,
  now: number,
): Promise<Customer | undefined> {
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

/** When a session began, and when it ends. */
export type SessionTimes = Pick<CustomerSession, "createdAt" | "expiresAt">;

/** The sessions of the customer that are stored, the oldest first. */
export function findSessionTimes(db: Reader, customerId: Id<"customer">): Promise<SessionTimes[]> {
  return sessionsOf(db, { customerId });
}

/** How many codes the shop's limits withheld in the last 24 hours, at most `limit`. */
export async function countWithheldCodes(
  db: Reader,
  { limit, now }: { readonly limit: number; readonly now: number },
): Promise<Counted> {
  const { withheld = 0 } = (await withheldAfter(db, { hour: now - DAY_MS }))[0] ?? {};
  return { count: Math.min(withheld, limit), more: withheld > limit };
}
