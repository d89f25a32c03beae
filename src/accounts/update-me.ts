// Workflow: a customer who is signed in changes their own record.

import { type Customer, type CustomerChange, hasProved } from "#customers/customer.ts";
import { lockCustomer } from "#customers/lookups.ts";
import { proveContact, verifiedAtOf } from "#customers/sessions/claim-contact.ts";
import { type CodeContact, type CodeOutcome, codeRefusal } from "#customers/sessions/code.ts";
import { endUnprovedSessions } from "#customers/sessions/end-sessions.ts";
import { useCode } from "#customers/sessions/issue-code.ts";
import { getSignedIn } from "#customers/sessions/lookups.ts";
import { updateCustomer } from "#customers/update-customer.ts";
import { type ExpectedVersion, requireVersion } from "#kernel/change.ts";
import { Faults } from "#kernel/refusal.ts";
import type { Tx } from "#platform/database/database.ts";
import type { Shop } from "#platform/database/shop.ts";

export interface MyChange {
  readonly change: CustomerChange;
  /** Another contact, which a code has to prove. */
  readonly contact: CodeContact | null;
  readonly code: string | undefined;
  /** The one with which the code was sent. */
  readonly challenge: string | undefined;
  readonly expected: ExpectedVersion;
}

/**
 * Writes the given fields. A contact that is not verified yet needs the code that was sent to it, and is written only
 * with it: an unproved one would be another person's. Refuses with `customer_session_invalid`, `validation_failed`
 * without a code, for addresses of a customer without a verified contact and for consent to marketing at an email that is
 * not verified, `code_invalid`, `customer_exists` for the contact of another customer, and `stale_version`.
 */
export async function updateMe(
  { database }: Shop,
  token: string | null,
  given: MyChange,
): Promise<Customer> {
  const updated = await database.write((tx) => update(tx, token, given));
  if (typeof updated === "string") throw codeRefusal(updated);
  return updated;
}

/** The outcome of a wrong code, which is committed as a try. */
async function update(
  tx: Tx,
  token: string | null,
  { change, contact, code, challenge, expected }: MyChange,
): Promise<Customer | CodeOutcome> {
  const customer = await getSignedIn(tx, token, tx.now);
  requireVersion(customer.version, expected);
  if (contact !== null && !isProved(customer, contact)) {
    const outcome = await useCode(tx, contact, { code: givenCode(code), challenge });
    if (outcome !== "right") return outcome;
    await endUnprovedSessions(tx, customer, token);
    await proveContact(tx, customer.id, contact);
  }
  const proved = await lockCustomer(tx, customer.id);
  return updateCustomer(tx, proved.id, { change: ownChange(proved, change), expected: null });
}

/**
 * Consent lifts a withdrawal, which only the owner of the email may do; that which is there already stays. Addresses are
 * not seen before a contact is proved, and replaced no earlier.
 */
function ownChange(customer: Customer, change: CustomerChange): CustomerChange {
  const { email, emailVerifiedAt, marketingConsent } = customer;
  const isForOther = change.marketingConsent === true && email !== null && emailVerifiedAt === null;
  const faults = new Faults();
  if (change.addresses !== undefined && !hasProved(customer)) {
    faults.add("/addresses", "unverified_contact", "Verify the email or phone first, by a code.");
  }
  if (isForOther && !marketingConsent) {
    faults.add("/marketing_consent", "unverified_email", "Verify the email first, by a code.");
  }
  faults.refuseIfAny();
  return isForOther ? { ...change, marketingConsent: undefined } : change;
}

function isProved(customer: Customer, { kind, value }: CodeContact): boolean {
  return customer[kind] === value && verifiedAtOf(customer, kind) !== null;
}

function givenCode(code: string | undefined): string {
  const faults = new Faults();
  if (code === undefined) faults.add("/code", "required", "Give the code that was sent to it.");
  faults.refuseIfAny();
  return code ?? "";
}
