// Stories: a customer is changed, or withdraws consent to marketing by a link that came to the email.

import { liftWithdrawal, rememberWithdrawal } from "#customers/consent/withdrawals.ts";
import { type ExpectedVersion, requireVersion } from "#kernel/change.ts";
import type { Id } from "#kernel/id.ts";
import type { Tx } from "#platform/database/database.ts";
import { indexText } from "#platform/database/search.ts";

import {
  changedDetails,
  contactTaken,
  type Customer,
  type CustomerChange,
  customerErased,
  requireReachable,
  searchText,
} from "./customer.ts";
import { customerUpdated } from "./events.ts";
import { findCustomerByContact, lockCustomer } from "./lookups.ts";
import { customerRows, replaceTags } from "./queries.ts";

interface CustomerUpdate {
  readonly change: CustomerChange;
  readonly expected: ExpectedVersion;
}

/**
 * Writes the given fields and emits `customer.updated`; does neither if no value differs. Consent that is given again for
 * the email counts, also if it was withdrawn before; one that ends is kept as a withdrawal. Refuses with
 * `customer_not_found`, `stale_version`, `customer_exists`, `customer_erased`, and with
 * `validation_failed` if neither an email nor a phone would be left.
 */
export async function updateCustomer(
  tx: Tx,
  id: Id<"customer">,
  { change, expected }: CustomerUpdate,
): Promise<Customer> {
  const before = await lockCustomer(tx, id);
  requireVersion(before.version, expected);
  if (before.erasedAt !== null) throw customerErased();
  const changed = { ...before, ...changedDetails(before, change) };
  const { email } = changed;
  if (change.marketingConsent === true && email !== null) await liftWithdrawal(tx, email);
  if (Bun.deepEquals(before, changed, true)) return before;
  requireReachable(changed);
  await requireFreeContact(tx, before, { ...changed, sent: change.email });
  const after = await customerRows.save(tx, before, changed);
  const hasEnded = before.marketingConsent && !after.marketingConsent;
  if (hasEnded && before.email !== null) await rememberWithdrawal(tx, before.email);
  if (!Bun.deepEquals(before.tags, after.tags)) await replaceTags(tx, after);
  if (searchText(before) !== searchText(after)) {
    await indexText(tx, { kind: "customers", subject: id }, searchText(after));
  }
  await tx.emit(customerUpdated(after));
  return after;
}

/**
 * Refuses with the id of the holder of a new email, also as it was sent, or of a new phone. The unique keys decide; this
 * explains.
 */
async function requireFreeContact(
  tx: Tx,
  before: Customer,
  { email, phone, sent }: Customer & { readonly sent: string | null | undefined },
): Promise<void> {
  const contact = {
    email: email === before.email ? null : (sent ?? null),
    phone: phone === before.phone ? null : phone,
  };
  const holder = await findCustomerByContact(tx, contact);
  if (holder !== undefined && holder.id !== before.id) throw contactTaken(holder, contact);
}

/**
 * Afterwards the email has no consent, whether a customer has it or not. Emits `customer.updated` of a customer who had
 * given it. Done again, it changes nothing.
 */
export async function withdrawConsent(tx: Tx, email: string): Promise<void> {
  const customer = await findCustomerByContact(tx, { email, phone: null });
  if (customer !== undefined) {
    await updateCustomer(tx, customer.id, { change: { marketingConsent: false }, expected: null });
  }
  await rememberWithdrawal(tx, email);
}
