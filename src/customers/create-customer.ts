// Stories: create a customer, also one whom a stranger names, fill what a known one lacks, and count their orders.

import { liftWithdrawal, respectWithdrawal } from "#customers/consent/withdrawals.ts";
import { defined } from "#kernel/change.ts";
import type { Id } from "#kernel/id.ts";
import { Refusal } from "#kernel/refusal.ts";
import { type Tx, WriteConflict } from "#platform/database/database.ts";
import { indexText } from "#platform/database/search.ts";

import {
  type Contact,
  contactTaken,
  type Customer,
  type CustomerChange,
  customerExists,
  emailsBy,
  hasDoubtfulAddresses,
  newCustomer,
  saysEmail,
  searchText,
} from "./customer.ts";
import { customerCreated } from "./events.ts";
import { findCustomerByContact, lockKnownCustomer } from "./lookups.ts";
import { insertCustomer, raiseOrdersCount } from "./queries.ts";
import { updateCustomer } from "./update-customer.ts";

/**
 * Inserts the customer, indexes it for search and emits `customer.created`. Consent that is given for the email counts
 * from now on, also if it was withdrawn before. Refuses with `validation_failed` without an email or phone, and with
 * `customer_exists` if either is taken.
 */
export async function createCustomer(tx: Tx, draft: CustomerChange): Promise<Customer> {
  const customer = newCustomer(draft, tx.now);
  const { email: sent = null } = draft;
  // The unique key decides about the form; this is the email of a customer from before emails had one.
  const former =
    sent === null || emailsBy(sent).length === 1
      ? undefined
      : await findCustomerByContact(tx, { email: sent, phone: null });
  if (former !== undefined) throw contactTaken(former, { email: sent, phone: null });
  if (!(await insertCustomer(tx, customer))) {
    const holder = await findCustomerByContact(tx, customer);
    // Without a holder, the contact was freed between the two statements: retry.
    throw holder === undefined ? new WriteConflict("The contact") : contactTaken(holder, customer);
  }
  await indexText(tx, { kind: "customers", subject: customer.id }, searchText(customer));
  const { email, marketingConsent } = customer;
  if (marketingConsent && email !== null) await liftWithdrawal(tx, email);
  await tx.emit(customerCreated(customer));
  return customer;
}

/**
 * Afterwards a customer has the email or the phone: a new one is unverified, a known one stays as it was.
 * Consent does not outweigh a withdrawal, which only someone who read an email to the address could send.
 * Returns what was sent as a new customer in all cases, so that a stranger does not learn who is known.
 * Refuses with `validation_failed` without an email or phone.
 */
export async function signUpCustomer(tx: Tx, sent: CustomerChange): Promise<Customer> {
  const draft = { ...sent, isUnverified: true };
  try {
    const created = await createCustomer(tx, await respectWithdrawal(tx, sent.email, draft));
    return { ...created, marketingConsent: sent.marketingConsent ?? created.marketingConsent };
  } catch (error) {
    if (!(error instanceof Refusal) || error.definition !== customerExists) throw error;
    const composed = newCustomer(draft, tx.now);
    const email = draft.email ?? composed.email;
    const known = await findCustomerByContact(tx, { ...composed, email });
    return { ...composed, id: known?.id ?? composed.id };
  }
}

interface SaidContact extends Contact {
  readonly name: string | null;
}

/**
 * Afterwards an email, phone or name that the record lacked is the given one, unless another customer has it.
 * The phone and the name of an unverified customer are replaced, which verifies the customer unless their email was not
 * said, or the record has addresses, of which the order says nothing: a proof of the contact would show a stranger's.
 * Emits `customer.updated` if any has changed. Throws `WriteConflict` for a customer that was removed.
 */
export async function fillCustomer(
  tx: Tx,
  id: Id<"customer">,
  said: SaidContact,
): Promise<Customer> {
  const known = await lockKnownCustomer(tx, id);
  if (known === undefined) throw new WriteConflict("The customer");
  const { email, phone } = said;
  const change = defined({
    email: known.email === null ? await ifFree(tx, { email, phone: null }) : undefined,
    phone: takesPhone(known) ? await ifFree(tx, { email: null, phone }) : undefined,
    name: known.name === null || known.isUnverified ? (said.name ?? undefined) : undefined,
    isUnverified: isVerifiedBy(known, said) ? false : undefined,
  });
  return updateCustomer(tx, id, { change, expected: null });
}

function isVerifiedBy(known: Customer, { email, phone, name }: SaidContact): boolean {
  const isNamed = phone !== null || name !== null;
  return isNamed && saysEmail(known, email) && !hasDoubtfulAddresses(known);
}

/** A phone that only a stranger wrote is replaced; one that was proved is not. */
function takesPhone({ phone, isUnverified, phoneVerifiedAt }: Customer): boolean {
  return phone === null || (isUnverified && phoneVerifiedAt === null);
}

/** The email or the phone; undefined if it is missing, or another customer has it. */
async function ifFree(tx: Tx, contact: Contact): Promise<string | undefined> {
  const given = contact.email ?? contact.phone;
  if (given === null || (await findCustomerByContact(tx, contact)) !== undefined) return undefined;
  return given;
}

/**
 * Adds one to the customer's `orders_count`, without a new version or event. Returns the customer, or
 * undefined if it does not exist or was erased: such an order has no customer.
 */
export function countOrder(tx: Tx, id: Id<"customer">): Promise<Customer | undefined> {
  return raiseOrdersCount(tx, id);
}
