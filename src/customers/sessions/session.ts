// Sessions of customers: how long each counts, and what is refused.

import { defineFaults, type Meanings } from "#kernel/fault.ts";
import type { Id } from "#kernel/id.ts";
import { defineRefusal, type Faults, type Refusal } from "#kernel/refusal.ts";
import { DAY_MS } from "#kernel/time.ts";
import { newToken } from "#shop/people/credentials/token.ts";

export const SESSION_MS = 30 * DAY_MS;

const PREFIX = "cst_";
const TOKEN_FORM = /^cst_[0-9A-Za-z]{43}$/;

/** A new token of a session. */
export function newSessionToken(): string {
  return PREFIX + newToken();
}

/** Returns true if the text may be a token. */
export function isSessionToken(text: string): boolean {
  return TOKEN_FORM.test(text);
}

/** Adds a fault if the request names another customer than that of its session. */
export function addOtherCustomer(
  signedInId: Id<"customer">,
  named: Id<"customer"> | null | undefined,
  faults: Faults,
): void {
  if (named === undefined || named === signedInId) return;
  faults.add("/customer_id", "conflicting_fields", "`Customer-Token` is of another customer.");
}

export const customerSessionInvalid = defineRefusal("customer_session_invalid", "unauthenticated", {
  title: "The customer is not signed in.",
  cause:
    "The header `Customer-Token` is missing, or its session has ended: it is older than 30 days, was ended, or its customer was erased.",
  remedy: "Let the customer sign in again.",
});

/** The refusal of a request that needs a session which it does not come with. */
export function notSignedIn(detail?: string): Refusal {
  const headers = { "WWW-Authenticate": "Bearer" };
  return customerSessionInvalid({ ...(detail !== undefined && { detail }), headers });
}

const sessionFaults = defineFaults({
  unverified_contact: "The customer has verified neither an email nor a phone.",
  unverified_email: "The customer has not verified the email that the consent is for.",
});
declare module "#kernel/fault.ts" {
  interface FaultCodes extends Meanings<typeof sessionFaults> {}
}
