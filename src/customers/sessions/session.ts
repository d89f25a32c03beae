// Sessions of customers and the codes that begin them: how long each counts, and what is refused.

import type { Contact } from "#customers/customer.ts";
import { defineFaults, type Meanings } from "#kernel/fault.ts";
import type { Id } from "#kernel/id.ts";
import { numberOf, randomBytes } from "#kernel/random.ts";
import { defineRefusal, type Faults, type Refusal } from "#kernel/refusal.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#kernel/time.ts";
import type { Vault } from "#platform/vault/vault.ts";
import { newToken } from "#shop/people/credentials/token.ts";

/** An email in lower case, or a phone in E.164: what a code is sent to. */
export interface CodeContact {
  readonly kind: "email" | "phone";
  readonly value: string;
}

export const SESSION_MS = 30 * DAY_MS;
export const CODE_MS = 10 * MINUTE_MS;
/** A guess then has a chance of 1 in 200,000. */
export const TRIES_MAX = 5;
/** Codes to one contact: no one is flooded, and guesses stay few. */
const CODE_EVERY_MS = MINUTE_MS;
/** From one network: a stranger in another one takes none of the owner's. */
const CODES_PER_NETWORK = 5;
/** From all networks. */
export const CODES_PER_HOUR = 20;

const CODE_DIGITS = 6;
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

/** A new code: six digits, each as likely as another. */
export function newCode(random: () => number = randomWord): string {
  const codes = 10 ** CODE_DIGITS;
  // The last numbers of a word are left out: they would make small codes likelier.
  const end = 2 ** 32 - (2 ** 32 % codes);
  let word = random();
  while (word >= end) word = random();
  return String(word % codes).padStart(CODE_DIGITS, "0");
}

function randomWord(): number {
  return Number(numberOf(randomBytes(4)));
}

/**
 * The form in which the contact is stored. The secret of withdrawals would not do: it outlives a rotation of the key,
 * after which who had the former key and reads the database must not find the codes.
 */
export function hashOfContact(vault: Vault, { kind, value }: CodeContact): string {
  return vault.sign(`contact of a customer\n${kind}\n${value}`);
}

/** The form in which a code to the contact is stored. */
export function hashOfCode(vault: Vault, contactHash: string, code: string): string {
  return vault.sign(`code of a customer\n${contactHash}\n${code}`);
}

/** The contact as customers are found by it. */
export function asContact({ kind, value }: CodeContact): Contact {
  return { email: null, phone: null, [kind]: value };
}

/** A code that was asked for. */
export interface AskedCode {
  readonly at: number;
  /** The network of the client; null if it is not known. */
  readonly network: string | null;
}

/** How long to wait before the next code, milliseconds; 0 if one may be sent now. `asked` is of the last hour. */
export function waitForCode(asked: readonly AskedCode[], { at: now, network }: AskedCode): number {
  const ofNetwork = asked.filter((earlier) => earlier.network === network);
  const last = asked.at(-1)?.at ?? -Infinity;
  const oldest = asked.at(-CODES_PER_HOUR)?.at ?? -Infinity;
  const oldestOfNetwork = ofNetwork.at(-CODES_PER_NETWORK)?.at ?? -Infinity;
  const free = Math.max(last + CODE_EVERY_MS, oldest + HOUR_MS, oldestOfNetwork + HOUR_MS);
  return Math.max(0, free - now);
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

export const codeInvalid = defineRefusal("code_invalid", "invalid", {
  title: "The code is not valid.",
  cause:
    "The code is wrong, older than ten minutes, was used already, or five wrong ones were given for it.",
  remedy: "Let the customer type the last code that was sent, or send another one.",
});
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
