// Story: the shop, which has a login of its own, signs a customer in.

import { customerErased } from "#customers/customer.ts";
import { lockCustomer } from "#customers/lookups.ts";
import { endUnprovedSessions } from "#customers/sessions/end-sessions.ts";
import { type OpenedSession, openSession } from "#customers/sessions/open-session.ts";
import { proveContact } from "#customers/sessions/prove-contact.ts";
import type { CodeContact } from "#customers/sessions/session.ts";
import type { Id } from "#kernel/id.ts";
import { Faults } from "#kernel/refusal.ts";
import type { Tx } from "#platform/database/database.ts";

/**
 * Opens a session of the customer. The contact is the one that the shop's login proved, if any, and counts as verified:
 * without one the session sees what codes have proved. Refuses with `customer_not_found`, `customer_erased`, and with
 * `validation_failed` for a contact that the customer does not have.
 */
export async function admitCustomer(
  tx: Tx,
  id: Id<"customer">,
  proved: CodeContact | null,
): Promise<OpenedSession> {
  const customer = await lockCustomer(tx, id);
  if (customer.erasedAt !== null) throw customerErased();
  if (proved === null) return openSession(tx, customer);
  if (customer[proved.kind] !== proved.value) {
    const faults = new Faults();
    faults.add(`/${proved.kind}`, "unknown_customer", "The customer has another contact.");
    faults.refuseIfAny();
  }
  await endUnprovedSessions(tx, customer, null);
  return openSession(tx, await proveContact(tx, id, proved));
}
