// Workflow: a session, by the code of a customer or by the word of the shop.

import { customerErased } from "#customers/customer.ts";
import { lockCustomer } from "#customers/lookups.ts";
import { claimContact, proveContact } from "#customers/sessions/claim-contact.ts";
import { type CodeContact, codeRefusal } from "#customers/sessions/code.ts";
import {
  endUnprovedSessions,
  type OpenedSession,
  openSession,
} from "#customers/sessions/end-sessions.ts";
import { type GivenCode, useCode } from "#customers/sessions/issue-code.ts";
import type { Id } from "#kernel/id.ts";
import { Faults } from "#kernel/refusal.ts";
import type { Tx } from "#platform/database/database.ts";
import type { Shop } from "#platform/database/shop.ts";
import { type Caller, requireScope } from "#platform/http/contract/caller.ts";

import type { SessionRequest } from "./schema.ts";

/** Refuses with `code_invalid`, `scope_missing`, and with the refusals of `admitCustomer`. */
export async function openCustomerSession(
  shop: Shop,
  request: SessionRequest,
  caller: Caller,
): Promise<OpenedSession> {
  if (request.by === "code") {
    requireScope(caller, "customers:login", "A code");
    return signInCustomer(shop, request.contact, request.given);
  }
  requireScope(caller, "customers:write", "customer_id");
  return shop.database.write((tx) => admitCustomer(tx, request.customerId, request.contact));
}

/**
 * Opens a session of the customer. The contact is the one that the shop's login proved, if any, and counts as verified:
 * without one the session sees what codes have proved. Refuses with `customer_not_found`, `customer_erased`, and with
 * `validation_failed` for a contact that the customer does not have.
 */
async function admitCustomer(
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

// Workflow: a customer signs in with a code. A wrong one is committed as a try before it is refused.

/** Opens a session of the customer whose contact it is, a new one if need be. Refuses with `code_invalid`. */
async function signInCustomer(
  { database }: Shop,
  contact: CodeContact,
  given: GivenCode,
): Promise<OpenedSession> {
  const opened = await database.write(async (tx) => {
    const outcome = await useCode(tx, contact, given);
    return outcome === "right" ? openSession(tx, await claimContact(tx, contact)) : outcome;
  });
  if (typeof opened === "string") throw codeRefusal(opened);
  return opened;
}
