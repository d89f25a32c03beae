// Lookup: what may be written of a customer by a source that does not outweigh a withdrawal.

import type { CustomerChange } from "#customers/customer.ts";
import type { Reader } from "#platform/database/database.ts";

import { hasWithdrawn } from "./lookups.ts";

/**
 * Returns the change, without consent if it was withdrawn for the email: a stranger, a file that may be older, and a
 * customer who has not proved that the email is theirs know less of its owner's will.
 */
export async function respectWithdrawal(
  db: Reader,
  email: string | null | undefined,
  change: CustomerChange,
): Promise<CustomerChange> {
  const isGiven = change.marketingConsent === true && typeof email === "string";
  const isWithdrawn = isGiven && (await hasWithdrawn(db, email));
  return isWithdrawn ? { ...change, marketingConsent: false } : change;
}
