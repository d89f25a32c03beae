// Story: who an order is for: a known customer, somebody matched by contact or new, or nobody (a
// counter sale).

import { createCustomer } from "#customers/create-customer.ts";
import type { Customer } from "#customers/customer.ts";
import { findCustomerByContact } from "#customers/find-customer-by-contact.ts";
import { findCustomer } from "#customers/find-customer.ts";
import type { Id } from "#kernel/id.ts";
import { Faults } from "#kernel/refusal.ts";
import type { Tx } from "#platform/store/store.ts";

export interface CustomerRequest {
  readonly customerId?: Id<"customer"> | undefined;
  readonly customer?:
    | {
        readonly email: string | null;
        readonly phone: string | null;
        readonly name: string | null;
      }
    | undefined;
}

/**
 * The customer of an order, created and announced where nobody matches by email, then phone.
 * Refuses with `validation_failed` for an id nobody has and for a customer given twice.
 */
export async function resolveCustomer(
  tx: Tx,
  { customerId, customer }: CustomerRequest,
): Promise<Customer | null> {
  const faults = new Faults();
  if (customerId !== undefined && customer !== undefined) {
    faults.add("/customer", "conflicting_fields", "Give either customer_id or customer.");
    faults.refuseIfAny();
  }
  if (customer !== undefined) {
    if (customer.email === null && customer.phone === null) {
      faults.add("/customer/email", "required", "A customer has an email or a phone.");
      faults.refuseIfAny();
    }
    return (await findCustomerByContact(tx, customer)) ?? (await createCustomer(tx, customer));
  }
  if (customerId === undefined) return null;
  const known = await findCustomer(tx, customerId);
  if (known === undefined || known.erasedAt !== null) {
    faults.add("/customer_id", "unknown_customer", "There is no such customer.");
    faults.refuseIfAny();
  }
  return known ?? null;
}
